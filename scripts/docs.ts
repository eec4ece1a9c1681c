/** `npm run docs`: writes the parts of the documentation that are generated from the tables of operations. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Report } from '../check/report.ts';
import { runCommand } from './command.ts';
import { compatibilityTables, type Reports } from './compatibility.ts';
import { operationTable, referencePage } from './reference.ts';
import { linkManager, newsReader } from './services.ts';

const root = join(import.meta.dirname, '..');

/** Keeps Prettier from padding the README's tables: the README is published, and the package size is limited. */
const unpadded = '<!-- prettier-ignore -->\n';
const readme = join(root, 'README.md');
const compatibility = join(root, 'docs/compatibility.md');

/** The generated content of each file, before formatting. */
function pages(): Map<string, string> {
	const services = [linkManager, newsReader];
	const contents = new Map(
		services.map((service) => [join(root, 'docs/reference', `${service.page}.md`), referencePage(service)]),
	);
	const text = services.reduce(
		(page, service) =>
			replaceSection(page, `operations of ${service.displayName}`, unpadded + operationTable(service)),
		readFileSync(readme, 'utf8'),
	);
	contents.set(readme, text);
	const tables = compatibilityTables(storedReports());
	return contents.set(
		compatibility,
		replaceSection(readFileSync(compatibility, 'utf8'), 'compatibility', tables),
	);
}

/** Replaces the content between the start and end comments with this name. */
function replaceSection(page: string, name: string, content: string): string {
	const [start, end] = ['start', 'end'].map((edge) => `<!-- ${name}: ${edge} -->`);
	const [before, after] = [page.split(start!)[0], page.split(end!)[1]];
	if (after === undefined) throw new Error(`A page lacks the line ${start} or ${end}`);
	return [before, start, '\n\n', content, '\n\n', end, after].join('');
}

/** The stored reports of `npm run check`, on hosts that anyone can reach or run. */
function storedReports(): Reports {
	const folder = join(root, 'docs/compatibility');
	const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
	return Object.fromEntries(
		files.map((file) => [
			file.replace('.json', ''),
			JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report,
		]),
	);
}

/** Writes the outdated pages; with `check`, only lists them and sets the exit status. */
async function update(check: boolean): Promise<void> {
	for (const [file, content] of pages()) {
		const formatted = await format(content, { ...(await resolveConfig(file)), filepath: file });
		if (existsSync(file) && readFileSync(file, 'utf8') === formatted) continue;
		const name = relative(root, file);
		if (check) {
			console.error(`${name} does not match the tables of operations. Run: npm run docs`);
			process.exitCode = 1;
		} else {
			writeFileSync(file, formatted);
			console.log(`Wrote ${name}`);
		}
	}
}

await runCommand(
	{
		name: 'npm run docs',
		description:
			'Writes the parts of the documentation that are generated from the tables of operations: docs/reference, the operations in\nREADME.md, and the tables in docs/compatibility.md.',
		options: { check: { help: 'write nothing; list the pages that are out of date' } },
		needsBuild: true,
	},
	async ({ check }) => await update(check),
);
