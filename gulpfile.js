const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');
const { format, resolveConfig } = require('prettier');
const { bundledPackages, libraryBuild, noticesOf } = require('./scripts/libraries.ts');
const { nodeClass } = require('./scripts/nodeClass.ts');

const clean = async () => rmSync('dist', { recursive: true, force: true });

const readable = { platform: 'node', target: 'node20', format: 'cjs', charset: 'utf8' };

/** The one bundle; the nodes beside it first with all that their descriptions follow from. */
async function bundle() {
	await build({
		...readable,
		entryPoints: ['nodes/newslink.ts', ...globSync('nodes/*/*.node.ts')],
		outdir: 'dist/nodes',
		bundle: true,
		external: ['n8n-workflow', './libraries/*'],
		// Of its comments esbuild keeps some, wherever they happen to stand: those of the sources are for their readers.
		minifyWhitespace: true,
	});
	const file = 'dist/nodes/newslink.js';
	// Formatted as the sources are, in longer lines: esbuild's indentation would be a twentieth of the file.
	const style = { ...(await resolveConfig(file)), printWidth: 160, filepath: file };
	writeFileSync(file, await format(readFileSync(file, 'utf8'), style));
}

const credentials = () =>
	build({ ...readable, entryPoints: ['credentials/*.ts'], outdir: 'dist/credentials' });

async function libraries() {
	const { metafile } = await build(libraryBuild);
	writeFileSync('dist/THIRD-PARTY-NOTICES', noticesOf(bundledPackages(metafile)));
}

/** Icons and codex files stand beside the code that they belong to. */
const assets = () =>
	src(['nodes/**/*.{svg,node.json}', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

/** Replaces the nodes by what n8n needs of them when it starts: a description each, and a class without code. */
async function nodes() {
	for (const file of globSync('dist/nodes/*/*.node.js')) {
		const [Node] = Object.values(require(resolve(file)));
		const node = new Node();
		writeFileSync(file.replace('.node.js', '.description.json'), JSON.stringify(node.description));
		writeFileSync(file, nodeClass(node));
	}
}

/** One JSON Schema per operation, where n8n looks for the preview of a node's output. */
async function schemas() {
	const { linkTable, outputSchema, readerTable } = require('./dist/nodes/newslink.js');
	for (const [node, table] of [
		['LinkManager', linkTable],
		['NewsReader', readerTable],
	]) {
		for (const [name, resource] of Object.entries(table)) {
			for (const [operation, row] of Object.entries(resource.operations)) {
				const file = join('dist/nodes', node, '__schema__/v1.0.0', name, `${operation}.json`);
				mkdirSync(dirname(file), { recursive: true });
				writeFileSync(file, JSON.stringify(outputSchema(row, resource)));
			}
		}
	}
}

exports.build = series(clean, parallel(series(bundle, nodes, schemas), libraries, credentials, assets));
