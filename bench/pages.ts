/** Writes the documentation pages with measurements. Run directly, this file lists those that are out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { pageOf, type Results } from './report.ts';
import { scalePageOf, type ScaleResults } from './scale-report.ts';

const root = join(import.meta.dirname, '..');

/** The page for each file of results. */
const pages = {
	'bench/results.json': { page: 'docs/performance.md', text: (kept: unknown) => pageOf(kept as Results) },
	'bench/scale.json': { page: 'docs/scale.md', text: (kept: unknown) => scalePageOf(kept as ScaleResults) },
};
type File = keyof typeof pages;

const formatted = async (file: string, text: string): Promise<string> => {
	const path = join(root, file);
	return await format(text, { ...(await resolveConfig(path)), filepath: path });
};

/** Prints the page of results. With `write`, writes the results and their page instead. */
export async function publish(file: File, figures: Results | ScaleResults, write: boolean): Promise<void> {
	const { page, text } = pages[file];
	const content = await formatted(page, text(figures));
	if (!write) return console.log(`\n${content}\nNothing was written. With --write this becomes ${page}.`);
	writeFileSync(join(root, file), await formatted(file, JSON.stringify(figures)));
	writeFileSync(join(root, page), content);
	console.log(`Wrote ${file} and ${page}`);
}

if (process.argv[1] === import.meta.filename) {
	for (const [file, { page, text }] of Object.entries(pages)) {
		const figures = JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;
		const path = join(root, page);
		if (existsSync(path) && readFileSync(path, 'utf8') === (await formatted(page, text(figures)))) continue;
		console.error(`${page} does not match ${file}`);
		process.exitCode = 1;
	}
}
