// @ts-check
/**
 * The build of the three packages: the combined one in this folder, those with one service in `build/packages`. n8n loads the
 * `dist` folder of a package. The rest of `build` is for this build, the documentation and the tests.
 */
const { build } = require('esbuild');
const { globSync, rmSync } = require('node:fs');
const { singlePackages, writeDocuments } = require('./scripts/single-packages.ts');
const { writeDist } = require('./scripts/write-dist.ts');

exports.build = async () => {
	for (const folder of ['dist', 'build']) rmSync(folder, { recursive: true, force: true });
	await buildDescriptions();
	await writeDist('.', "export * from './newslink';");
	for (const single of singlePackages) {
		writeDocuments(single);
		await writeDist(single.folder, single.entry);
	}
};

/** Makes JavaScript of the tables of operations, and of the nodes with their descriptions. */
const buildDescriptions = () =>
	build({
		entryPoints: ['nodes/tables.ts', ...globSync('nodes/*/*.node.ts')],
		outdir: 'build',
		bundle: true,
		packages: 'external',
		platform: 'node',
	});
