/** Keeps figures, and writes the pages of the documentation that tell them. By itself it says which are stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { pageOf, type Results } from './report.ts';
import { scalePageOf, type ScaleResults } from './scale-report.ts';

const root = join(import.meta.dirname, '..');

/** The page of each file of figures. */
const pages = {
	'bench/results.json': { page: 'docs/performance.md', text: (kept: unknown) => pageOf(kept as Results) },
	'bench/scale.json': { page: 'docs/scale.md', text: (kept: unknown) => scalePageOf(kept as ScaleResults) },
};
type File = keyof typeof pages;

const formatted = async (file: string, text: string): Promise<string> => {
	const path = join(root, file);
	return await format(text, { ...(await resolveConfig(path)), filepath: path });
};

/** Keeps figures, and writes their page. */
export async function keep(file: File, figures: Results | ScaleResults): Promise<void> {
	const { page, text } = pages[file];
	writeFileSync(join(root, file), await formatted(file, JSON.stringify(figures)));
	writeFileSync(join(root, page), await formatted(page, text(figures)));
}

if (process.argv[1] === import.meta.filename) {
	for (const [file, { page, text }] of Object.entries(pages)) {
		const kept = JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;
		const path = join(root, page);
		if (existsSync(path) && readFileSync(path, 'utf8') === (await formatted(page, text(kept)))) continue;
		console.error(`${page} is not what ${file} says`);
		process.exitCode = 1;
	}
}
