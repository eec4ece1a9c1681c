const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');
const { format, resolveConfig } = require('prettier');
const { withoutEditorTexts } = require('./scripts/editorTexts.ts');
const { bundledPackages, libraryBuild, noticesOf } = require('./scripts/libraries.ts');
const { nodeClass } = require('./scripts/nodeClass.ts');
const { packed } = require('./scripts/packed.ts');

const clean = async () =>
	['dist', 'build'].forEach((folder) => rmSync(folder, { recursive: true, force: true }));

const readable = { platform: 'node', target: 'node20', format: 'cjs', charset: 'utf8' };

const inOneFile = { ...readable, bundle: true, external: ['n8n-workflow', './libraries/*'] };

/** The nodes and their tables whole: what the descriptions, the schemas and the documentation follow from. */
const whole = () =>
	build({
		...inOneFile,
		entryPoints: ['nodes/tables.ts', ...globSync('nodes/*/*.node.ts')],
		outdir: 'build',
	});

/** What is published of the sources. Of their comments esbuild keeps some, wherever they happen to stand: they are for the sources' readers. */
async function published(options) {
	const { metafile } = await build({
		...inOneFile,
		minifyWhitespace: true,
		metafile: true,
		...options,
	});
	for (const file of Object.keys(metafile.outputs)) {
		// Formatted as the sources are, but tighter: esbuild's indentation would be a twentieth of the bundle.
		const style = {
			...(await resolveConfig(file)),
			printWidth: 240,
			trailingComma: 'none',
			arrowParens: 'avoid',
			bracketSpacing: false,
			semi: false,
			filepath: file,
		};
		writeFileSync(file, await format(readFileSync(file, 'utf8'), style));
	}
}

/** The one bundle of the code that runs. */
const bundle = () =>
	published({ entryPoints: ['nodes/newslink.ts'], outdir: 'dist/nodes', plugins: [withoutEditorTexts] });

/** The classes of the credentials, and once what they share. */
const credentials = () =>
	Promise.all([
		published({
			entryPoints: ['credentials/*.ts'],
			outdir: 'dist/credentials',
			external: ['n8n-workflow', '../nodes/credential'],
		}),
		published({ entryPoints: ['nodes/credential.ts'], outdir: 'dist/nodes' }),
	]);

async function libraries() {
	const { metafile } = await build(libraryBuild);
	writeFileSync('dist/THIRD-PARTY-NOTICES', noticesOf(bundledPackages(metafile)));
}

/** Icons stand beside the code that they belong to. */
const icons = () =>
	src(['nodes/**/*.svg', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(dest('dist'));

/** And so does what n8n's panel finds the nodes by. */
async function codices() {
	for (const file of globSync('nodes/*/*.node.json')) {
		mkdirSync(dirname(join('dist', file)), { recursive: true });
		writeFileSync(join('dist', file), JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
	}
}

/** What n8n needs of the nodes when it starts: a description each, and a class without code. */
async function nodes() {
	for (const built of globSync('build/*/*.node.js')) {
		const [Node] = Object.values(require(resolve(built)));
		const node = new Node();
		const file = built.replace('build', 'dist/nodes');
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file.replace('.node.js', '.description.json'), JSON.stringify(packed(node.description)));
		writeFileSync(file, nodeClass(node));
	}
}

/** One JSON Schema per operation, where n8n's editor looks for the preview of a node's output: under its current version. */
async function schemas() {
	const { linkTable, outputSchema, readerTable } = require('./build/tables.js');
	for (const [node, table] of [
		['LinkManager', linkTable],
		['NewsReader', readerTable],
	]) {
		for (const [name, resource] of Object.entries(table)) {
			for (const [operation, row] of Object.entries(resource.operations)) {
				const file = join('dist/nodes', node, '__schema__/v1.1.0', name, `${operation}.json`);
				mkdirSync(dirname(file), { recursive: true });
				writeFileSync(file, JSON.stringify(outputSchema(row)));
			}
		}
	}
}

/** What the classes read their descriptions with. */
const descriptions = () =>
	build({ ...readable, entryPoints: ['nodes/description.ts'], outdir: 'dist/nodes' });

exports.build = series(
	clean,
	parallel(series(whole, nodes, schemas), bundle, descriptions, libraries, credentials, icons, codices),
);
