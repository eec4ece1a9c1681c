// @ts-check
/**
 * The build. `dist/` is published. `build/` contains the packages with one service, and the nodes with their descriptions,
 * from which the JSON files in `dist/`, the documentation and some tests are made.
 */
const { build, transform } = require('esbuild');
const { parallel, series } = require('gulp');
const { globSync, readFileSync, rmSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { copy, write } = require('./scripts/files.ts');
const { bundledPackages, libraryBuild, licenseNotices } = require('./scripts/libraries.ts');
const { nodeClass } = require('./scripts/node-class.ts');
const { builtTables, linkManager, newsReader } = require('./scripts/services.ts');
const { writeSinglePackages } = require('./scripts/single-packages.ts');

/** @satisfies {import('esbuild').BuildOptions} */
const bundleOptions = {
	bundle: true,
	external: ['n8n-workflow', './libraries/*'],
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	charset: 'utf8',
	// Keeps line breaks and names, so that stack traces are readable.
	minifySyntax: true,
};

const removeOutput = async () =>
	['dist', 'build'].forEach((folder) => rmSync(folder, { recursive: true, force: true }));

/** Bundles the nodes with their descriptions, and the tables of operations. */
const buildDescriptions = () =>
	build({
		...bundleOptions,
		entryPoints: ['nodes/tables.ts', ...globSync('nodes/*/*.node.ts')],
		outdir: 'build',
	});

/** Bundles the code of all nodes into one file, which n8n loads when it first runs one of them. */
const bundleCode = () =>
	build({ ...bundleOptions, entryPoints: ['nodes/newslink.ts'], outdir: 'dist/nodes' });

const bundleCredentials = () =>
	build({ ...bundleOptions, entryPoints: ['credentials/*.ts'], outdir: 'dist/credentials' });

/** Builds one file for each bundled library, and the notices of their licenses. */
async function bundleLibraries() {
	const { metafile } = await build(libraryBuild);
	write('dist/THIRD-PARTY-NOTICES', licenseNotices(bundledPackages(metafile)));
}

const copyIcons = async () =>
	globSync('{nodes,credentials}/**/*.svg').forEach((file) => copy(file, join('dist', file)));

/** Copies the search data that n8n's node panel uses. */
const copySearchData = async () =>
	globSync('nodes/*/*.node.json').forEach((file) =>
		write(join('dist', file), JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))),
	);

/** Writes what n8n loads when it starts: for each node, its description as JSON and a small class. */
async function writeNodeClasses() {
	for (const built of globSync('build/*/*.node.js')) {
		const node = builtNode(built);
		const published = built.replace('build', 'dist/nodes');
		write(published.replace('.node.js', '.description.json'), JSON.stringify(node.description));
		write(published, nodeClass(node));
	}
}

/** Writes the JSON Schema of each operation's output to the place where n8n looks for the preview of a new node. */
async function writeSchemas() {
	const tables = builtTables();
	for (const { node, table } of [linkManager, newsReader]) {
		const { defaultVersion, version } = builtNode(`build/${node}/${node}.node.js`).description;
		const folder = join('dist/nodes', node, `__schema__/v${defaultVersion ?? version}.0.0`);
		for (const { resource, operation, row } of rowsOf(tables[table]))
			write(join(folder, resource, `${operation}.json`), JSON.stringify(tables.outputSchema(row)));
	}
}

/**
 * @param {string} file
 * @returns {import('n8n-workflow').INodeType}
 */
function builtNode(file) {
	const [NodeClass] = Object.values(require(resolve(file)));
	return new NodeClass();
}

/** @param {import('./nodes/runtime/table/operation.ts').Table} table */
function* rowsOf(table) {
	for (const [resource, { operations }] of Object.entries(table)) {
		for (const [operation, row] of Object.entries(operations)) yield { resource, operation, row };
	}
}

/** Writes a package for each service to `build/packages`. */
const buildSinglePackages = () => writeSinglePackages(bundleOptions);

/**
 * Keeps the package of both services below 900 kB, the limit in test/load/published.test.ts. Indents its code with tabs,
 * and removes the comments in which esbuild names the source files. Unlike esbuild's `minifyWhitespace`, it keeps the lines, so that
 * stack traces are readable.
 */
async function compactCode() {
	for (const file of globSync('dist/{nodes,credentials}/*.js')) {
		const code = readFileSync(file, 'utf8');
		const compact = code
			.replace(/^\/\/ \S+\.(?:ts|json)\n/gm, '')
			.replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));
		if ((await minified(code)) !== (await minified(compact)))
			throw new Error(`${file} has a text with an indented line: make it with [first, second].join('\\n')`);
		write(file, compact);
	}
}

/** @param {string} code */
const minified = async (code) => (await transform(code, { minifyWhitespace: true })).code;

exports.build = series(
	removeOutput,
	parallel(
		series(buildDescriptions, writeNodeClasses, writeSchemas),
		bundleCode,
		bundleCredentials,
		bundleLibraries,
		copyIcons,
		copySearchData,
	),
	buildSinglePackages,
	compactCode,
);
