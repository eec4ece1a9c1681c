import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** An import from one folder or file to a sibling. */
interface Import {
	from: string;
	to: string;
	/** The importing file. */
	file: string;
}

/** Every import within a folder, by the two siblings at which the paths diverge. */
function importsWithin(folder: string): Import[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.flatMap((name) => {
			const file = posix.join(folder, name);
			return importsOf(file)
				.filter((imported) => imported.startsWith(`${folder}/`))
				.map((imported) => ({ ...siblingsOf(file, imported), file }));
		})
		.filter(({ from, to }) => from !== to);
}

function importsOf(file: string): string[] {
	const relative = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
	return [...readFileSync(join(root, file), 'utf8').matchAll(relative)].map(([, path = '']) =>
		posix.join(dirname(file), path).replace(/\.ts$/, ''),
	);
}

function siblingsOf(file: string, imported: string): { from: string; to: string } {
	const [here, there] = [file.replace(/\.ts$/, '').split('/'), imported.split('/')];
	const parting = here.findIndex((segment, index) => segment !== there[index]) + 1;
	return { from: here.slice(0, parting).join('/'), to: there.slice(0, parting).join('/') };
}

/** Exempt because it imports only types: the interface takes rows, and rows receive the interface. */
const apiTypes = 'nodes/runtime/api-types.ts';

it('the file of types imports only types', () => {
	const source = readFileSync(join(root, apiTypes), 'utf8');
	const imports = source.match(/^import .*$/gm) ?? [];
	expect(imports.length).toBeGreaterThan(0);
	for (const line of imports) expect(line).toMatch(/^import type /);
	expect(source).not.toMatch(/^export (?!interface|type)/m);
});

it.each(['nodes', 'sandbox'])('no two siblings in %s import each other', (folder) => {
	const imports = importsWithin(folder).filter(({ file }) => file !== apiTypes);
	const pairs = new Set(imports.map(({ from, to }) => `${from} imports ${to}`));
	const mutual = imports.filter(({ from, to }) => pairs.has(`${to} imports ${from}`));
	expect(pairs.size).toBeGreaterThan(0);
	expect(mutual).toEqual([]);
});
