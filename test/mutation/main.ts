/**
 * Changes the code of the nodes in small places, and looks whether the type check or a test notices:
 * `npm run test:mutation`. `MUTANTS` tells how many (200 unless said), `MUTATION_SEED` draws others. It works on a copy
 * of the project in `MUTATION_FOLDER` and keeps there what came of each; another run with the same folder goes on where
 * it was ended, and judges again, by the tests of that moment, what nothing noticed.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EQUIVALENT } from './equivalent.ts';
import { keyOf, mutantsOf, withChange, withSwitches, type Numbered } from './mutants.ts';
import { Project, type Record } from './project.ts';
import { typeChecker } from './types.ts';

const root = join(import.meta.dirname, '../..');
const COUNT = Number(process.env.MUTANTS ?? 200);
const SEED = Number(process.env.MUTATION_SEED ?? 1);
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
function begin(): Work {
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
	return { drawn, record: project.record(), results };
}

/** The test file that notices a mutant. What the build asks for too may show in any test. */
function noticedBy({ number }: Numbered, { build, tests }: Record): string {
	const isBuilt = build.includes(number);
	if (isBuilt && !project.build(number)) return 'build';
	const files = Object.entries(tests)
		.filter(([, { asked }]) => isBuilt || asked.includes(number))
		.sort(([, a], [, b]) => a.took - b.took)
		.map(([file]) => file);
	const failing = files.length > 0 ? project.failing(number, files) : undefined;
	if (isBuilt) project.build();
	return failing ?? NOTHING;
}

/** Tests that are others by now may ask for any mutant. */
function refresh({ drawn, record }: Work): void {
	const asked = drawn.map(({ number }) => number);
	for (const file of project.copyTests()) record.tests[file] = { asked, took: 0 };
}

function report({ drawn, results }: Work): void {
	const judged = drawn.map(keyOf).filter((key) => !(key in EQUIVALENT));
	const left = judged.filter((key) => results[key] === NOTHING);
	const share = (100 * (judged.length - left.length)) / judged.length;
	console.log(`\n${judged.length - left.length} of ${judged.length} noticed: ${share.toFixed(1)} %`);
	for (const key of left) console.log(`not noticed: ${key}`);
	process.exitCode = share < 95 ? 1 : 0;
}

function main(): void {
	mkdirSync(folder, { recursive: true });
	const kept = join(folder, 'work.json');
	const keep = (): void => writeFileSync(kept, JSON.stringify(work, null, '\t'));
	const work = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Work) : begin();
	keep();
	refresh(work);
	for (const mutant of work.drawn) {
		const key = keyOf(mutant);
		if (!(key in EQUIVALENT) && (work.results[key] ?? NOTHING) === NOTHING) {
			work.results[key] = noticedBy(mutant, work.record);
			keep();
		}
		console.log(`${work.results[key] ?? 'equivalent'}: ${key}`);
	}
	report(work);
}

main();
