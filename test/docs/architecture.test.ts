/** docs/architecture.md names every file of the runtime, and only files that exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/nodes/built';

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const runtime = globSync('**/*.ts', { cwd: join(root, 'nodes/runtime') }).map((file) =>
	file.replace(/\.ts$/, ''),
);

it('names every file of the runtime', () => {
	const missing = runtime.filter((file) => !new RegExp(`(^|[\\s\`])${file}([\\s\`]|$)`, 'm').test(page));
	expect(
		missing.map((file) => `nodes/runtime/${file}.ts is missing: add it to docs/architecture.md`),
	).toEqual([]);
});

it('names only files and folders that exist', () => {
	const folders = new Set(runtime.map((file) => file.split('/')[0]!));
	const quoted = [...page.matchAll(/`([\w*/.-]+)`/g)].map(([, name]) => name!);
	const drawn = [...page.matchAll(/(?<![\w/`])(\w+\/[\w-]+)(?![\w/`])/g)]
		.map(([, name]) => name!)
		.filter((name) => folders.has(name.split('/')[0]!));
	const named = [...new Set([...quoted, ...drawn])];
	expect(named.length).toBeGreaterThan(40);
	const exists = (name: string): boolean =>
		runtime.includes(name) ||
		folders.has(name) ||
		existsSync(join(root, name)) ||
		globSync(name, { cwd: root }).length > 0;
	expect(named.filter((name) => !exists(name))).toEqual([]);
});

it('is short', () => {
	expect(page.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(700);
});
