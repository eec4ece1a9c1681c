/**
 * The packages with one service: n8n verifies only packages that integrate exactly one. Each has the same node and trigger
 * as the combined package, with the code of its service only.
 */
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { write, type Manifest } from './package-files.ts';
import { linkManager, newsReader, services, type ServiceInfo } from './services.ts';

interface SinglePackage extends ServiceInfo {
	name: string;
	folder: string;
	/** The service in the description. */
	product: string;
	features: string;
	keywords: string[];
}

export const singlePackages: SinglePackage[] = [
	{
		...newsReader,
		name: 'n8n-nodes-newsblur',
		folder: 'build/packages/n8n-nodes-newsblur',
		product: 'NewsBlur, hosted or your own server',
		features: 'feeds, unread stories, saved and shared stories',
		keywords: ['newsblur', 'rss', 'feed reader', 'news reader', 'read later'],
	},
	{
		...linkManager,
		name: 'n8n-nodes-gempixel',
		folder: 'build/packages/n8n-nodes-gempixel',
		product: 'hosts that run GemPixel’s Premium URL Shortener',
		features: 'short links, QR codes, campaigns, branded domains',
		keywords: ['gempixel', 'premium url shortener', 'url shortener', 'short link', 'qr code', 'bio link'],
	},
];

/** The members of the combined package's manifest that the others use. */
export interface CombinedManifest extends Manifest {
	homepage: string;
	[member: string]: unknown;
}

/** Writes the files of a package that are not in `dist`; returns its manifest. */
export function writePackageFiles(single: SinglePackage, combined: CombinedManifest): Manifest {
	const manifest = manifestOf(single, combined);
	write(join(single.folder, 'package.json'), `${JSON.stringify(manifest, null, '  ')}\n`);
	const readme = readFileSync(`docs/packages/${single.name}.md`, 'utf8');
	write(join(single.folder, 'README.md'), withAbsoluteLinks(readme, combined));
	write(join(single.folder, 'CHANGELOG.md'), changelogOf(single));
	cpSync('LICENSE', join(single.folder, 'LICENSE'));
	return manifest;
}

/** The combined package's manifest, reduced to the nodes and credentials of one service. */
function manifestOf(
	{ name, node, product, features, keywords }: SinglePackage,
	combined: CombinedManifest,
): Manifest & Record<string, unknown> {
	const { version, license, author, repository, files, type, engines, peerDependencies, n8n } = combined;
	const isOwn = (file: string): boolean => basename(file).startsWith(node);
	return {
		name,
		version,
		description: `n8n nodes for ${product}: ${features}, with a trigger; independent of the service`,
		keywords: ['n8n-community-node-package', 'n8n', ...keywords],
		license,
		homepage: inRepository(combined, `docs/packages/${name}.md`),
		author,
		repository,
		files,
		type,
		engines,
		n8n: { ...n8n, credentials: n8n.credentials.filter(isOwn), nodes: n8n.nodes.filter(isOwn) },
		peerDependencies,
	};
}

/** Links to other files of the repository lead nowhere in an installed package. */
const withAbsoluteLinks = (page: string, combined: CombinedManifest): string =>
	page
		.replaceAll('](../../', `](${inRepository(combined, '')}`)
		.replaceAll('](../', `](${inRepository(combined, 'docs/')}`);

/** The address of a file in the repository. */
const inRepository = ({ homepage }: CombinedManifest, path: string): string =>
	homepage.replace('#readme', `/blob/main/${path}`);

/** The changelog without the sections about other services, whose titles begin with their names, and about the repository. */
function changelogOf({ node }: SinglePackage): string {
	const others = services.filter((service) => service.node !== node);
	const leftOut = [...others.map(({ displayName }) => displayName), 'In the repository'];
	const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=##)/m);
	return sections.filter((section) => !leftOut.some((title) => section.startsWith(`### ${title}`))).join('');
}
