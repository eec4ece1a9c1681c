/** The libraries that travel inside the package: n8n's verification allows no runtime dependencies. */
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
			const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolving' });
			return /node_modules[/\\]entities[/\\]/.test(found.path) ? { ...found, sideEffects: false } : found;
		}),
};

/** `is-unsafe` refers to patterns for every language, so esbuild can't drop any. Only those for markup are needed. */
const patternsOfMarkupOnly: Plugin = {
	name: 'patterns-of-markup-only',
	setup: ({ onLoad }) =>
		onLoad({ filter: /is-unsafe[/\\]src[/\\]contexts[/\\](log|nosql|redos|shell|sql|svg)/ }, () => ({
			contents: 'export default []',
		})),
};

/** How each library becomes a file of `dist/nodes/libraries`, which is loaded when it is first used. */
export const libraryBuild: BuildOptions = {
	entryPoints: ['vendor/libraries/*.ts'],
	outdir: 'dist/nodes/libraries',
	bundle: true,
	minify: true,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	charset: 'utf8',
	// The notices say it for all of them.
	legalComments: 'none',
	// n8n's verification allows no console in published code; nobody would see a library's warnings.
	drop: ['console'],
	metafile: true,
	plugins: [entitiesWithoutSideEffects, patternsOfMarkupOnly],
};

interface Manifest {
	name: string;
	version: string;
	license: string;
	author?: string | { name: string };
}

/** The folders of the packages that something was bundled of. */
export function bundledPackages({ outputs }: Metafile): string[] {
	const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
	const folders = files
		.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
		.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
	return [...new Set(folders)].sort();
}

/** The license notices of the bundled packages: each with its copyright, and the words that several share once. */
export function noticesOf(folders: string[]): string {
	const holdersByWords = new Map<string, string[]>();
	for (const folder of folders) {
		const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
		const { words, copyright } = partsOf(licenseIn(folder) ?? statedLicense(manifest));
		const holder = `${manifest.name} ${manifest.version}\n${copyright}`;
		holdersByWords.set(words, [...(holdersByWords.get(words) ?? []), holder]);
	}
	const notices = [...holdersByWords].map(([words, holders]) => [...holders, words].join('\n\n'));
	return ['This package contains third-party code under the following licenses.', ...notices].join(
		`\n\n${'-'.repeat(80)}\n\n`,
	);
}

/** Whose a license is, and its words in one line a paragraph, without the name of the license. */
function partsOf(license: string): { words: string; copyright: string } {
	const paragraphs = license.split(/\n\s*\n/).map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
	const isCopyright = (paragraph: string): boolean => /^(Portions )?Copyright\b|^Author:/.test(paragraph);
	const isTitle = (paragraph: string): boolean => /^(The )?MIT License( \(MIT\))?$/.test(paragraph);
	return {
		copyright: paragraphs.filter(isCopyright).join('\n'),
		words: paragraphs.filter((paragraph) => !isCopyright(paragraph) && !isTitle(paragraph)).join('\n\n'),
	};
}

function licenseIn(folder: string): string | undefined {
	const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
	return file && readFileSync(join(folder, file), 'utf8').trim();
}

/** The license notice of a package without a license file. */
function statedLicense({ name, license, author }: Manifest): string {
	const holder = typeof author === 'object' ? author.name : author;
	if (!license || !holder) throw new Error(`${name} says nothing about its license or its author`);
	return `License: ${license}\n\nAuthor: ${holder}`;
}
