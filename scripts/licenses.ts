/** The licenses of the libraries that are bundled into a package, because n8n's verification allows no runtime dependencies. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface Manifest {
	name: string;
	version: string;
	license: string;
	author?: string | { name: string };
}

/** The folders of all packages with code in the bundle. */
function bundledPackages({ outputs }: Metafile): string[] {
	const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
	const folders = files
		.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
		.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
	return [...new Set(folders)].sort();
}

/** The license notices of the bundled packages; undefined if there are none. Packages with the same license text share one. */
export function licenseNotices(bundle: Metafile): string | undefined {
	const folders = bundledPackages(bundle);
	if (folders.length === 0) return undefined;
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
