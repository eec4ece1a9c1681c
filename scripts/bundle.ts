import { join, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { licenseNotices } from './licenses.ts';
import { write } from './package-files.ts';

/** Bundles the credentials and the code of all nodes with the libraries they use. */
export async function bundle(folder: string, credentials: string[], entry: string): Promise<void> {
	const options = {
		bundle: true,
		external: ['n8n-workflow'],
		platform: 'node',
		target: 'node20',
		charset: 'utf8',
		// Shortens statements: without this, the package is larger than `test/load/published.test.ts` allows. Names and white
		// space stay, so that people can read the code.
		minifySyntax: true,
		// n8n's verification allows no console in published code; nobody would see a library's warnings.
		drop: ['console'],
		// THIRD-PARTY-NOTICES has the licenses.
		legalComments: 'none',
		plugins: [withManifestOf(folder), withoutUnusedEntities],
		metafile: true,
	} satisfies BuildOptions;
	const forCredentials = await build({
		...options,
		entryPoints: credentials.map((file) => file.replace('dist/', '').replace('.js', '.ts')),
		outdir: join(folder, 'dist/credentials'),
	});
	const forNodes = await build({
		...options,
		entryPoints: [entry],
		outfile: join(folder, 'dist/nodes/newslink.js'),
	});
	const bundled = bundledFiles([forCredentials, forNodes]);
	// For the tests; npm does not publish it.
	write(join(folder, 'build/bundled-files.json'), JSON.stringify(bundled));
	const notices = licenseNotices(bundled);
	if (notices) write(join(folder, 'dist/THIRD-PARTY-NOTICES'), notices);
}

/** The source files with code in these bundles, by their paths. */
const bundledFiles = (builds: Array<{ metafile: Metafile }>): string[] =>
	builds
		.flatMap(({ metafile }) => Object.values(metafile.outputs))
		.flatMap(({ inputs }) => Object.entries(inputs))
		.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));

/** Resolves package.json to the package's own: the code reads its name and version there. */
const withManifestOf = (folder: string): Plugin => ({
	name: 'manifest-of-package',
	setup: ({ onResolve }) =>
		onResolve({ filter: /\/package\.json$/ }, () => ({ path: resolve(folder, 'package.json') })),
});

/**
 * Omits 70 kB of tables that nobody uses, of entities 4 (for dom-serializer): its nested package.json hides
 * `sideEffects: false` from esbuild. With them, the package is larger than `test/load/published.test.ts` allows.
 */
const withoutUnusedEntities: Plugin = {
	name: 'without-unused-entities',
	setup: ({ onResolve }) =>
		onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) =>
			/entities\/lib\/esm/.test(resolveDir)
				? { path: join(resolveDir, path), sideEffects: false }
				: undefined,
		),
};
