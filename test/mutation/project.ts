/** A copy of the project with switches in its code: building it, running its tests. */
import { execFile, execFileSync, type ExecFileException } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The mutants that a test file reaches, and how long it takes, in milliseconds. */
interface Recorded {
	reached: number[];
	took: number;
}

/** The mutants that the build reaches, and each test file by its path in the project; those that fail with the switches in place are left out. */
export interface Record {
	build: number[];
	tests: { [file: string]: Recorded };
}

interface JestResults {
	testResults: Array<{ name: string; status: string; startTime: number; endTime: number }>;
}

/** How a process ended. */
interface Ended {
	failed: boolean;
	errors: string;
}

/** After this a mutant counts as one that never ends, in milliseconds. */
const ENDLESS = 20 * 60_000;
/** How long all tests together may take on a busy machine, in milliseconds. */
const LONGEST_RECORDING = 120 * 60_000;

export class Project {
	readonly root: string;
	readonly folder: string;
	private readonly switches: string;

	constructor(root: string, folder: string) {
		this.root = root;
		this.folder = folder;
		this.switches = join(folder, 'test/mutation/switch.cjs');
	}

	/** Copies everything, with the same modules. */
	copy(): void {
		mkdirSync(this.folder, { recursive: true });
		for (const file of this.files()) cpSync(join(this.root, file), join(this.folder, file));
		symlinkSync(join(this.root, 'node_modules'), join(this.folder, 'node_modules'));
	}

	/** Copies the tests that are others by now. @returns their paths */
	copyTests(): string[] {
		const changed = this.files('test').filter((file) => {
			const copy = join(this.folder, file);
			return !existsSync(copy) || !readFileSync(copy).equals(readFileSync(join(this.root, file)));
		});
		for (const file of changed) cpSync(join(this.root, file), join(this.folder, file));
		return changed.filter((file) => file.endsWith('.test.ts'));
	}

	read(file: string): string {
		return readFileSync(join(this.folder, file), 'utf8');
	}

	write(file: string, text: string): void {
		writeFileSync(join(this.folder, file), text);
	}

	/** Builds it, with a mutant switched on. @returns whether it could be built */
	async build(mutant?: number, record?: string): Promise<boolean> {
		const env = { NODE_OPTIONS: `--require ${this.switches}`, MUTANT: mutant, MUTATION_RECORD: record };
		const { failed } = await this.run(['node_modules/gulp/bin/gulp.js', 'build', '-L'], env);
		return !failed;
	}

	/** Runs test files one after the other until one fails. @returns that one, if any */
	async failing(mutant: number, files: string[]): Promise<string | undefined> {
		const paths = files.map((file) => join(this.folder, file));
		const env = { MUTANT: mutant, TEST_FILES: JSON.stringify(paths) };
		const { failed, errors } = await this.jest(['--runInBand', '--bail', '--runTestsByPath', ...files], env);
		if (!failed) return undefined;
		return /^FAIL \w+ (\S+)/m.exec(errors)?.[1] ?? 'no end';
	}

	/** Builds it, and runs all tests once with every switch off, several files at a time. */
	async record(jobs: number): Promise<Record> {
		const file = join(this.folder, '../reached.jsonl');
		const results = join(this.folder, '../jest.json');
		if (!(await this.build(undefined, file))) throw new Error('Cannot be built with the switches in place');
		const { errors } = await this.jest(
			['--maxWorkers', String(jobs), '--json', '--outputFile', results],
			{ MUTATION_RECORD: file },
			LONGEST_RECORDING,
		);
		if (!existsSync(results)) throw new Error(`The tests did not run to their end:\n${errors.slice(-2000)}`);
		const lines = readFileSync(file, 'utf8').trim().split('\n');
		const reached = new Map<string, number[]>();
		for (const line of lines.map((text) => JSON.parse(text) as { file: string; reached: number[] }))
			reached.set(line.file, [...(reached.get(line.file) ?? []), ...line.reached]);
		const tests: Record['tests'] = {};
		const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as JestResults;
		for (const { name, status, startTime, endTime } of testResults) {
			const path = relative(this.folder, name);
			if (status === 'passed') tests[path] = { reached: reached.get(name) ?? [], took: endTime - startTime };
			else console.log(`left out, as it fails with switches in the code: ${path}`);
		}
		return { build: reached.get('build') ?? [], tests };
	}

	private files(folder = '.'): string[] {
		const listed = execFileSync(
			'git',
			['ls-files', '--cached', '--others', '--exclude-standard', '--', folder],
			{ cwd: this.root, encoding: 'utf8' },
		);
		return listed.split('\n').filter((file) => file && existsSync(join(this.root, file)));
	}

	private async jest(args: string[], env: object, limit?: number): Promise<Ended> {
		const config = ['--config', 'test/mutation/jest.config.cjs', '--silent'];
		// One process for many test files, each with n8n's engine: more than Node's usual limit of memory.
		return await this.run(
			['--max-old-space-size=8192', 'node_modules/jest/bin/jest.js', ...config, ...args],
			env,
			limit,
		);
	}

	private run(args: string[], env: object, limit = ENDLESS): Promise<Ended> {
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
