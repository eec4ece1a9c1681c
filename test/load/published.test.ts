/** Tests what n8n loads when it starts, and which files the package contains. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions, INodeType } from 'n8n-workflow';
import type { Load } from '../../bench/load.ts';
import { core } from '../../engine/core.ts';
import { LinkManager } from '../../nodes/LinkManager/LinkManager.node';
import { LinkManagerTrigger } from '../../nodes/LinkManager/LinkManagerTrigger.node';
import { NewsReader } from '../../nodes/NewsReader/NewsReader.node';
import { NewsReaderTrigger } from '../../nodes/NewsReader/NewsReaderTrigger.node';
import { singlePackages } from '../../scripts/single-packages';
import { root } from '../support/nodes/built';
import { expectedFiles, packedFiles } from '../support/nodes/packed';

/** Runs a script in a new process, in which nothing of the package is loaded. */
const runInNewProcess = (...script: string[]): string =>
	execFileSync(process.execPath, script, { cwd: root, encoding: 'utf8' });

describe('when n8n starts', () => {
	it('loads only the descriptions and credentials, no code', () => {
		const { modules, types } = JSON.parse(runInNewProcess('bench/load.ts', root)) as Load;
		expect(types).toBe(7);
		expect(modules.length).toBeLessThanOrEqual(14);
		expect(modules.filter((file) => file.includes('newslink'))).toEqual([]);
	});

	it('loads the code at its first use, which the page says beside the cost of the descriptions', () => {
		const { size } = statSync(join(root, 'dist/nodes/newslink.js'));
		const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');
		expect(page).toContain(`one file of about ${Math.round(size / 100_000)}00 kB`);
	});

	it.each(
		[LinkManager, LinkManagerTrigger, NewsReader, NewsReaderTrigger].map((Source) => [Source.name, Source]),
	)('%s has the description and the methods of its source', (name, Source) => {
		const source: INodeType = new Source();
		const file = join(root, 'dist/nodes', name.replace('Trigger', ''), `${name}.node.js`);
		const Published = jest.requireActual<Record<string, new () => INodeType>>(file)[name]!;
		const node = new Published();
		expect(node.description).toEqual(JSON.parse(JSON.stringify(source.description)));
		expect(methodsOf(node)).toEqual(methodsOf(source));
		// n8n adds parameters to the description of a polling node, which must not change other instances.
		node.description.properties.length = 0;
		expect(new Published().description.properties).not.toEqual([]);
	});
});

const methodsOf = ({ execute, poll, methods = {} }: INodeType): unknown => ({
	execute: typeof execute,
	poll: typeof poll,
	methods: Object.entries(methods).map(([kind, functions]) => [kind, Object.keys(functions)]),
});

const normalizeSpace = (text: string): string => text.replace(/\s+/g, ' ');

/** The paragraphs of a license, without its title. */
const paragraphsOf = (license: string): string[] =>
	license
		.split(/\n\s*\n/)
		.map((paragraph) => normalizeSpace(paragraph).trim())
		.filter((paragraph) => paragraph.length > 40 || /Copyright/.test(paragraph));

describe('the package', () => {
	it('is small, and contains only the expected files', () => {
		const { unpackedSize, files, schemas } = packedFiles(root);
		expect(unpackedSize).toBeLessThan(1_200_000);
		expect(schemas.length).toBeGreaterThan(90);
		const credentials = ['LinkManagerApi', 'NewsReaderOAuth2Api', 'NewsReaderSessionApi'];
		expect(files).toEqual(
			expectedFiles(['LinkManager', 'NewsReader'], credentials, ['CHANGELOG.md', 'dist/THIRD-PARTY-NOTICES']),
		);
	});

	it.each([
		['LinkManager', LinkManager],
		['NewsReader', NewsReader],
	])('%s has the output schemas in the folders in which n8n searches', (_, Source) => {
		const { defaultVersion, version, properties } = new Source().description;
		const newest = {
			nodeDir: join(root, 'dist/nodes', Source.name),
			version: Number(defaultVersion ?? version),
		};
		const operations = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) => {
				const [resource] = displayOptions!.show!.resource as string[];
				return (options as INodePropertyOptions[]).map(({ value }) => [resource, String(value)] as const);
			});
		expect(operations.length).toBeGreaterThan(30);
		const missing = operations.filter(
			([resource, operation]) => !core.loadOutputSchema({ ...newest, resource, operation }),
		);
		expect(missing).toEqual([]);
	});

	it.each(['.', ...singlePackages.map(({ folder }) => folder)])(
		'in %s contains the license notice of every bundled library, and of no other',
		(packageFolder) => {
			const bundled = JSON.parse(
				readFileSync(join(root, packageFolder, 'build/bundled-files.json'), 'utf8'),
			) as string[];
			const folders = new Set(
				bundled.flatMap((file) => /^node_modules(.*\/node_modules)?\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
			);
			const packages = [...folders].map((folder) => {
				const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
					name: string;
					version: string;
				};
				const license = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file));
				return {
					title: `${name} ${version}`,
					text: license ? readFileSync(join(root, folder, license), 'utf8').trim() : 'License: MIT',
				};
			});
			const file = join(root, packageFolder, 'dist/THIRD-PARTY-NOTICES');
			const notices = existsSync(file)
				? readFileSync(file, 'utf8')
						.split(/\n\n-{80}\n\n/)
						.slice(1)
				: [];
			const missing = packages.filter(({ title, text }) => {
				const notice = notices.find((candidate) => candidate.split('\n').includes(title)) ?? '';
				return paragraphsOf(text).some((sentence) => !normalizeSpace(notice).includes(sentence));
			});
			expect(missing).toEqual([]);
			expect(packages.length > 15).toBe(packageFolder !== 'build/packages/n8n-nodes-gempixel');
			const named = notices.flatMap((notice) => notice.match(/^\S+ \d+\.\d+\.\d+$/gm) ?? []);
			expect(named.sort()).toEqual(packages.map(({ title }) => title).sort());
		},
	);
});
