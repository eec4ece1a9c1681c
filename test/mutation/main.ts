/**
 * Changes the code of the nodes in one small place after the other, and looks whether the type check or a test
 * notices: `npm run test:mutation`. `MUTANTS` tells how many (200 unless said), `MUTATION_SEED` draws others. It works on
 * a copy of the project in `MUTATION_FOLDER` and keeps what came of each there, so that it goes on where it was ended.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { mutantsOf, type Mutant } from './mutants.ts';
import { EQUIVALENT } from './equivalent.ts';

const root = join(import.meta.dirname, '../..');
const folder = process.env.MUTATION_FOLDER ?? join(tmpdir(), 'newslink-mutation');
const copy = join(folder, 'project');
const kept = join(folder, 'results.json');
const COUNT = Number(process.env.MUTANTS ?? 200);
const SEED = Number(process.env.MUTATION_SEED ?? 1);

/** What noticed a mutant, or `nothing`; those that change nothing anybody could see are `equivalent`. */
type Results = Record<string, string>;

const keyOf = ({ file, line, was, becomes }: Mutant): string => `${file}:${line} ${was} → ${becomes}`;

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

/** A copy of the project as it is, with the same modules. */
function makeCopy(): void {
	rmSync(copy, { recursive: true, force: true });
	mkdirSync(copy, { recursive: true });
	const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
		encoding: 'utf8',
	});
	for (const file of files.split('\n').filter((name) => name && existsSync(join(root, name))))
		cpSync(join(root, file), join(copy, file));
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Checks the types of one file in the copy, in a program that goes on from the one before. */
function typeChecker(): (file: string) => boolean {
	const config = ts.readConfigFile(join(copy, 'tsconfig.json'), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, copy);
	let changed = '';
	let version = 0;
	const host: ts.LanguageServiceHost = {
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
		readDirectory: ts.sys.readDirectory,
		directoryExists: ts.sys.directoryExists,
		getDirectories: ts.sys.getDirectories,
		realpath: ts.sys.realpath,
		getCompilationSettings: () => options,
		getScriptFileNames: () => fileNames,
		getScriptVersion: (file) => (file === changed ? String(version) : '0'),
		getScriptSnapshot: (file) => {
			const text = ts.sys.readFile(file);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => copy,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
	};
	const service = ts.createLanguageService(host);
	return (file) => {
		changed = join(copy, file);
		version += 1;
		return service.getSemanticDiagnostics(changed).length === 0;
	};
}

const run = (command: string, ...args: string[]): boolean =>
	spawnSync(command, args, { cwd: copy, stdio: 'ignore' }).status === 0;
const jest = (...args: string[]): boolean =>
	run(process.execPath, 'node_modules/jest/bin/jest.js', '--bail', '--silent', ...args);

/** The suites that may notice, the quick ones first: what a service's own code does, no test of the other one sees. */
function suitesFor(file: string): string[][] {
	const other = /LinkManager/.test(file) ? 'reader' : /NewsReader/.test(file) ? 'link' : undefined;
	const spare = other
		? ['--testPathIgnorePatterns', '/node_modules/', `test/(engine|contract|faults)/.*${other}`]
		: [];
	return [
		['test/engine', ...spare],
		['test/contract', ...spare],
		['test/faults', ...spare],
		['test/compatibility', 'test/workflows', 'test/load', 'test/docs', 'test/lint'],
	];
}

/** What notices the mutant that is in the copy now. */
function noticedBy({ file }: Pick<Mutant, 'file'>, typesHold: (file: string) => boolean): string {
	if (!typesHold(file)) return 'types';
	if (!jest('test/unit')) return 'test/unit';
	if (!run('npm', 'run', 'build')) return 'build';
	return suitesFor(file).find((suite) => !jest(...suite))?.[0] ?? 'nothing';
}

/** Without a change nothing may fail: else whatever fails would be taken for notice. */
function checkUnchanged(typesHold: (file: string) => boolean): void {
	const by = noticedBy({ file: 'nodes/runtime/execute/execute.ts' }, typesHold);
	if (by !== 'nothing') throw new Error(`Fails without a change: ${by}`);
}

function main(): void {
	makeCopy();
	const files = globSync('nodes/{runtime,LinkManager,NewsReader}/**/*.ts', { cwd: root }).sort();
	const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
	const drawn = shuffled(all, SEED).slice(0, COUNT);
	const results = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Results) : {};
	const typesHold = typeChecker();
	if (!existsSync(kept)) checkUnchanged(typesHold);
	for (const mutant of drawn) {
		const key = keyOf(mutant);
		if (results[key] === undefined) {
			const path = join(copy, mutant.file);
			const text = readFileSync(path, 'utf8');
			writeFileSync(path, text.slice(0, mutant.start) + mutant.becomes + text.slice(mutant.end));
			results[key] = noticedBy(mutant, typesHold);
			writeFileSync(path, text);
			writeFileSync(kept, JSON.stringify(results, null, '\t'));
		}
		console.log(`${results[key].padEnd(18)} ${key}`);
	}
	report(drawn.map((mutant) => ({ key: keyOf(mutant), by: results[keyOf(mutant)] ?? 'nothing' })));
}

function report(outcomes: { key: string; by: string }[]): void {
	const judged = outcomes.filter(({ key }) => !(key in EQUIVALENT));
	const left = judged.filter(({ by }) => by === 'nothing');
	const share = ((100 * (judged.length - left.length)) / judged.length).toFixed(1);
	console.log(`\n${judged.length - left.length} of ${judged.length} noticed: ${share} %`);
	for (const { key } of left) console.log(`not noticed: ${key}`);
	process.exitCode = Number(share) < 95 ? 1 : 0;
}

main();
