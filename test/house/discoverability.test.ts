/** The package is found by common search words in n8n and on npm. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialType } from 'n8n-workflow';
import { createEngine, type Engine } from '../../engine/index.ts';
import { root } from '../support/nodes/built';

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine({ packageDirs: [root] });
});

const text = (file: string) => readFileSync(join(root, file), 'utf8');

const nodes = [
	[
		'linkManager',
		/GemPixel’s Premium URL Shortener/,
		[
			...['url shortener', 'link shortener', 'shorten url', 'short link', 'qr code', 'bio link', 'gempixel'],
			'newslink',
			...['bitly', 'bit.ly', 'tinyurl', 'rebrandly', 'short.io', 'linktree'],
		],
	],
	['newsReader', /NewsBlur/, ['newslink', 'newsblur', 'rss', 'read later', 'feedly', 'inoreader']],
] as const;

describe.each(nodes)('%s', (name, service, words) => {
	const types = () =>
		[name, `${name}Trigger`].map((type) => engine.nodeType(`n8n-nodes-newslink.${type}`).description);

	it('is found in the node panel by common search words, as a node and as a trigger', () => {
		for (const { codex } of types()) expect(codex?.alias).toEqual(expect.arrayContaining([...words]));
	});

	it('has the same description as its trigger: the panel shows one entry for both', () => {
		const [node, trigger] = types();
		expect(node!.description).toMatch(service);
		expect(node!.description).toMatch(/start on/);
		expect(trigger!.description).toBe(node!.description);
	});
});

it('is found on npm by the services and what they do', () => {
	const { keywords } = JSON.parse(text('package.json')) as { keywords: string[] };
	const known = ['newsblur', 'url shortener', 'short link', 'qr code', 'bio link', 'rss', 'read later'];
	expect(keywords).toEqual(expect.arrayContaining(known));
	// The package doesn't work with these.
	expect(keywords.filter((word) => ['bitly', 'feedly', 'inoreader'].includes(word))).toEqual([]);
});

it.each(['README.md', 'docs/credentials.md', 'package.json'])(
	'%s names both services and states that the package is independent of them',
	(file) => {
		expect(text(file)).toMatch(/NewsBlur/);
		expect(text(file)).toMatch(/GemPixel['’]s Premium URL Shortener/);
		expect(text(file)).toMatch(/independent of/);
	},
);

const defaultOf = ({ properties }: ICredentialType) =>
	properties.find(({ name }) => name === 'baseUrl')?.default;

it('has the base URL of NewsBlur as default, and none for the link service', () => {
	const presets = engine.credentialTypes.map((type) => [type.name, defaultOf(type)]);
	expect(Object.fromEntries(presets)).toEqual({
		linkManagerApi: '',
		newsReaderOAuth2Api: 'https://www.newsblur.com',
		newsReaderSessionApi: 'https://www.newsblur.com',
	});
});
