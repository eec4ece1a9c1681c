/** Bundles libraries into the package, because n8n's verification allows no runtime dependencies. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';

/**
 * entities has a nested package.json that hides its `sideEffects: false` from esbuild. Without this plugin, unused
 * tables would be a third of html-to-text.
 */
const entitiesWithoutSideEffects: Plugin = {
	name: 'entities-without-side-effects',
	setup: ({ onResolve, resolve }) =>
		onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
			if (kind !== 'import-statement' || pluginData === 'resolving') return undefined;
			const resolved = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolving' });
			return /node_modules[/\\]entities[/\\]/.test(resolved.path)
				? { ...resolved, sideEffects: false }
				: resolved;
		}),
};

/** `is-unsafe` refers to patterns for every language, so esbuild can't drop any. Only those for markup are needed. */
const onlyMarkupPatterns: Plugin = {
	name: 'patterns-of-markup-only',
	setup: ({ onLoad }) =>
		onLoad({ filter: /is-unsafe[/\\]src[/\\]contexts[/\\](log|nosql|redos|shell|sql|svg)/ }, () => ({
			contents: 'export default []',
		})),
};

/** Builds each library as a file in `dist/nodes/libraries`, which is loaded on first use. */
export const libraryBuild = {
	entryPoints: ['vendor/libraries/*.ts'],
	outdir: 'dist/nodes/libraries',
	bundle: true,
	minify: true,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	charset: 'utf8',
	// THIRD-PARTY-NOTICES has the license comments.
	legalComments: 'none',
	// n8n's verification allows no console in published code; nobody would see a library's warnings.
	drop: ['console'],
	metafile: true,
	plugins: [entitiesWithoutSideEffects, onlyMarkupPatterns],
} satisfies BuildOptions;

interface Manifest {
	name: string;
	version: string;
	license: string;
	author?: string | { name: string };
}

/** The folders of all packages with code in the bundle. */
export function bundledPackages({ outputs }: Metafile): string[] {
	const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
	const folders = files
		.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
		.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
	return [...new Set(folders)].sort();
}

/** The license notices of the bundled packages. Packages with the same license text share one notice. */
export function licenseNotices(folders: string[]): string {
	const holdersByText = new Map<string, string[]>();
	for (const folder of folders) {
		const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
		const { text, copyright } = splitLicense(readLicenseFile(folder) ?? licenseFromManifest(manifest));
		const holder = `${manifest.name} ${manifest.version}\n${copyright}`;
		holdersByText.set(text, [...(holdersByText.get(text) ?? []), holder]);
	}
	const notices = [...holdersByText].map(([text, holders]) => [...holders, text].join('\n\n'));
	return ['This package contains third-party code under the following licenses.', ...notices].join(
		`\n\n${'-'.repeat(80)}\n\n`,
	);
}

/** Splits a license into its copyright lines and its text: one line per paragraph, without the title. */
function splitLicense(license: string): { text: string; copyright: string } {
	const paragraphs = license.split(/\n\s*\n/).map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
	const isCopyright = (paragraph: string): boolean => /^(Portions )?Copyright\b|^Author:/.test(paragraph);
	const isTitle = (paragraph: string): boolean => /^(The )?MIT License( \(MIT\))?$/.test(paragraph);
	return {
		copyright: paragraphs.filter(isCopyright).join('\n'),
		text: paragraphs.filter((paragraph) => !isCopyright(paragraph) && !isTitle(paragraph)).join('\n\n'),
	};
}

function readLicenseFile(folder: string): string | undefined {
	const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
	return file && readFileSync(join(folder, file), 'utf8').trim();
}

/** The license notice of a package without a license file. */
function licenseFromManifest({ name, license, author }: Manifest): string {
	const holder = typeof author === 'object' ? author.name : author;
	if (!license || !holder) throw new Error(`${name} says nothing about its license or its author`);
	return `License: ${license}\n\nAuthor: ${holder}`;
}
