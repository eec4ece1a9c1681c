const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

/** Icons and codex files stand beside the code that they belong to. */
const assets = () =>
	src(['nodes/**/*.{svg,node.json}', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

/** One JSON Schema per operation, where n8n looks for the preview of a node's output. */
async function schemas() {
	const { outputSchema } = require('./dist/nodes/runtime/description/outputSchema.js');
	for (const node of ['LinkManager', 'NewsReader']) {
		const { table } = require(`./dist/nodes/${node}/resources/index.js`);
		for (const [resource, { operations }] of Object.entries(table)) {
			for (const [operation, row] of Object.entries(operations)) {
				const file = join('dist/nodes', node, '__schema__/v1.0.0', resource, `${operation}.json`);
				mkdirSync(dirname(file), { recursive: true });
				writeFileSync(file, JSON.stringify(outputSchema(row)));
			}
		}
	}
}

/** Libraries travel inside the package: n8n's verification allows no runtime dependencies. */
const vendor = () =>
	build({
		entryPoints: ['vendor/html.ts', 'vendor/xml.ts'],
		outdir: 'dist/vendor',
		bundle: true,
		minify: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		legalComments: 'inline',
		// n8n's verification allows no console in what is published; a library's warnings would reach nobody.
		drop: ['console'],
	});

exports.build = series(vendor, parallel(assets, schemas));
