/** The licenses of the libraries that are bundled into a package, because n8n's verification allows no runtime dependencies. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LibraryManifest {
	name: string;
	version: string;
	license: string;
	author?: string | { name: string };
}

/** The folders of the packages to which files belong. */
function packagesOf(files: string[]): string[] {
	const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
	return [...new Set(folders)].sort();
}

/** The license notices of the packages to which the bundled files belong; undefined if there are none. */
export function licenseNotices(bundled: string[]): string | undefined {
	const folders = packagesOf(bundled);
	if (folders.length === 0) return undefined;
	const notices = folders.map((folder) => {
		const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as LibraryManifest;
		const license = readLicenseFile(folder) ?? licenseFromManifest(manifest);
		return `${manifest.name} ${manifest.version}\n\n${license}`;
	});
	return ['This package contains third-party code under the following licenses.', ...notices].join(
		`\n\n${'-'.repeat(80)}\n\n`,
	);
}

function readLicenseFile(folder: string): string | undefined {
	const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
	return file && readFileSync(join(folder, file), 'utf8').trim();
}

/** The license notice of a package without a license file. */
function licenseFromManifest({ name, license, author }: LibraryManifest): string {
	const holder = typeof author === 'object' ? author.name : author;
	if (!license || !holder) throw new Error(`${name} says nothing about its license or its author`);
	return `License: ${license}\n\nAuthor: ${holder}`;
}
