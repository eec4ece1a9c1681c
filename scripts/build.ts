/**
 * `npm run build`: the combined package in this folder, those with one service in `build/packages`. n8n loads the `dist`
 * folder of a package. The rest of `build` is for this build, the documentation and the tests.
 */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runCommand } from './command.ts';
import { singlePackages, writePackageFiles, type CombinedManifest } from './single-packages.ts';
import { writeDist } from './write-dist.ts';

await runCommand(
	{ name: 'npm run build', description: 'Builds the three packages.', options: {} },
	async () => {
		process.chdir(join(import.meta.dirname, '..'));
		for (const folder of ['dist', 'build']) rmSync(folder, { recursive: true, force: true });
		await buildDescriptions();
		const combined = JSON.parse(readFileSync('package.json', 'utf8')) as CombinedManifest;
		await writeDist('.', combined, 'nodes/newslink.ts');
		for (const single of singlePackages) {
			// Comes first: the bundle contains the name and version of this package.json.
			const manifest = writePackageFiles(single, combined);
			await writeDist(single.folder, manifest, `nodes/${single.node}/implementation.ts`);
		}
	},
);

/** Makes JavaScript of the tables of operations, and of the nodes with their descriptions. */
async function buildDescriptions(): Promise<void> {
	await build({
		entryPoints: ['nodes/tables.ts', ...globSync('nodes/*/*.node.ts')],
		outdir: 'build',
		bundle: true,
		packages: 'external',
		platform: 'node',
	});
}
