import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it('publishes with provenance and without a token', () => {
	const workflow = read('.github/workflows/publish.yml');
	expect(workflow).toContain('id-token: write');
	expect(workflow).toContain('for package in . ./build/packages/*; do');
	expect(workflow).toContain('npm publish "$package" --provenance');
	expect(workflow).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
});

it('requires the Node.js version that the bundled libraries require', () => {
	const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
	const required = JSON.parse(read('node_modules/html-to-text/package.json')) as {
		engines: { node: string };
	};
	expect(`${engines.node}.0`).toBe(required.engines.node);
});

it('has a changelog section for its version or for unreleased changes', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
	const form = /^(Unreleased|\d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2})$/;
	expect(headings.filter((heading) => !form.test(heading))).toEqual([]);
	expect(headings[0] === 'Unreleased' || headings[0]!.startsWith(`${version} - `)).toBe(true);
});
