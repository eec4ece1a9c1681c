/**
 * The build. `dist/` is what the package publishes; `build/` holds the nodes with their descriptions, from which the
 * JSON files in `dist/`, the documentation and some tests are made.
 */
const { build, transform } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { globSync, readFileSync, rmSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { write } = require('./scripts/files.ts');
const { bundledPackages, libraryBuild, licenseNotices } = require('./scripts/libraries.ts');
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
	write('dist/THIRD-PARTY-NOTICES', licenseNotices(bundledPackages(metafile)));
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
		const node = builtNode(built);
		const published = built.replace('build', 'dist/nodes');
		write(published.replace('.node.js', '.description.json'), JSON.stringify(node.description));
		write(published, nodeClass(node));
	}
}

/** A JSON Schema for each operation, where n8n looks for the output of a node of the newest version. */
async function writeSchemas() {
	const tables = builtTables();
	for (const { node, table } of [linkManager, newsReader]) {
		const { defaultVersion, version } = builtNode(`build/${node}/${node}.node.js`).description;
		const folder = join('dist/nodes', node, `__schema__/v${defaultVersion ?? version}.0.0`);
		for (const [resource, operation, row] of rowsOf(tables[table]))
			write(join(folder, resource, `${operation}.json`), JSON.stringify(tables.outputSchema(row)));
	}
}

function builtNode(file) {
	const [NodeClass] = Object.values(require(resolve(file)));
	return new NodeClass();
}

function* rowsOf(table) {
	for (const [resource, { operations }] of Object.entries(table)) {
		for (const [operation, row] of Object.entries(operations)) yield [resource, operation, row];
	}
}

/** A package for each service, in `build/packages`. */
const buildSinglePackages = () => writeSinglePackages(bundleOptions);

/**
 * Indents the code with tabs, as the sources are, and removes esbuild's comments with file names from the package of
 * both services: together 3 % of its size. The comments stay in the packages of one service, whose tests read them.
 */
async function compactCode() {
	for (const file of globSync('{dist,build/packages/*/dist}/{nodes,credentials}/*.js')) {
		const code = readFileSync(file, 'utf8');
		const indented = code.replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));
		const compact = file.startsWith('dist') ? indented.replace(/^\/\/ \S+\.(?:ts|json)\n/gm, '') : indented;
		const [before, after] = await Promise.all([code, compact].map(withoutBlanks));
		if (before !== after)
			throw new Error(`${file} has a text with an indented line: make it with [first, second].join('\\n')`);
		write(file, compact);
	}
}

/** The code without comments, and without blanks that have no effect. */
const withoutBlanks = async (code) => (await transform(code, { minifyWhitespace: true })).code;

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
