/**
 * The packages with one service: n8n verifies only packages that integrate exactly one. Each has the same node and trigger
 * as the combined package, with the code of its service only.
 */
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { linkManager, newsReader, services, type ServiceInfo } from './services.ts';
import { write, type Manifest } from './write-dist.ts';

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
	write(join(single.folder, 'README.md'), withAbsoluteLinks(readme, combined.homepage));
	write(join(single.folder, 'CHANGELOG.md'), changelogOf(single));
	cpSync('LICENSE', join(single.folder, 'LICENSE'));
	return manifest;
}

/** The combined package's manifest, reduced to the nodes and credentials of one service. */
function manifestOf(
	{ name, node, product, features, keywords }: SinglePackage,
	combined: CombinedManifest,
): Manifest & Record<string, unknown> {
	const { version, license, homepage, author, repository, type, engines, peerDependencies, n8n } = combined;
	const isOwn = (file: string): boolean => basename(file).startsWith(node);
	return {
		name,
		version,
		description: `n8n nodes for ${product}: ${features}, with a trigger; independent of the service`,
		keywords: ['n8n-community-node-package', 'n8n', ...keywords],
		license,
		homepage: homepage.replace('#readme', `/blob/main/docs/packages/${name}.md`),
		author,
		repository,
		files: ['dist', 'CHANGELOG.md'],
		type,
		engines,
		n8n: { ...n8n, credentials: n8n.credentials.filter(isOwn), nodes: n8n.nodes.filter(isOwn) },
		peerDependencies,
	};
}

/** Links to other files of the repository lead nowhere in an installed package. */
const withAbsoluteLinks = (page: string, homepage: string): string =>
	page
		.replaceAll('](../../', `](${homepage.replace('#readme', '/blob/main/')}`)
		.replaceAll('](../', `](${homepage.replace('#readme', '/blob/main/docs/')}`);

/** The changelog without the sections about the other service: their titles begin with the name of its node. */
function changelogOf({ node }: SinglePackage): string {
	const other = services.find((service) => service.node !== node)!;
	const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=##)/m);
	return sections.filter((section) => !section.startsWith(`### ${other.displayName}`)).join('');
}
