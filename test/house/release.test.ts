import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it('publishes what was tested, with provenance and without a token', () => {
	const workflow = read('.github/workflows/publish.yml');
	const [, publish = ''] = workflow.split('\n  publish:\n');
	expect(workflow).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
	expect(publish).toContain('id-token: write');
	expect(publish).toContain('NPM_CONFIG_PROVENANCE: true');
	expect(publish).not.toMatch(/npm (ci|run|pack)/);
});

it('pins every action by its commit', () => {
	const actions = globSync('.github/workflows/*.yml', { cwd: root }).flatMap((file) =>
		[...read(file).matchAll(/uses: (.+)/g)].map(([, action]) => action!),
	);
	expect(actions.length).toBeGreaterThan(5);
	expect(actions.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

it('requires the Node.js version that the bundled libraries require', () => {
	const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
	const required = JSON.parse(read('node_modules/html-to-text/package.json')) as {
		engines: { node: string };
	};
	expect(`${engines.node}.0`).toBe(required.engines.node);
});

describe('the first step of a release', () => {
	const folder = mkdtempSync(join(tmpdir(), 'newslink-notes-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	/** Runs `.ci/release-notes` in a project with this version and changelog. */
	const notesOf = (tag: string, version: string, changelog: string) => {
		mkdirSync(join(folder, '.ci'), { recursive: true });
		cpSync(join(root, '.ci/release-notes'), join(folder, '.ci/release-notes'));
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
		writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
		const { status, stdout, stderr } = spawnSync(join(folder, '.ci/release-notes'), [tag], {
			encoding: 'utf8',
		});
		return { status, stdout: stdout.trim(), stderr: stderr.trim() };
	};
	const changelog = '# Changelog\n\n## 1.1.0 - 2027-01-01\n\n- New\n\n## 1.0.0 - 2026-12-01\n\n- First\n';

	it.each([
		['v1.1.0', '- New'],
		['v1.0.0', '- First'],
	])('prints the section of %s only', (tag, stdout) => {
		expect(notesOf(tag, tag.slice(1), changelog)).toEqual({ status: 0, stdout, stderr: '' });
	});

	it('fails without a section, and if the package has another version', () => {
		expect(notesOf('v1.2.0', '1.2.0', changelog)).toMatchObject({
			status: 1,
			stderr: 'CHANGELOG.md has no section for 1.2.0.',
		});
		expect(notesOf('v1.1.0', '1.0.0', changelog)).toMatchObject({
			status: 1,
			stderr: 'package.json does not have the version 1.1.0.',
		});
	});
});

it('has a changelog section for its version or for unreleased changes', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
	const form = /^(Unreleased|\d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2})$/;
	expect(headings.filter((heading) => !form.test(heading))).toEqual([]);
	expect(headings[0] === 'Unreleased' || headings[0]!.startsWith(`${version} - `)).toBe(true);
});
