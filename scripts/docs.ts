/**
 * Writes what follows from the tables of operations into the documentation; `--check` only says what is stale.
 * The nodes must be built: `npm run docs` does that first.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import type { Table } from '../nodes/runtime/table/operation';
import { operationList, referencePage, type NodePage } from './reference.ts';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { linkTable, readerTable } = require('../dist/nodes/newslink.js') as Record<string, Table>;

const nodes: NodePage[] = [
	{ displayName: 'Link Manager', file: 'link-manager', table: linkTable! },
	{ displayName: 'News Reader', file: 'news-reader', table: readerTable! },
];

const readme = join(root, 'README.md');

/** Every generated file with its content, unformatted. */
function pages(): Map<string, string> {
	const written = new Map(
		nodes.map((node) => [join(root, 'docs/reference', `${node.file}.md`), referencePage(node)]),
	);
	let text = readFileSync(readme, 'utf8');
	for (const node of nodes) {
		const [start, end] = ['start', 'end'].map(
			(edge) => `<!-- operations of ${node.displayName}: ${edge} -->`,
		);
		const [before, after] = [text.split(start!)[0], text.split(end!)[1]];
		if (after === undefined) throw new Error(`README.md lacks the line ${start} or ${end}`);
		text = [before, start, '\n\n', operationList(node), '\n\n', end, after].join('');
	}
	return written.set(readme, text);
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const [file, content] of pages()) {
	const fresh = await format(content, { ...(await resolveConfig(file)), filepath: file });
	const isFresh = existsSync(file) && readFileSync(file, 'utf8') === fresh;
	if (isFresh) continue;
	const name = relative(root, file);
	if (values.check) {
		console.error(`${name} is not what the table of operations says. Run: npm run docs`);
		process.exitCode = 1;
	} else {
		writeFileSync(file, fresh);
		console.log(`Wrote ${name}`);
	}
}
