/**
 * The packages with one service: n8n verifies only packages that integrate exactly one. Each has the same node and trigger
 * as the combined package, with the code of its service only.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { copy, write } from './files.ts';
import { operationTable } from './reference.ts';
import { linkManager, newsReader, type Service } from './services.ts';
import type { Manifest } from './write-dist.ts';

interface SinglePackage extends Service {
	name: string;
	folder: string;
	/** The source of the entry of its code. */
	entry: string;
	/** The name of the service in the description and the README. */
	service: string;
	features: string;
	keywords: string[];
}

export const singlePackages: SinglePackage[] = [
	{
		...newsReader,
		name: 'n8n-nodes-newsblur',
		folder: 'build/packages/n8n-nodes-newsblur',
		entry: "export { node as newsReader, trigger as newsReaderTrigger } from './NewsReader/implementation';",
		service: 'NewsBlur, hosted or your own server',
		features: 'feeds, unread stories, saved and shared stories',
		keywords: ['newsblur', 'rss', 'feed reader', 'news reader', 'read later'],
	},
	{
		...linkManager,
		name: 'n8n-nodes-gempixel',
		folder: 'build/packages/n8n-nodes-gempixel',
		entry:
			"export { node as linkManager, trigger as linkManagerTrigger } from './LinkManager/implementation';",
		service: 'hosts that run GemPixel’s Premium URL Shortener',
		features: 'short links, QR codes, campaigns, branded domains',
		keywords: ['gempixel', 'premium url shortener', 'url shortener', 'short link', 'qr code', 'bio link'],
	},
];

/** The members of the combined package's manifest that the others use. */
interface CombinedManifest extends Manifest {
	homepage: string;
	[member: string]: unknown;
}

/** Writes the files of a package that are not in `dist`. */
export function writeDocuments(single: SinglePackage): void {
	const combined = JSON.parse(readFileSync('package.json', 'utf8')) as CombinedManifest;
	write(join(single.folder, 'package.json'), `${JSON.stringify(manifestOf(single, combined), null, '  ')}\n`);
	write(
		join(single.folder, 'README.md'),
		readmeOf(single, combined.homepage.replace('#readme', '/blob/main/')),
	);
	for (const file of ['LICENSE', 'CHANGELOG.md']) copy(file, join(single.folder, file));
}

/** The combined package's manifest, reduced to the nodes and credentials of one service. */
function manifestOf(
	{ name, node, service, features, keywords }: SinglePackage,
	combined: CombinedManifest,
): object {
	const { version, license, homepage, author, repository, engines, peerDependencies, n8n } = combined;
	const isOwn = (file: string): boolean => basename(file).startsWith(node);
	return {
		name,
		version,
		description: `n8n nodes for ${service}: ${features}, with a trigger; independent of the service`,
		keywords: ['n8n-community-node-package', 'n8n', ...keywords],
		...{ license, homepage, author, repository },
		files: ['dist', 'CHANGELOG.md'],
		engines,
		n8n: { ...n8n, credentials: n8n.credentials.filter(isOwn), nodes: n8n.nodes.filter(isOwn) },
		peerDependencies,
	};
}

function readmeOf(single: SinglePackage, docs: string): string {
	const { name, displayName, page, service, features } = single;
	const operations = operationTable(single).replaceAll('](docs/', `](${docs}docs/`);
	return `# ${name}

[n8n](https://n8n.io) nodes for ${service}: ${features}. **${displayName}** runs operations; **${displayName} Trigger** starts workflows on new events. The package is independent of the service.

## Install

On a self-hosted n8n, open **Settings → Community nodes → Install** and enter \`${name}\`, or run this in \`~/.n8n/nodes\` and restart n8n:

\`\`\`sh
npm install ${name}
\`\`\`

From n8n 3.0 on, set \`N8N_UNVERIFIED_PACKAGES_ENABLED=true\` first: the package is [not verified by n8n](${docs}docs/verification.md) yet. [Install](${docs}docs/install.md) covers containers and queue mode.

## Try it without an account

A clone of [the repository](${docs.replace('/blob/main/', '')}) starts a real n8n with example workflows and a local sandbox of the service:

\`\`\`sh
npm ci && npm start
\`\`\`

## Operations

${operations}

## Documentation

- [${displayName}](${docs}docs/${page}.md)
- [Credentials](${docs}docs/credentials.md)
- [Triggers](${docs}docs/triggers.md)
- [Operations, parameters and output](${docs}docs/reference/${page}.md)
- [Packages](${docs}docs/packages.md): one service or both, and how to move workflows between packages
`;
}
