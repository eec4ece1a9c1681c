/** `npm run test:mutation`: how many small changes of the code the type check or a test notices. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCount, runCommand } from '../../scripts/command.ts';
import { EQUIVALENT } from './equivalent.ts';
import { keyOf, mutantsOf, withChange, withSwitches, type Numbered } from './mutants.ts';
import { Project, type Record } from './project.ts';
import { typeChecker } from './types.ts';

const root = join(import.meta.dirname, '../..');

const NOTHING = 'nothing';

/** How many changes to draw, which, and how many to judge at a time. */
interface Draw {
	count: number;
	seed: number;
	jobs: number;
}

/** The drawn mutants, the tests that reach them, and what noticed each mutant, by its key. */
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

/** Draws mutants, has the types of each checked, puts switches for the others into the copy, and records the tests that reach them. */
async function begin(project: Project, { count, seed, jobs }: Draw): Promise<Work> {
	project.copy();
	const files = globSync('nodes/{runtime,LinkManager,NewsReader}/**/*.ts', { cwd: root }).sort();
	const all = files.flatMap((file) => mutantsOf(file, project.read(file)));
	const drawn = shuffled(all, seed)
		.slice(0, count)
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
	return { drawn, record: await project.record(jobs), results };
}

const isBuilt = ({ number }: Numbered, { build }: Record): boolean => build.includes(number);

/** The first test file that notices a mutant, of those that reach it; quick ones run first. */
async function noticedBy(project: Project, mutant: Numbered, record: Record): Promise<string> {
	const files = Object.entries(record.tests)
		// A mutant that the build reaches may show in any test.
		.filter(([, { reached }]) => isBuilt(mutant, record) || reached.includes(mutant.number))
		.sort(([, a], [, b]) => a.took - b.took)
		.map(([file]) => file);
	return (files.length > 0 && (await project.failing(mutant.number, files))) || NOTHING;
}

/** The same for one that the build reaches. */
async function noticedBuilt(project: Project, mutant: Numbered, record: Record): Promise<string> {
	const could = await project.build(mutant.number);
	const by = could ? await noticedBy(project, mutant, record) : 'build';
	await project.build();
	return by;
}

/** Judges what nothing has noticed yet, several at a time; `keep` is called after each. */
async function judge(
	project: Project,
	{ drawn, record, results }: Work,
	jobs: number,
	keep: () => void,
): Promise<void> {
	const open = drawn.filter((mutant) => {
		const key = keyOf(mutant);
		return !(key in EQUIVALENT) && (results[key] ?? NOTHING) === NOTHING;
	});
	const note = (mutant: Numbered, by: string): void => {
		results[keyOf(mutant)] = by;
		keep();
		console.log(`${by}: ${keyOf(mutant)}`);
	};
	const running = open.filter((mutant) => !isBuilt(mutant, record));
	const next = async (): Promise<void> => {
		for (let mutant = running.shift(); mutant; mutant = running.shift())
			note(mutant, await noticedBy(project, mutant, record));
	};
	await Promise.all(Array.from({ length: jobs }, next));
	// These change what all tests load: one at a time.
	for (const mutant of open.filter((one) => isBuilt(one, record)))
		note(mutant, await noticedBuilt(project, mutant, record));
}

/** Tests that changed since may reach any mutant. A test that fails without one belongs to newer code. */
async function refresh(project: Project, { drawn, record }: Work): Promise<void> {
	const reached = drawn.map(({ number }) => number);
	for (const file of project.copyTests()) {
		const fails = await project.failing(NaN, [file]);
		if (fails) delete record.tests[file];
		else record.tests[file] = { reached, took: 0 };
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

await runCommand(
	{
		name: 'npm run test:mutation',
		description:
			'Changes the code of the nodes in small places and checks whether the type check or a test notices. Takes about an hour.\nWorks on a copy of the project, and keeps the results beside it: the next run with the same folder continues, and judges\nagain what nothing noticed.',
		options: {
			count: { value: 'COUNT', default: '200', help: 'how many changes' },
			seed: { value: 'NUMBER', default: '1', help: 'another number draws other changes' },
			jobs: {
				value: 'COUNT',
				default: String(availableParallelism()),
				help: 'how many are judged at a time',
			},
			folder: {
				value: 'FOLDER',
				default: join(tmpdir(), 'newslink-mutation'),
				help: 'where the copy and the results are',
			},
		},
	},
	async ({ folder, ...options }) => {
		const [count, seed, jobs] = (['count', 'seed', 'jobs'] as const).map((name) =>
			parseCount(name, options[name]),
		) as [number, number, number];
		mkdirSync(folder, { recursive: true });
		const project = new Project(root, join(folder, 'project'));
		const kept = join(folder, 'work.json');
		const work = existsSync(kept)
			? (JSON.parse(readFileSync(kept, 'utf8')) as Work)
			: await begin(project, { count, seed, jobs });
		const keep = (): void => writeFileSync(kept, JSON.stringify(work, null, '\t'));
		keep();
		await refresh(project, work);
		await judge(project, work, jobs, keep);
		report(work);
	},
);
