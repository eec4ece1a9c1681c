/** Builds and tests a copy of the project with switchable mutants. */
import { execFile, execFileSync, type ExecFileException } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** The mutants that a test file reaches, and its duration in milliseconds. */
interface TestFile {
	reached: number[];
	duration: number;
}

/** The mutants that the build reaches, and the test files by path. Excludes tests that fail with all switches off. */
export interface Record {
	build: number[];
	tests: { [file: string]: TestFile };
}

interface JestResults {
	testResults: Array<{ name: string; status: string; startTime: number; endTime: number }>;
}

/** The result of a process. */
interface ProcessResult {
	failed: boolean;
	errors: string;
}

/** Time limit of a build, in milliseconds. */
const BUILD_TIMEOUT = 5 * 60_000;
/** One process runs test files that take this long together, in milliseconds. */
const FILES_PER_PROCESS_MS = 15_000;
/** Time limit of such a process with a mutant, in milliseconds: a mutant that exceeds it counts as detected. */
const timeLimit = (usual: number): number => 90_000 + 5 * usual;
/** Time limit for all tests together on a busy machine, in milliseconds. */
const RECORDING_TIMEOUT = 120 * 60_000;

/** Test files for one process, and how long they usually take together, in milliseconds. */
interface FileGroup {
	files: string[];
	usual: number;
}

function groupsOf(files: Array<[file: string, duration: number]>): FileGroup[] {
	const groups: FileGroup[] = [];
	for (const [file, duration] of files) {
		const last = groups.at(-1);
		if (last && last.usual + duration <= FILES_PER_PROCESS_MS) {
			last.files.push(file);
			last.usual += duration;
		} else groups.push({ files: [file], usual: duration });
	}
	return groups;
}

export class Project {
	readonly root: string;
	readonly folder: string;
	private readonly switches: string;

	constructor(root: string, folder: string) {
		this.root = root;
		this.folder = folder;
		this.switches = join(folder, 'test/mutation/switch.cjs');
	}

	/** Copies the project, with the same node_modules. */
	copy(): void {
		mkdirSync(this.folder, { recursive: true });
		for (const file of this.files()) cpSync(join(this.root, file), join(this.folder, file));
		symlinkSync(join(this.root, 'node_modules'), join(this.folder, 'node_modules'));
	}

	read(file: string): string {
		return readFileSync(join(this.folder, file), 'utf8');
	}

	write(file: string, text: string): void {
		writeFileSync(join(this.folder, file), text);
	}

	/** Builds the copy with a mutant switched on. @returns whether the build succeeded */
	async build(mutant?: number, record?: string): Promise<boolean> {
		const env = { NODE_OPTIONS: `--require ${this.switches}`, MUTANT: mutant, MUTATION_RECORD: record };
		const { failed } = await this.run(['node_modules/gulp/bin/gulp.js', 'build', '-L'], env, BUILD_TIMEOUT);
		return !failed;
	}

	/**
	 * Runs test files in sequence until one fails, several in one process. `files` are their paths with their durations in
	 * milliseconds.
	 *
	 * @returns the failed file, if any
	 */
	async firstFailure(
		mutant: number,
		files: Array<[file: string, duration: number]>,
	): Promise<string | undefined> {
		for (const group of groupsOf(files)) {
			const failure = await this.failureOf(mutant, group.files, timeLimit(group.usual));
			if (failure) return failure;
		}
		return undefined;
	}

	/** The first of these test files that fails with a mutant, if any; 'timeout' if they don't end. */
	private async failureOf(mutant: number, files: string[], limit: number): Promise<string | undefined> {
		const paths = files.map((file) => join(this.folder, file));
		const env = { MUTANT: mutant, TEST_FILES: JSON.stringify(paths) };
		const args = ['--runInBand', '--bail', '--runTestsByPath', ...files];
		const { failed, errors } = await this.jest(args, env, limit);
		if (!failed) return undefined;
		return /^FAIL \w+ (\S+)/m.exec(errors)?.[1] ?? 'timeout';
	}

	/** Builds the copy and runs all tests concurrently with every switch off, to record what they reach. */
	async record(jobs: number): Promise<Record> {
		const file = join(this.folder, '../reached.jsonl');
		const results = join(this.folder, '../jest.json');
		if (!(await this.build(undefined, file))) throw new Error('The build fails with all switches off');
		const { errors } = await this.jest(
			['--maxWorkers', String(jobs), '--json', '--outputFile', results],
			{ MUTATION_RECORD: file },
			RECORDING_TIMEOUT,
		);
		if (!existsSync(results)) throw new Error(`The tests did not finish:\n${errors.slice(-2000)}`);
		const lines = readFileSync(file, 'utf8').trim().split('\n');
		const reached = new Map<string, number[]>();
		for (const line of lines.map((text) => JSON.parse(text) as { file: string; reached: number[] }))
			reached.set(line.file, [...(reached.get(line.file) ?? []), ...line.reached]);
		const tests: Record['tests'] = {};
		const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as JestResults;
		for (const { name, status, startTime, endTime } of testResults) {
			const path = relative(this.folder, name);
			if (status === 'passed')
				tests[path] = { reached: reached.get(name) ?? [], duration: endTime - startTime };
			else console.log(`skipped, because it fails with all switches off: ${path}`);
		}
		return { build: reached.get('build') ?? [], tests };
	}

	private files(): string[] {
		const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
			cwd: this.root,
			encoding: 'utf8',
		});
		return listed.split('\n').filter((file) => file && existsSync(join(this.root, file)));
	}

	private async jest(args: string[], env: object, limit: number): Promise<ProcessResult> {
		const config = ['--config', 'test/mutation/jest.config.cjs', '--silent'];
		// One process runs many test files, each with n8n's engine, which exceeds Node's default memory limit.
		return await this.run(
			['--max-old-space-size=8192', 'node_modules/jest/bin/jest.js', ...config, ...args],
			env,
			limit,
		);
	}

	private run(args: string[], env: object, limit: number): Promise<ProcessResult> {
		const options = {
			cwd: this.folder,
			env: { ...process.env, ...env },
			timeout: limit,
			maxBuffer: Infinity,
		};
		return new Promise((resolve) => {
			const ended = (error: ExecFileException | null, _: string, errors: string): void =>
				resolve({ failed: error !== null, errors });
			execFile(process.execPath, args, options, ended);
		});
	}
}

/** Type-checks a file of a project with another text. Each call reuses the previous program. */
export function typeChecker(root: string): (file: string, text: string) => boolean {
	const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
	let changed = { path: '', text: '' };
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
		getScriptVersion: (path) => (path === changed.path ? String(version) : '0'),
		getScriptSnapshot: (path) => {
			const text = path === changed.path ? changed.text : ts.sys.readFile(path);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => root,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
	};
	const service = ts.createLanguageService(host);
	return (file, text) => {
		changed = { path: join(root, file), text };
		version += 1;
		const problems = [
			...service.getSyntacticDiagnostics(changed.path),
			...service.getSemanticDiagnostics(changed.path),
		];
		return problems.length === 0;
	};
}
