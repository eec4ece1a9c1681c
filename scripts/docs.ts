/** `npm run docs`: writes the parts of the documentation that are generated from the tables of operations. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { runCommand } from './command.ts';
import { operationTable, referencePage, resourceTable } from './reference.ts';
import { services, type ServiceInfo } from './services.ts';
import { singlePackages } from './single-packages.ts';

const root = join(import.meta.dirname, '..');

/** Keeps Prettier from padding the README's tables, whose cells are long. */
const unpadded = '<!-- prettier-ignore -->\n';

/** Puts a table of a service into a page. */
const withTable = (page: string, { displayName }: ServiceInfo, table: string): string =>
	replaceSection(page, `operations of ${displayName}`, unpadded + table);

/** The generated content of each file, before formatting. */
function pages(): Map<string, string> {
	const contents = new Map(
		services.map((service) => [join(root, 'docs/reference', `${service.page}.md`), referencePage(service)]),
	);
	const readme = join(root, 'README.md');
	contents.set(
		readme,
		services.reduce(
			(page, service) => withTable(page, service, operationTable(service, 'docs')),
			readFileSync(readme, 'utf8'),
		),
	);
	for (const single of singlePackages) {
		const page = join(root, 'docs/packages', `${single.name}.md`);
		contents.set(page, withTable(readFileSync(page, 'utf8'), single, resourceTable(single, '..')));
	}
	return contents;
}

/** Replaces the content between the start and end comments with this name. */
function replaceSection(page: string, name: string, content: string): string {
	const [start, end] = ['start', 'end'].map((edge) => `<!-- ${name}: ${edge} -->`);
	const [before, after] = [page.split(start!)[0], page.split(end!)[1]];
	if (after === undefined) throw new Error(`A page lacks the line ${start} or ${end}`);
	return [before, start, '\n\n', content, '\n\n', end, after].join('');
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
			'Writes the parts of the documentation that are generated from the tables of operations: docs/reference, the operations\nin README.md and the resources in docs/packages.',
		options: { check: { help: 'write nothing; list the pages that are out of date' } },
		needsBuild: true,
	},
	async ({ check }) => await update(check),
);
