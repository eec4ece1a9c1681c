/** Tests the packages with one service: their files and documents, and what n8n loads. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Load } from '../../bench/load.ts';
import { chain, createEngine, type Engine, type NodeJson } from '../../engine/index.ts';
import { singlePackages } from '../../scripts/single-packages';
import { FakeHost } from '../support/hosts/fake-host';
import { root } from '../support/nodes/built';
import { expectedFiles, packedFiles } from '../support/nodes/packed';

const folderOf = (name: string): string => join(root, 'build/packages', name);

/** An engine with a package, both of whose services are at this address. */
const engineFor = async (folder: string, baseUrl: string): Promise<Engine> =>
	await createEngine({
		packageDirs: [folder],
		credentials: {
			linkManagerApi: { type: 'linkManagerApi', data: { baseUrl, apiKey: 'sandbox-api-key' } },
			newsReaderSessionApi: {
				type: 'newsReaderSessionApi',
				data: { baseUrl, username: 'reader', password: 'sandbox-password' },
			},
		},
	});

const uses = (type: string): NodeJson['credentials'] => ({ [type]: { id: type, name: type } });
const cases = {
	LinkManager: {
		credentialFiles: ['LinkManagerApi'],
		libraries: [] as string[],
		credentials: uses('linkManagerApi'),
		operation: { resource: 'shortLink', operation: 'getAll' },
	},
	NewsReader: {
		credentialFiles: ['NewsReaderOAuth2Api', 'NewsReaderSessionApi'],
		libraries: ['dist/THIRD-PARTY-NOTICES'],
		credentials: uses('newsReaderSessionApi'),
		operation: { resource: 'feed', operation: 'getAll' },
	},
};

/** A node of a package that reads a list. */
function nodeOf(node: keyof typeof cases, packageName: string): NodeJson {
	const type = `${packageName}.${node.charAt(0).toLowerCase()}${node.slice(1)}`;
	const { operation, credentials } = cases[node];
	return { name: 'Node', type, parameters: operation, credentials };
}

const textOf = (name: string, file: string): string => readFileSync(join(folderOf(name), file), 'utf8');

describe.each(singlePackages)('$name', ({ name, node }) => {
	const other = node === 'LinkManager' ? 'NewsReader' : 'LinkManager';

	it('contains only the files and the code of its service', () => {
		const { credentialFiles, libraries } = cases[node];
		const { files, schemas } = packedFiles(folderOf(name));
		expect(files).toEqual(expectedFiles([node], credentialFiles, ['CHANGELOG.md', ...libraries]));
		expect(schemas.filter((file) => !file.startsWith(`dist/nodes/${node}/__schema__/`))).toEqual([]);
		const sources = JSON.parse(textOf(name, 'build/bundled-files.json')) as string[];
		const foreign = new RegExp(
			`^(?!nodes/(runtime|${node})/|credentials/${node}|vendor/|node_modules/|.*/${name}/package.json$)`,
		);
		expect(sources).toContain(`nodes/${node}/implementation.ts`);
		expect(sources).toContain(`credentials/${cases[node].credentialFiles[0]}.credentials.ts`);
		expect(sources.filter((source) => foreign.test(source))).toEqual([]);
		const manifests = files.filter((file) => /\.node\.json$|package\.json$/.test(file));
		for (const file of manifests) {
			expect(textOf(name, file)).not.toContain(other);
			if (file !== 'package.json')
				expect(JSON.parse(textOf(name, file))).toMatchObject({
					node: expect.stringContaining(`${name}.`) as string,
				});
		}
	});

	it('has documents about its service only, with links that lead from npm to the repository', () => {
		const readme = textOf(name, 'README.md');
		expect(readme).toContain(`enter \`${name}\``);
		expect(readme).not.toContain('](../');
		const changelog = textOf(name, 'CHANGELOG.md');
		const nodes = { LinkManager: 'Link Manager', NewsReader: 'News Reader' };
		expect(changelog).toContain(`### ${nodes[node]} Trigger`);
		expect(changelog).not.toContain(nodes[other]);
	});

	it('sends its name as the user agent', async () => {
		const host = await FakeHost.start(() => ({ body: {} }));
		const engine = await engineFor(folderOf(name), host.baseUrl);
		const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
		await engine.run({ workflow: chain(start, nodeOf(node, name)) });
		await engine.close();
		const { version, repository } = JSON.parse(textOf(name, 'package.json')) as {
			version: string;
			repository: { url: string };
		};
		const address = repository.url.replace(/^git\+|\.git$/g, '');
		const userAgents = host.requests.map(({ headers }) => headers['user-agent']);
		expect([...new Set(userAgents)]).toEqual([`${name}/${version} (+${address})`]);
	});

	it('loads no code when n8n starts', () => {
		const { modules, types } = JSON.parse(
			execFileSync(process.execPath, ['bench/load.ts', folderOf(name)], { cwd: root, encoding: 'utf8' }),
		) as Load;
		expect(modules.filter((file) => file.includes('newslink'))).toEqual([]);
		expect(types).toBe(node === 'LinkManager' ? 3 : 4);
	});
});
