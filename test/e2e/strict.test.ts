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
const lint = (...files: string[]): ReturnType<typeof run> =>
	run('node_modules/.bin/eslint', '--max-warnings', '0', ...files);

/** Apart from this project's own installation, with which the dependencies of n8n's command conflict. */
const installation = {
	private: true,
	devDependencies: { '@n8n/node-cli': '0.48.3', eslint: '9.29.0', prettier: '3.10.1', typescript: '5.9.3' },
	// The command depends on a large package that linting does not need.
	overrides: { '@n8n/ai-node-sdk': 'npm:is-number@7.0.0', typescript: '$typescript' },
};

const writeJson = (file: string, content: object): void =>
	writeFileSync(join(folder, file), JSON.stringify(content, null, 2));

/** Writes a package's manifest into the folder, with strict mode on. */
function useManifest(from: string): void {
	const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { n8n: object };
	writeJson('package.json', { ...manifest, n8n: { ...manifest.n8n, strict: true } });
}

describe("n8n's strict mode", () => {
	before(() => {
		writeJson('package.json', installation);
		const { status, output } = run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund');
		assert.equal(status, 0, output);
		for (const name of ['nodes', 'credentials', 'vendor', 'tsconfig.json'])
			cpSync(join(root, name), join(folder, name), { recursive: true });
		writeFileSync(
			join(folder, 'eslint.config.mjs'),
			"import { config } from '@n8n/node-cli/eslint';\n\nexport default config;\n",
		);
	});

	it('passes without errors or warnings', () => {
		useManifest(root);
		const { status, output } = lint('package.json', 'nodes', 'credentials');
		assert.equal(status, 0, output);
	});

	it('reports violations of its rules', () => {
		const file = 'nodes/newslink.ts';
		appendFileSync(join(folder, file), 'export const environment = process.env;\n');
		const { status, output } = lint(file);
		assert.equal(status, 1);
		assert.match(output, /no-restricted-globals/);
	});

	for (const { name, node, folder: built } of singlePackages) {
		it(`passes the package.json of ${name}`, () => {
			for (const kind of ['nodes', 'credentials']) rmSync(join(folder, kind), { recursive: true });
			for (const path of [`nodes/${node}`, ...globSync(`credentials/${node}*.ts`, { cwd: root })])
				cpSync(join(root, path), join(folder, path), { recursive: true });
			useManifest(join(root, built));
			const { status, output } = lint('package.json');
			assert.equal(status, 0, output);
		});
	}
});
