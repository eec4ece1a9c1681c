/** Writes the `dist` folder of a package: what n8n loads. */
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type { INodeType } from 'n8n-workflow';
import { licenseNotices } from './licenses.ts';
import { builtTables, services } from './services.ts';
import type { Table } from '../nodes/runtime/table/operation';

const require = createRequire(import.meta.url);

/** The part of a package.json that the build reads. */
export interface Manifest {
	name: string;
	/** Paths of the files that n8n loads, such as `dist/nodes/LinkManager/LinkManager.node.js`. */
	n8n: { nodes: string[]; credentials: string[] };
}

/**
 * @param folder the package's folder
 * @param entry the file that exports the methods of each node under the node's name
 */
export async function writeDist(folder: string, { name, n8n }: Manifest, entry: string): Promise<void> {
	await bundle(folder, n8n.credentials, entry);
	for (const file of n8n.nodes) writeNode(join(folder, file), name);
}

/** Bundles the credentials and the code of all nodes with the libraries they use. */
async function bundle(folder: string, credentials: string[], entry: string): Promise<void> {
	const options: BuildOptions = {
		bundle: true,
		external: ['n8n-workflow'],
		platform: 'node',
		target: 'node20',
		charset: 'utf8',
		// Shortens branches and declarations, but keeps names and white space, so that people can read the code.
		minifySyntax: true,
		// n8n's verification allows no console in published code; nobody would see a library's warnings.
		drop: ['console'],
		// THIRD-PARTY-NOTICES has the license comments.
		legalComments: 'none',
		plugins: [withManifestOf(folder), withoutUnusedEntities],
	};
	await build({
		...options,
		entryPoints: credentials.map((file) => file.replace('dist/', '').replace('.js', '.ts')),
		outdir: join(folder, 'dist/credentials'),
	});
	const { metafile } = await build({
		...options,
		entryPoints: [entry],
		outfile: join(folder, 'dist/nodes/newslink.js'),
		metafile: true,
	});
	const notices = licenseNotices(metafile);
	if (notices) write(join(folder, 'dist/THIRD-PARTY-NOTICES'), notices);
}

/** Resolves package.json to the package's own: the code reads its name and version there. */
const withManifestOf = (folder: string): Plugin => ({
	name: 'manifest-of-package',
	setup: ({ onResolve }) =>
		onResolve({ filter: /\/package\.json$/ }, () => ({ path: resolve(folder, 'package.json') })),
});

/** Omits 60 kB of tables that nobody uses: a nested package.json of the library hides its `sideEffects: false` from esbuild. */
const withoutUnusedEntities: Plugin = {
	name: 'without-unused-entities',
	setup: ({ onResolve }) =>
		onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) =>
			/entities\/lib\/esm/.test(resolveDir)
				? { path: join(resolveDir, path), sideEffects: false }
				: undefined,
		),
};

/**
 * Writes a node next to its bundle: class, description, icons, the data for n8n's node panel, and the output schemas.
 * @param file such as `dist/nodes/LinkManager/LinkManagerTrigger.node.js`
 */
function writeNode(file: string, packageName: string): void {
	const folder = dirname(file);
	const folderName = basename(folder);
	const type = basename(file, '.node.js');
	const node = builtNode(folderName, type);
	write(file, nodeClass(node));
	write(join(folder, `${type}.description.json`), JSON.stringify(node.description));
	for (const icon of globSync(`nodes/${folderName}/*.svg`)) cpSync(icon, join(folder, basename(icon)));
	const codex = JSON.parse(readFileSync(`nodes/${folderName}/${type}.node.json`, 'utf8')) as object;
	const name = `${packageName}.${node.description.name}`;
	write(join(folder, `${type}.node.json`), JSON.stringify({ ...codex, node: name }));
	if (node.execute) writeSchemas(folder, node);
}

/** The node in `build`, from its source. */
function builtNode(folderName: string, type: string): INodeType {
	const classes = require(`../build/${folderName}/${type}.node.js`) as Record<string, new () => INodeType>;
	return new classes[type]!();
}

/** Writes the JSON Schema of each operation's output to the place where n8n looks for the preview of a new node. */
function writeSchemas(folder: string, { constructor, description }: INodeType): void {
	const { outputSchema, ...tables } = builtTables();
	const service = services.find(({ node }) => node === constructor.name)!;
	const table: Table = tables[service.table];
	const { version } = description;
	for (const [resource, { operations }] of Object.entries(table))
		for (const [operation, row] of Object.entries(operations)) {
			const file = join(folder, `__schema__/v${String(version)}.0.0`, resource, `${operation}.json`);
			write(file, JSON.stringify(outputSchema(row)));
		}
}

/**
 * The source of the class that n8n loads when it starts. The class reads the description from the JSON file next to it. Its methods
 * load the code when they are first called: it takes eight times as long to load as the classes of all nodes, and n8n loads these at
 * every start. n8n looks for the methods then, so the class declares each.
 */
function nodeClass({ constructor, description, execute, methods = {} }: INodeType): string {
	const className = constructor.name;
	const lists = Object.entries(methods).map(
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

/** Writes a file; creates its folder. */
export function write(file: string, content: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, content);
}
