/**
 * Changes the code of the nodes in small places, and looks whether the type check or a test notices:
 * `npm run test:mutation`. `MUTANTS` tells how many (200 unless said), `MUTATION_SEED` draws others, `MUTATION_JOBS` are
 * judged at a time. It works on a copy of the project in `MUTATION_FOLDER` and keeps there what came of each; another run with the same folder goes on where
 * it was ended, and judges again, by the tests of that moment, what nothing noticed.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { EQUIVALENT } from './equivalent.ts';
import { keyOf, mutantsOf, withChange, withSwitches, type Numbered } from './mutants.ts';
import { Project, type Record } from './project.ts';
import { typeChecker } from './types.ts';

const root = join(import.meta.dirname, '../..');
const COUNT = Number(process.env.MUTANTS ?? 200);
const SEED = Number(process.env.MUTATION_SEED ?? 1);
const JOBS = Number(process.env.MUTATION_JOBS ?? availableParallelism());
const folder = process.env.MUTATION_FOLDER ?? join(tmpdir(), 'newslink-mutation');
const project = new Project(root, join(folder, 'project'));

const NOTHING = 'nothing';

/** What was drawn, who asks for it, and what noticed each, by its key. */
interface Work {
	drawn: Numbered[];
	record: Record;
	results: { [key: string]: string };
}

/** The same order in every run of one seed (mulberry32). */
function shuffled<T>(values: T[], seed: number): T[] {
	let state = seed;
	const random = (): number => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return values
		.map((value) => ({ value, place: random() }))
		.sort((a, b) => a.place - b.place)
		.map(({ value }) => value);
}

/** Draws mutants, has the types of each checked, puts switches for the others into the copy, and records who asks for them. */
async function begin(): Promise<Work> {
	project.copy();
	const files = globSync('nodes/{runtime,LinkManager,NewsReader}/**/*.ts', { cwd: root }).sort();
	const all = files.flatMap((file) => mutantsOf(file, project.read(file)));
	const drawn = shuffled(all, SEED)
		.slice(0, COUNT)
		.map((mutant, number) => ({ ...mutant, number }));
	const typesHold = typeChecker(project.folder);
	const results: Work['results'] = {};
	const runs = drawn.filter((mutant) => {
		const holds = typesHold(mutant.file, withChange(project.read(mutant.file), mutant));
		if (!holds) results[keyOf(mutant)] = 'types';
		return holds;
	});
	for (const file of new Set(runs.map((mutant) => mutant.file))) {
		const inFile = runs.filter((mutant) => mutant.file === file);
		project.write(file, withSwitches(project.read(file), inFile));
	}
	return { drawn, record: await project.record(JOBS), results };
}

const isBuilt = ({ number }: Numbered, { build }: Record): boolean => build.includes(number);

/** The test file that notices a mutant, of those that ask for it, the quick ones first. */
async function noticedBy(mutant: Numbered, record: Record): Promise<string> {
	const files = Object.entries(record.tests)
		// What the build asks for may show in any of them.
		.filter(([, { asked }]) => isBuilt(mutant, record) || asked.includes(mutant.number))
		.sort(([, a], [, b]) => a.took - b.took)
		.map(([file]) => file);
	return (files.length > 0 && (await project.failing(mutant.number, files))) || NOTHING;
}

/** The same for one that is asked for while the project is built. */
async function noticedBuilt(mutant: Numbered, record: Record): Promise<string> {
	const could = await project.build(mutant.number);
	const by = could ? await noticedBy(mutant, record) : 'build';
	await project.build();
	return by;
}

/** Judges what nothing has noticed yet, several at a time; `keep` is called after each. */
async function judge({ drawn, record, results }: Work, keep: () => void): Promise<void> {
	const open = drawn.filter((mutant) => {
		const key = keyOf(mutant);
		return !(key in EQUIVALENT) && (results[key] ?? NOTHING) === NOTHING;
	});
	const tell = (mutant: Numbered, by: string): void => {
		results[keyOf(mutant)] = by;
		keep();
		console.log(`${by}: ${keyOf(mutant)}`);
	};
	const running = open.filter((mutant) => !isBuilt(mutant, record));
	const next = async (): Promise<void> => {
		for (let mutant = running.shift(); mutant; mutant = running.shift())
			tell(mutant, await noticedBy(mutant, record));
	};
	await Promise.all(Array.from({ length: JOBS }, next));
	// These change what all tests load: one at a time.
	for (const mutant of open.filter((one) => isBuilt(one, record)))
		tell(mutant, await noticedBuilt(mutant, record));
}

/** Tests that are others by now may ask for any mutant. What fails without one is for other code than the copy's. */
async function refresh({ drawn, record }: Work): Promise<void> {
	const asked = drawn.map(({ number }) => number);
	for (const file of project.copyTests()) {
		const fails = await project.failing(NaN, [file]);
		if (fails) delete record.tests[file];
		else record.tests[file] = { asked, took: 0 };
	}
}

function report({ drawn, results }: Work): void {
	const judged = drawn.map(keyOf).filter((key) => !(key in EQUIVALENT));
	const left = judged.filter((key) => results[key] === NOTHING);
	const share = (100 * (judged.length - left.length)) / judged.length;
	console.log(`\n${judged.length - left.length} of ${judged.length} noticed: ${share.toFixed(1)} %`);
	for (const key of left) console.log(`not noticed: ${key}`);
	process.exitCode = share < 95 ? 1 : 0;
}

async function main(): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const kept = join(folder, 'work.json');
	const work = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Work) : await begin();
	const keep = (): void => writeFileSync(kept, JSON.stringify(work, null, '\t'));
	keep();
	await refresh(work);
	await judge(work, keep);
	report(work);
}

await main();
