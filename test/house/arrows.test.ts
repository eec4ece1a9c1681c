import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

interface Arrow {
	/** The layers in one folder: a folder, or a file next to it. */
	from: string;
	to: string;
	/** The file that imports. */
	file: string;
}

/** Every import within a folder, as an arrow between the two rooms where the paths part. */
function arrowsWithin(folder: string): Arrow[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.flatMap((name) => {
			const file = posix.join(folder, name);
			return importsOf(file)
				.filter((imported) => imported.startsWith(`${folder}/`))
				.map((imported) => ({ ...roomsOf(file, imported), file }));
		})
		.filter(({ from, to }) => from !== to);
}

function importsOf(file: string): string[] {
	const relative = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
	return [...readFileSync(join(root, file), 'utf8').matchAll(relative)].map(([, path = '']) =>
		posix.join(dirname(file), path).replace(/\.ts$/, ''),
	);
}

function roomsOf(file: string, imported: string): { from: string; to: string } {
	const [here, there] = [file.replace(/\.ts$/, '').split('/'), imported.split('/')];
	const parting = here.findIndex((segment, index) => segment !== there[index]) + 1;
	return { from: here.slice(0, parting).join('/'), to: there.slice(0, parting).join('/') };
}

it.each(['nodes', 'sandbox'])('no two rooms side by side in %s import each other', (folder) => {
	const arrows = arrowsWithin(folder);
	const drawn = new Set(arrows.map(({ from, to }) => `${from} -> ${to}`));
	const back = arrows.filter(({ from, to }) => drawn.has(`${to} -> ${from}`));
	expect(drawn.size).toBeGreaterThan(0);
	expect(back).toEqual([]);
});
