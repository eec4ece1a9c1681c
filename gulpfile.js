/**
 * The build. `dist/` is what the package publishes; `build/` holds the nodes with their descriptions, from which the
 * JSON files in `dist/`, the documentation and some tests are made.
 */
const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { globSync, readFileSync, rmSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { write } = require('./scripts/files.ts');
const { bundledPackages, libraryBuild, noticesOf } = require('./scripts/libraries.ts');
const { nodeClass } = require('./scripts/node-class.ts');
const { builtTables, linkManager, newsReader } = require('./scripts/services.ts');
const { writeSinglePackages } = require('./scripts/single-packages.ts');

const bundleOptions = {
	bundle: true,
	external: ['n8n-workflow', './libraries/*'],
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	charset: 'utf8',
	// Line breaks and names stay, so that stack traces are readable.
	minifySyntax: true,
};

const removeOutput = async () =>
	['dist', 'build'].forEach((folder) => rmSync(folder, { recursive: true, force: true }));

/** The nodes as their sources describe them, and the tables of operations. */
const buildDescriptions = () =>
	build({
		...bundleOptions,
		entryPoints: ['nodes/tables.ts', ...globSync('nodes/*/*.node.ts')],
		outdir: 'build',
	});

/** The code of all nodes in one file, which n8n loads when it first runs one of them. */
const bundleCode = () =>
	build({ ...bundleOptions, entryPoints: ['nodes/newslink.ts'], outdir: 'dist/nodes' });

const bundleCredentials = () =>
	build({ ...bundleOptions, entryPoints: ['credentials/*.ts'], outdir: 'dist/credentials' });

/** The bundled libraries, one file each, and their licenses. */
async function bundleLibraries() {
	const { metafile } = await build(libraryBuild);
	write('dist/THIRD-PARTY-NOTICES', noticesOf(bundledPackages(metafile)));
}

const copyIcons = () =>
	src(['nodes/**/*.svg', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(dest('dist'));

/** Copies the search data that n8n's node panel uses. */
const copySearchData = async () =>
	globSync('nodes/*/*.node.json').forEach((file) =>
		write(join('dist', file), JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))),
	);

/** What n8n loads when it starts: for each node its description as JSON, and a small class. */
async function writeNodeClasses() {
	for (const built of globSync('build/*/*.node.js')) {
		const [NodeClass] = Object.values(require(resolve(built)));
		const node = new NodeClass();
		const published = built.replace('build', 'dist/nodes');
		write(published.replace('.node.js', '.description.json'), JSON.stringify(node.description));
		write(published, nodeClass(node));
	}
}

/** A JSON Schema for each operation, at the path where n8n's editor looks for a node's output: under its current version. */
async function writeSchemas() {
	const tables = builtTables();
	for (const { node, table } of [linkManager, newsReader]) {
		for (const [resource, operation, row] of rowsOf(tables[table])) {
			const file = join('dist/nodes', node, '__schema__/v1.0.0', resource, `${operation}.json`);
			write(file, JSON.stringify(tables.outputSchema(row)));
		}
	}
}

function* rowsOf(table) {
	for (const [resource, { operations }] of Object.entries(table)) {
		for (const [operation, row] of Object.entries(operations)) yield [resource, operation, row];
	}
}

/** A package for each service, in `build/packages`. */
const buildSinglePackages = () => writeSinglePackages(bundleOptions);

/** Indents the code with tabs, as the sources are: esbuild's spaces are 2 % of the package. */
async function indentWithTabs() {
	for (const file of globSync('{dist,build/packages/*/dist}/{nodes,credentials}/*.js')) {
		const code = readFileSync(file, 'utf8');
		const indented = code.replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));
		write(file, indented);
	}
}

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
	indentWithTabs,
);
