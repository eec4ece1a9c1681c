/** The help and the error for unknown options of every script in package.json that is part of this repository. */
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
const commands = Object.entries(scripts).flatMap(([name, script]) => {
	const [, file] = /^node ([\w/-]+\.ts)$/.exec(script) ?? [];
	return file ? [{ name: name === 'start' ? 'npm start' : `npm run ${name}`, file }] : [];
});

interface ProcessResult {
	status: number;
	output: string;
	errors: string;
}

const run = async (file: string, ...args: string[]): Promise<ProcessResult> =>
	await new Promise((done) => {
		const env = { ...process.env, JEST_WORKER_ID: undefined, NODE_ENV: undefined, NODE_NO_WARNINGS: '1' };
		execFile(process.execPath, [file, ...args], { cwd: root, env }, (error, output, errors) =>
			done({ status: error ? Number(error.code) : 0, output, errors }),
		);
	});

const builtAt = (): number => statSync(join(root, 'dist')).mtimeMs;

it('the commands are these', () => {
	expect(commands.map(({ name }) => name).sort()).toEqual([
		'npm run bench',
		'npm run bench:scale',
		'npm run build',
		'npm run check',
		'npm run check:same',
		'npm run check:writes',
		'npm run compose',
		'npm run demo',
		'npm run docs',
		'npm run sandbox',
		'npm run test:mutation',
		'npm start',
	]);
});

it.each(commands)('$name only prints its usage with --help', async ({ name, file }) => {
	const before = builtAt();
	const { status, output, errors } = await run(file, '--help');
	expect({ status, errors }).toEqual({ status: 0, errors: '' });
	expect(output).toMatch(new RegExp(`^Usage: ${name} -- \\[options\\]\n`));
	expect(output).toContain('--help');
	expect(builtAt()).toBe(before);
});

it.each(commands)('$name rejects an unknown option with one sentence', async ({ name, file }) => {
	const { status, output, errors } = await run(file, '--unknown');
	expect({ status, output }).toEqual({ status: 2, output: '' });
	expect(errors).toMatch(new RegExp(`^Unknown option '--unknown'\\. See ${name} -- --help\\.\n$`));
});
