/** Tests that the sources pass n8n's strict mode for community packages, with the unchanged rules of its command. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../playground/settings.ts';
import { singlePackages } from '../../scripts/single-packages.ts';

const folder = mkdtempSync(join(tmpdir(), 'newslink-strict-'));
after(() => rmSync(folder, { recursive: true }));

const run = (command: string, ...words: string[]): { status: number | null; output: string } => {
	const { status, stdout, stderr } = spawnSync(command, words, { cwd: folder, encoding: 'utf8' });
	return { status, output: `${stdout}${stderr}` };
};
const lint = (): ReturnType<typeof run> =>
	run('node_modules/.bin/eslint', '--max-warnings', '0', 'package.json', 'nodes', 'credentials');

/** Writes a package's manifest into the folder, with strict mode on. */
function useManifest(from: string): void {
	const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { n8n: object };
	const strict = { ...manifest, n8n: { ...manifest.n8n, strict: true } };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(strict, null, 2));
}

describe("n8n's strict mode", () => {
	before(() => {
		for (const file of ['package.json', 'package-lock.json'])
			cpSync(join(root, 'test/e2e/strict', file), join(folder, file));
		// Not npm ci: it misses optional packages in the lock file that npm itself wrote.
		const { status, output } = run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund');
		assert.equal(status, 0, output);
		for (const name of ['nodes', 'credentials', 'vendor', 'tsconfig.json'])
			cpSync(join(root, name), join(folder, name), { recursive: true });
		useManifest(root);
		writeFileSync(
			join(folder, 'eslint.config.mjs'),
			"import { config } from '@n8n/node-cli/eslint';\n\nexport default config;\n",
		);
	});

	it('passes without errors or warnings', () => {
		const { status, output } = lint();
		assert.equal(status, 0, output);
	});

	it('reports violations of its rules', () => {
		appendFileSync(join(folder, 'nodes/newslink.ts'), 'export const environment = process.env;\n');
		const { status, output } = lint();
		assert.equal(status, 1);
		assert.match(output, /no-restricted-globals/);
	});

	for (const { name, node } of singlePackages) {
		it(`passes the sources of ${name}`, () => {
			for (const kind of ['nodes', 'credentials']) rmSync(join(folder, kind), { recursive: true });
			const sources = [
				'nodes/runtime',
				`nodes/${node}`,
				...globSync(`credentials/${node}*.ts`, { cwd: root }),
			];
			for (const path of sources) cpSync(join(root, path), join(folder, path), { recursive: true });
			useManifest(join(root, 'build/packages', name));
			const { status, output } = lint();
			assert.equal(status, 0, output);
		});
	}
});
