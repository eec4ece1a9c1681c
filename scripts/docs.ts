/** `npm run docs`: writes the parts of the documentation that are made from the tables of operations. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Report } from '../check/report.ts';
import { runCommand } from './command.ts';
import { compatibilityTables, type Reports } from './compatibility.ts';
import { operationTable, referencePage } from './reference.ts';
import { linkManager, newsReader } from './services.ts';

const root = join(import.meta.dirname, '..');

/** Tables that are not padded to equal columns: the README is part of the package, whose size is limited. */
const unpadded = '<!-- prettier-ignore -->\n';
const readme = join(root, 'README.md');
const compatibility = join(root, 'docs/compatibility.md');

/** Every generated file with its content, unformatted. */
function pages(): Map<string, string> {
	const services = [linkManager, newsReader];
	const written = new Map(
		services.map((service) => [join(root, 'docs/reference', `${service.page}.md`), referencePage(service)]),
	);
	const text = services.reduce(
		(page, service) =>
			between(page, `operations of ${service.displayName}`, unpadded + operationTable(service)),
		readFileSync(readme, 'utf8'),
	);
	written.set(readme, text);
	const tables = compatibilityTables(keptReports());
	return written.set(compatibility, between(readFileSync(compatibility, 'utf8'), 'compatibility', tables));
}

/** A page with new content between the two comments that carry a name. */
function between(page: string, name: string, content: string): string {
	const [start, end] = ['start', 'end'].map((edge) => `<!-- ${name}: ${edge} -->`);
	const [before, after] = [page.split(start!)[0], page.split(end!)[1]];
	if (after === undefined) throw new Error(`A page lacks the line ${start} or ${end}`);
	return [before, start, '\n\n', content, '\n\n', end, after].join('');
}

/** The reports of `npm run check` on hosts that everybody can ask, or start. */
function keptReports(): Reports {
	const folder = join(root, 'docs/compatibility');
	const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
	return Object.fromEntries(
		files.map((file) => [
			file.replace('.json', ''),
			JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report,
		]),
	);
}

/** Writes the pages that are stale, or names them. */
async function update(check: boolean): Promise<void> {
	for (const [file, content] of pages()) {
		const fresh = await format(content, { ...(await resolveConfig(file)), filepath: file });
		if (existsSync(file) && readFileSync(file, 'utf8') === fresh) continue;
		const name = relative(root, file);
		if (check) {
			console.error(`${name} does not match the tables of operations. Run: npm run docs`);
			process.exitCode = 1;
		} else {
			writeFileSync(file, fresh);
			console.log(`Wrote ${name}`);
		}
	}
}

await runCommand(
	{
		name: 'npm run docs',
		about:
			'Writes the parts of the documentation that are generated from the tables of operations: docs/reference, the operations in\nREADME.md, and the tables in docs/compatibility.md.',
		options: { check: { help: 'write nothing; list the pages that are out of date' } },
		builds: true,
	},
	async ({ check }) => await update(check),
);
