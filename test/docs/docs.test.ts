import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { BUSY, FAILS, REDIRECTED } from '../../nodes/runtime/credential';
import { singlePackages } from '../../scripts/single-packages';
import { root } from '../support/nodes/built';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { createEngine } from '../../engine/index.ts';

describe('the pages', () => {
	const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'].concat(
		readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.md'))
			.map((file) => join('docs', file)),
	);
	const read = (page: string): string => readFileSync(join(root, page), 'utf8');

	it.each([
		['the tables of operations say', ['scripts/docs.ts', '--check', '--no-build']],
		['was measured', ['bench/pages.ts']],
	])('says what %s', (_, script) => {
		const { status, stderr } = spawnSync(process.execPath, script, {
			cwd: root,
			encoding: 'utf8',
		});
		expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
	});

	/** The anchors that GitHub generates for a page's headings. */
	const anchorsOf = (markdown: string): Set<string> =>
		new Set(
			[...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
				heading
					.toLowerCase()
					.replace(/[^\p{L}\p{N} _-]/gu, '')
					.replaceAll(' ', '-'),
			),
		);

	it.each(pages)('%s has no broken links', (page) => {
		const missing = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
			.map(([, link = '']) => link)
			.filter((link) => !/^[a-z]+:/.test(link))
			.filter((link) => {
				const [path = '', anchor] = link.split('#');
				const target = path === '' ? join(root, page) : resolve(root, dirname(page), path);
				if (!existsSync(target)) return true;
				return anchor !== undefined && !anchorsOf(read(relative(root, target))).has(anchor);
			});
		expect(missing).toEqual([]);
	});

	it('the pages name only existing npm scripts', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = pages.flatMap((page) =>
			[...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!),
		);
		expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
	});

	it('no command of the pages installs n8n’s own packages into n8n’s folder', () => {
		const commands = pages.flatMap(
			(page) => read(page).match(/npm (un)?install [^`'\n]*n8n-nodes-\w+/g) ?? [],
		);
		expect(commands.filter((command) => command.includes(' uninstall '))).not.toEqual([]);
		expect(commands.filter((command) => !command.includes(' --omit=peer '))).toEqual([]);
	});

	it('the report of the real server calls only those operations newer that the form calls so', () => {
		const { properties } = JSON.parse(read('dist/nodes/NewsReader/NewsReader.description.json')) as {
			properties: INodeProperties[];
		};
		const newer = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(options as INodePropertyOptions[])
					.filter(({ description }) => description?.includes('newer servers'))
					.map(({ value }) => `${String(displayOptions?.show?.resource?.[0])}.${String(value)}`),
			);
		const report = read('docs/compatibility/newsblur-2024-07.md');
		const refused = [...report.matchAll(/^\| (\S+) \| not offered \|.*Only newer/gm)].map(
			([, name]) => name!,
		);
		expect(refused).not.toEqual([]);
		expect(refused.filter((name) => !newer.includes(name))).toEqual([]);
	});

	it('the pages claim support only for tested versions of n8n', () => {
		const [, oldest = ''] = /oldestN8n = '([^']+)'/.exec(read('playground/settings.ts')) ?? [];
		const { dependencies } = JSON.parse(read('playground/package.json')) as { dependencies: { n8n: string } };
		const newest = dependencies.n8n;
		expect(read('README.md')).toContain(
			`The full test suite runs on n8n ${newest}. Loading and example workflows were also tested on the oldest supported version, ${oldest}.`,
		);
		for (const single of singlePackages)
			expect(read(`docs/packages/${single.name}.md`)).toContain(
				`runs on n8n ${newest}; loading and example workflows were also tested on ${oldest},`,
			);
		expect(read('docs/install.md')).toContain(`a self-hosted n8n, ${oldest} or later`);
		const tried = read('docs/n8n-versions.md');
		expect([...tried.matchAll(/n8n (\d\S*)/g)].map(([, version]) => version)).toEqual([oldest, newest]);
		expect(tried).not.toContain('failed');
	});

	it('the pages quote the messages of credential tests literally', () => {
		const page = read('docs/credentials.md');
		const beginnings = [BUSY, FAILS, REDIRECTED].map((message) => message.split(':')[0]!);
		expect(beginnings.filter((beginning) => !page.includes(beginning))).toEqual([]);
	});
});

describe('the parameters that pages name', () => {
	const pages = [
		'README.md',
		...readdirSync(join(root, 'docs'))
			.filter((file) => file.endsWith('.md'))
			.map((file) => join('docs', file)),
	];

	/** Other words in bold: labels of n8n, its nodes and credentials, and names of services. */
	const otherLabels = [
		...['Settings', 'Community nodes', 'Install', 'Import', 'From file', 'Fetch Test Event', 'Agents'],
		...['On Error', 'Continue (using error output)', 'Retry On Fail', 'Tool', 'Tool Description'],
		...['Filter', 'Execute Sub-workflow', 'MCP Server Trigger', 'Remove Duplicates', 'History Size'],
		...['Remove Items Processed in Previous Executions', 'Value Is New', 'Clear Deduplication History'],
		...[
			'Save',
			'Retry',
			'Require approval',
			'Connect',
			'Credential',
			'Execute step',
			'OAuth Redirect URL',
			'NewsBlur',
			'GemPixel’s Premium URL Shortener',
		],
	];

	type Option = INodeProperties | INodePropertyCollection | INodePropertyOptions;

	/** All labels of a property: its name and action, and those of its options and nested properties. */
	const labelsOf = (property: Option): string[] => [
		'displayName' in property ? property.displayName : property.name,
		...('action' in property && property.action ? [property.action] : []),
		...('options' in property ? (property.options ?? []).flatMap(labelsOf) : []),
		...('values' in property ? property.values.flatMap(labelsOf) : []),
	];

	let nodeLabels: Set<string>;
	beforeAll(async () => {
		const engine = await createEngine({ packageDirs: [root] });
		const nodes = ['linkManager', 'linkManagerTrigger', 'newsReader', 'newsReaderTrigger'].map(
			(name) => engine.nodeType(`n8n-nodes-newslink.${name}`).description,
		);
		nodeLabels = new Set([
			...otherLabels,
			...nodes.map(({ displayName }) => displayName),
			...[...nodes, ...engine.credentialTypes].flatMap(({ properties }) => properties.flatMap(labelsOf)),
		]);
	});

	it.each(pages)('%s names only labels that exist', (page) => {
		const text = readFileSync(join(root, page), 'utf8').replace(/^```[^]*?^```/gm, '');
		const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words!);
		const labels = bold.filter((words) => /^\p{Lu}/u.test(words) && !/[.!:]$/.test(words));
		const unknown = labels.flatMap((label) => label.split(' → ')).filter((label) => !nodeLabels.has(label));
		expect(unknown).toEqual([]);
	});
});
