/**
 * Builds one package per service, because n8n verifies only packages that integrate exactly one service. Each has the
 * same node and trigger as the combined package, with the code of its service only.
 */
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { copy, write } from './files.ts';
import { operationTable } from './reference.ts';
import { linkManager, newsReader, type Service } from './services.ts';

const COMBINED = 'n8n-nodes-newslink';
const FOLDER = 'build/packages';

interface SinglePackage extends Service {
	name: string;
	/** The name of the service in the description and the README. */
	service: string;
	features: string;
	keywords: string[];
}

export const singlePackages: SinglePackage[] = [
	{
		...newsReader,
		name: 'n8n-nodes-newsblur',
		service: 'NewsBlur, hosted or your own server',
		features: 'feeds, unread stories, saved and shared stories',
		keywords: ['newsblur', 'rss', 'feed reader', 'news reader', 'read later'],
	},
	{
		...linkManager,
		name: 'n8n-nodes-gempixel',
		service: 'hosts that run GemPixel’s Premium URL Shortener',
		features: 'short links, QR codes, campaigns, branded domains',
		keywords: ['gempixel', 'premium url shortener', 'url shortener', 'short link', 'qr code', 'bio link'],
	},
];

interface Manifest {
	version: string;
	homepage: string;
	n8n: { n8nNodesApiVersion: number; credentials: string[]; nodes: string[] };
	[member: string]: unknown;
}

/** Writes the packages to `build/packages`, ready for `npm pack`. The combined package must be built. */
export async function writeSinglePackages(options: BuildOptions): Promise<void> {
	const combined = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
	for (const single of singlePackages) {
		const folder = join(FOLDER, single.name);
		const manifest = manifestOf(single, combined);
		write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, '  ')}\n`);
		copyNodes(single, folder);
		const built = { ...options, plugins: [resolveOwnManifest(folder)] };
		await buildCredentials(manifest, folder, built);
		await bundleCode(single, folder, built);
		for (const file of ['LICENSE', 'CHANGELOG.md']) copy(file, join(folder, file));
		write(join(folder, 'README.md'), readmeOf(single, combined.homepage.replace('#readme', '/blob/main/')));
	}
}

/** The combined package's manifest, reduced to the nodes and credentials of one service. */
function manifestOf(
	{ name, node, service, features, keywords }: SinglePackage,
	combined: Manifest,
): Manifest {
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

/** Copies the built files of the node and its trigger. The codex files name the package. */
function copyNodes({ name, node }: SinglePackage, folder: string): void {
	cpSync(join('dist/nodes', node), join(folder, 'dist/nodes', node), { recursive: true });
	for (const file of globSync(join(folder, 'dist/nodes', node, '*.node.json'))) {
		write(file, readFileSync(file, 'utf8').replace(`"${COMBINED}.`, `"${name}.`));
	}
}

const buildCredentials = async ({ n8n }: Manifest, folder: string, options: BuildOptions): Promise<unknown> =>
	await build({
		...options,
		entryPoints: n8n.credentials.map((file) => file.replace('dist/', '').replace(/js$/, 'ts')),
		outdir: join(folder, 'dist/credentials'),
	});

/** Bundles the code of one service to the path of the combined bundle, and copies the libraries that it loads. */
async function bundleCode({ node }: SinglePackage, folder: string, options: BuildOptions): Promise<void> {
	const type = node.charAt(0).toLowerCase() + node.slice(1);
	const { metafile } = await build({
		...options,
		stdin: {
			contents: `export { node as ${type}, trigger as ${type}Trigger } from './${node}/implementation';`,
			resolveDir: 'nodes',
		},
		outfile: join(folder, 'dist/nodes/newslink.js'),
		metafile: true,
	});
	const libraries = librariesOf(metafile);
	for (const library of libraries) copy(`dist/nodes/${library}.js`, join(folder, `dist/nodes/${library}.js`));
	if (libraries.length > 0) copy('dist/THIRD-PARTY-NOTICES', join(folder, 'dist/THIRD-PARTY-NOTICES'));
}

/** Resolves package.json to the single package's manifest: the code reads its name and version there. */
const resolveOwnManifest = (folder: string): Plugin => ({
	name: 'own-manifest',
	setup: ({ onResolve }) =>
		onResolve({ filter: /\/package\.json$/ }, () => ({ path: resolve(folder, 'package.json') })),
});

/** The files in `dist/nodes/libraries` that a bundle loads, relative to `dist/nodes`. */
const librariesOf = ({ outputs }: Metafile): string[] =>
	Object.values(outputs)
		.flatMap(({ imports }) => imports)
		.filter(({ path }) => path.startsWith('./libraries/'))
		.map(({ path }) => path.replace('./', ''));

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
