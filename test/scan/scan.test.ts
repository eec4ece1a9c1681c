/** Tests that n8n's scan of community packages finds no errors or warnings. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { singlePackages } from '../../scripts/single-packages';

const run = promisify(execFile);
const root = resolve(__dirname, '../..');

interface Verdict {
	passed: boolean;
	/** The report of the scan, if it failed. */
	details?: string;
	warnings: string[];
	files: number;
}

const packages = [
	['n8n-nodes-newslink', root],
	...singlePackages.map(({ name }) => [name, join(root, 'build/packages', name)]),
] as Array<[name: string, folder: string]>;

let temporary: string;

/**
 * Scans a folder in a separate process, because the scan is an ES module, leaves temporary folders, and treats every
 * file as a node if NODE_ENV is `test`.
 */
async function scan(folder: string, leg: 'source' | 'tarball'): Promise<Verdict> {
	const script = join(__dirname, 'scan.mjs');
	const { stdout } = await run(process.execPath, [script, folder, leg], {
		env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', TMPDIR: temporary },
	});
	return JSON.parse(stdout) as Verdict;
}

/** Copies the files of a checkout that the scan lints. */
function copySources(to: string): string {
	for (const name of ['package.json', 'nodes', 'credentials'])
		cpSync(join(root, name), join(to, name), { recursive: true });
	return to;
}

/** Packs a package and unpacks it again. @returns the folder */
async function pack(folder: string, to: string): Promise<string> {
	mkdirSync(to, { recursive: true });
	const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', to], {
		cwd: folder,
	});
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	await run('tar', ['-xzf', join(to, filename), '-C', to]);
	return join(to, 'package');
}

beforeAll(() => {
	temporary = mkdtempSync(join(tmpdir(), 'newslink-scan-'));
});

afterAll(() => rmSync(temporary, { recursive: true }));

describe("n8n's community package scan", () => {
	it('passes the sources without errors or warnings', async () => {
		const verdict = await scan(copySources(join(temporary, 'source')), 'source');
		expect(verdict).toEqual({ passed: true, warnings: [], files: expect.any(Number) });
		expect(verdict.files).toBeGreaterThan(5);
	});

	it.each(packages)('passes the packed %s without errors or warnings', async (name, folder) => {
		const verdict = await scan(await pack(folder, join(temporary, name)), 'tarball');
		expect(verdict).toEqual({ passed: true, warnings: [], files: expect.any(Number) });
		expect(verdict.files).toBeGreaterThan(4);
	});

	it('reports errors, even if a comment disables the rule, and warnings', async () => {
		const folder = copySources(join(temporary, 'bad'));
		writeFileSync(
			join(folder, 'nodes/Bad.ts'),
			'// eslint-disable-next-line\nexport const environment = process.env;\n',
		);
		const errors = await scan(folder, 'source');
		expect(errors.passed).toBe(false);
		expect(errors.details).toContain('no-restricted-globals');

		writeFileSync(join(folder, 'nodes/Bad.bak'), '');
		writeFileSync(join(folder, 'nodes/Bad.test.ts'), 'export {};\n');
		expect((await scan(folder, 'source')).warnings).toEqual([expect.stringContaining('no-dead-files')]);
	});
});
