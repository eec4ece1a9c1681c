/** Writes the `dist` folder of a package: what n8n loads. */
import { basename, dirname, join } from 'node:path';
import { cpSync, globSync, readFileSync } from 'node:fs';
import type { INodeType } from 'n8n-workflow';
import { builtNode, builtTables } from './built.ts';
import { bundle } from './bundle.ts';
import { write, type Manifest } from './package-files.ts';
import { services } from './services.ts';
import type { Table } from '../nodes/runtime/table/operation';

/**
 * @param folder the package's folder
 * @param entry the file that exports the methods of each node under the node's name
 */
export async function writeDist(folder: string, { name, n8n }: Manifest, entry: string): Promise<void> {
	await bundle(folder, n8n.credentials, entry);
	for (const file of n8n.nodes) writeNode(join(folder, file), name);
}

/**
 * Writes a node: class, description, icons, the data for n8n's node panel, and the output schemas.
 * @param file such as `dist/nodes/LinkManager/LinkManagerTrigger.node.js`
 */
function writeNode(file: string, packageName: string): void {
	const folder = dirname(file);
	const folderName = basename(folder);
	const type = basename(file, '.node.js');
	const node = builtNode(folderName, type);
	write(file, nodeClass(type, node));
	write(join(folder, `${type}.description.json`), JSON.stringify(node.description));
	for (const icon of globSync(`nodes/${folderName}/*.svg`)) cpSync(icon, join(folder, basename(icon)));
	const codex = JSON.parse(readFileSync(`nodes/${folderName}/${type}.node.json`, 'utf8')) as object;
	const name = `${packageName}.${node.description.name}`;
	write(join(folder, `${type}.node.json`), JSON.stringify({ ...codex, node: name }));
	if (node.execute) writeSchemas(folder, folderName, node);
}

/** Writes the JSON Schema of each operation's output to the place where n8n looks for the preview of a new node. */
function writeSchemas(folder: string, folderName: string, { description }: INodeType): void {
	const { outputSchema, ...tables } = builtTables();
	const service = services.find(({ node }) => node === folderName)!;
	const table: Table = tables[service.table];
	const { version, defaultVersion = version } = description;
	for (const [resource, { operations }] of Object.entries(table))
		for (const [operation, row] of Object.entries(operations)) {
			const file = join(folder, `__schema__/v${String(defaultVersion)}.0.0`, resource, `${operation}.json`);
			write(file, JSON.stringify(outputSchema(row)));
		}
}

/**
 * The source of the class that n8n loads at every start. The class reads the description from the JSON file next to it.
 * Its methods load the code, which takes much longer to load, when they are first called. n8n looks for the methods at its
 * start, so the class declares each.
 */
function nodeClass(className: string, { description, execute, methods }: INodeType): string {
	const lists = Object.entries(methods!).map(
		([kind, functions]) => `		${kind}: {
${Object.keys(functions)
	.map((list) => `			${list}${body(`methods.${kind}.${list}`)},`)
	.join('\n')}
		},`,
	);
	const run = execute ? 'execute' : 'poll';
	return `'use strict';
const description = require('./${className}.description.json');

const code = () => require('../newslink.js').${description.name};

exports.${className} = class ${className} {
	// A copy, because n8n adds properties to it.
	description = { ...description, properties: [...description.properties] };

	methods = {
${lists.join('\n')}
	};

	${run}${body(run)}
};
`;
}

/** The parameters and body of a method that calls the function at this path of the code. */
const body = (path: string): string => `(...args) { return code().${path}.apply(this, args); }`;
