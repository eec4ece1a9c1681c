/** `npm run test:mutation`: measures how many small code changes the type check or a test detects. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCount, runCommand } from '../../scripts/command.ts';
import { keyOf, mutantsOf, withChange, withSwitches, type Numbered } from './mutants.ts';
import { Project, type Record, typeChecker } from './project.ts';

const root = join(import.meta.dirname, '../..');

const NOT_DETECTED = 'nothing';
/** The share of detected changes, in percent, below which the command fails. Some changes have no effect. */
const WANTED_SHARE = 85;

/** The number of mutants, the random seed, and the number of concurrent jobs. */
interface Draw {
	count: number;
	seed: number;
	jobs: number;
}

/** The drawn mutants, the tests that reach them, and by mutant number what detected it. */
interface Work {
	drawn: Numbered[];
	record: Record;
	results: { [number: number]: string };
}

/** Shuffles values in an order that depends only on the seed (mulberry32). */
function shuffle<T>(values: T[], seed: number): T[] {
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

/** Draws mutants, type-checks each, adds switches for the others to the copy, and records the tests that reach them. */
async function createWork(project: Project, { count, seed, jobs }: Draw): Promise<Work> {
	project.copy();
	const files = globSync('nodes/{runtime,LinkManager,NewsReader}/**/*.ts', { cwd: root }).sort();
	const all = files.flatMap((file) => mutantsOf(file, project.read(file)));
	const drawn = shuffle(all, seed)
		.slice(0, count)
		.map((mutant, number) => ({ ...mutant, number }));
	const isTypeCorrect = typeChecker(project.folder);
	const results: Work['results'] = {};
	const runs = drawn.filter((mutant) => {
		const isCorrect = isTypeCorrect(mutant.file, withChange(project.read(mutant.file), mutant));
		if (!isCorrect) results[mutant.number] = 'types';
		return isCorrect;
	});
	for (const file of new Set(runs.map((mutant) => mutant.file))) {
		const inFile = runs.filter((mutant) => mutant.file === file);
		project.write(file, withSwitches(project.read(file), inFile));
	}
	return { drawn, record: await project.record(jobs), results };
}

const isBuilt = ({ number }: Numbered, { build }: Record): boolean => build.includes(number);

/** Runs the test files that reach a mutant, fastest first. @returns the first that detects it */
async function detectedBy(project: Project, mutant: Numbered, record: Record): Promise<string> {
	const files = Object.entries(record.tests)
		// Any test may detect a mutant that the build reaches.
		.filter(([, { reached }]) => isBuilt(mutant, record) || reached.includes(mutant.number))
		.map(([file, { duration }]): [string, number] => [file, duration])
		.sort(([, a], [, b]) => a - b);
	return (await project.firstFailure(mutant.number, files)) ?? NOT_DETECTED;
}

/** Like `detectedBy`, for a mutant in code that runs during the build. */
async function detectedInBuild(project: Project, mutant: Numbered, record: Record): Promise<string> {
	const isBuildable = await project.build(mutant.number);
	const detector = isBuildable ? await detectedBy(project, mutant, record) : 'build';
	await project.build();
	return detector;
}

/** Tests the remaining mutants concurrently; calls `save` after each. */
async function testMutants(
	project: Project,
	{ drawn, record, results }: Work,
	jobs: number,
	save: () => void,
): Promise<void> {
	const remaining = drawn.filter(({ number }) => !(number in results));
	const saveResult = (mutant: Numbered, detector: string): void => {
		results[mutant.number] = detector;
		save();
		console.log(`${detector}: ${keyOf(mutant)}`);
	};
	const running = remaining.filter((mutant) => !isBuilt(mutant, record));
	const next = async (): Promise<void> => {
		for (let mutant = running.shift(); mutant; mutant = running.shift())
			saveResult(mutant, await detectedBy(project, mutant, record));
	};
	await Promise.all(Array.from({ length: jobs }, next));
	// These mutants change the build that all tests load, so they can't run concurrently.
	for (const mutant of remaining.filter((one) => isBuilt(one, record)))
		saveResult(mutant, await detectedInBuild(project, mutant, record));
}

function report({ drawn, results }: Work): void {
	const undetected = drawn.filter(({ number }) => results[number] === NOT_DETECTED);
	const detected = drawn.length - undetected.length;
	const share = (100 * detected) / drawn.length;
	console.log(`\n${detected} of ${drawn.length} detected: ${share.toFixed(1)} %`);
	for (const mutant of undetected) console.log(`not detected: ${keyOf(mutant)}`);
	process.exitCode = share < WANTED_SHARE ? 1 : 0;
}

await runCommand(
	{
		name: 'npm run test:mutation',
		description:
			'Makes small changes to the code of the nodes and checks whether the type check or a test detects each. Takes about an\nhour. Works on a copy of the project and saves the results next to it: the next run with the same folder continues.',
		options: {
			count: { value: 'COUNT', default: '200', help: 'number of changes' },
			seed: { value: 'NUMBER', default: '1', help: 'random seed of the changes' },
			jobs: {
				value: 'COUNT',
				default: String(availableParallelism()),
				help: 'number of changes to test at the same time',
			},
			folder: {
				value: 'FOLDER',
				default: join(tmpdir(), 'newslink-mutation'),
				help: 'folder for the copy and the results',
			},
		},
	},
	async ({ folder, ...options }) => {
		const [count, seed, jobs] = (['count', 'seed', 'jobs'] as const).map((name) =>
			parseCount(name, options[name]),
		) as [number, number, number];
		mkdirSync(folder, { recursive: true });
		const project = new Project(root, join(folder, 'project'));
		const workFile = join(folder, 'work.json');
		const work = existsSync(workFile)
			? (JSON.parse(readFileSync(workFile, 'utf8')) as Work)
			: await createWork(project, { count, seed, jobs });
		const save = (): void => writeFileSync(workFile, JSON.stringify(work, null, '\t'));
		save();
		await testMutants(project, work, jobs, save);
		report(work);
	},
);
