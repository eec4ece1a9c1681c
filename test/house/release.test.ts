import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it('publishes with provenance and without a token', () => {
	const workflow = read('.github/workflows/publish.yml');
	expect(workflow).toContain('id-token: write');
	expect(workflow).toContain('npm publish --provenance');
	expect(workflow).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
});

it('asks for the Node.js that the libraries in the package ask for', () => {
	const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
	const wanted = JSON.parse(read('node_modules/html-to-text/package.json')) as { engines: { node: string } };
	expect(`${engines.node}.0`).toBe(wanted.engines.node);
});
