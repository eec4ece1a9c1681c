/** The nodes as tools of an AI agent: the description of each operation, and the size limit of results. */
import nock from 'nock';
import { NodeHelpers, type INode } from 'n8n-workflow';
import { isShown } from '../../engine/form.ts';
import type { Engine } from '../../engine/index.ts';
import { callTool, startEngineWithAgent, toolCallModes } from '../support/clients/agent';
import { credentialsFor, linkManager, NODE } from '../support/nodes/link-node';
import { newsReader, NODE as READER, SESSION, sessionCredential } from '../support/nodes/reader-node';

const HOST = 'https://service.example.com';
const credentials = {
	...credentialsFor({ baseUrl: HOST }),
	...sessionCredential(HOST, { sessionToken: SESSION }),
};
/** Characters of JSON, without the message about omitted records. */
const BUDGET = 40_000;

let engine: Engine;

beforeAll(async () => {
	nock.disableNetConnect();
	engine = await startEngineWithAgent();
});
afterEach(() => nock.cleanAll());

const linksResponse = (count: number, of: object): object => ({
	error: 0,
	data: {
		maxpage: 1,
		urls: Array.from({ length: count }, (_, id) => ({ id, clicks: 1, ...of })),
	},
});

async function returnedBy(
	node: ReturnType<typeof linkManager>,
	response: object,
	mode: (typeof toolCallModes)[number],
) {
	nock(HOST).persist().get(/.*/).reply(200, response);
	const [returned = []] = await callTool(engine, node, [{}], { credentials, mode });
	return returned;
}

describe.each(toolCallModes)('tool result (%s)', (mode) => {
	const list = linkManager({ resource: 'shortLink', operation: 'getAll', returnAll: true });

	it('says that nothing was found', async () => {
		expect(await returnedBy(list, linksResponse(0, {}), mode)).toEqual([{ found: 0 }]);
	});

	it('is unchanged if it is short', async () => {
		const returned = await returnedBy(list, linksResponse(3, { description: 'word '.repeat(1000) }), mode);
		expect(returned.map(({ description }) => String(description).length)).toEqual([5000, 5000, 5000]);
	});

	it('has all records with long texts truncated if that is enough', async () => {
		const longurl = `https://example.com/${'aä'.repeat(125)}`;
		const returned = await returnedBy(
			list,
			linksResponse(50, { longurl, description: 'word '.repeat(1000) }),
			mode,
		);
		expect(returned).toHaveLength(50);
		for (const record of returned) {
			expect(record.description).toMatch(/^word .* … \(cut: 5000 characters in all\)$/);
			expect(record.longUrl).toBe(longurl);
		}
		expect(JSON.stringify(returned).length).toBeLessThanOrEqual(BUDGET);
	});

	it('cuts no character in half', async () => {
		for (const before of ['', 'a']) {
			const description = before + '😀'.repeat(30_000);
			const returned = await returnedBy(list, linksResponse(1, { description }), mode);
			expect(JSON.stringify(returned)).not.toMatch(/\\ud[89a-f]/);
			nock.cleanAll();
		}
	});

	it('has texts of a language without blanks truncated, too', async () => {
		const description = '長い話。'.repeat(12_500);
		const returned = await returnedBy(list, linksResponse(1, { description }), mode);
		expect(returned.map(({ description: cut }) => cut)).toEqual([
			expect.stringMatching(/^長い話。.* … \(cut: 50000 characters in all\)$/),
		]);
	});

	it('has the first records and the number of omitted ones if there are too many', async () => {
		const returned = await returnedBy(
			list,
			linksResponse(500, { longurl: `https://example.com/${'a'.repeat(250)}` }),
			mode,
		);
		const more = returned.pop()!;
		expect(returned.map(({ id }) => id)).toEqual(returned.map((_, index) => index));
		expect(more.leftOut).toBe(
			`${500 - returned.length} of 500 records did not fit into this response: request fewer, or only part of them`,
		);
		expect(JSON.stringify(returned).length).toBeLessThanOrEqual(BUDGET);
		expect(JSON.stringify(returned).length).toBeGreaterThan(BUDGET / 2);
	});

	it('truncates only the texts of stories', async () => {
		const content = '<p>A long story.</p> '.repeat(2000);
		const stories = Array.from({ length: 10 }, (_, n) => ({
			story_hash: `7:00000${n}`,
			story_title: `Story ${n}`,
			story_content: content,
		}));
		const response = { authenticated: true, stories, feeds: {} };
		const node = newsReader({ resource: 'savedStory', operation: 'getAll', limit: 10 });
		const returned = await returnedBy(node, response, mode);
		expect(returned.map(({ title }) => title)).toEqual(stories.map(({ story_title: title }) => title));
		for (const { content: cut } of returned)
			expect(cut).toContain(`… (cut: ${content.length} characters in all)`);
	});
});

describe.each([NODE, READER])('%s', (type) => {
	const choicesOf = (name: string, chosen: { resource?: string } = {}): string[] =>
		engine
			.nodeType(type)
			.description.properties.filter((property) => property.name === name && isShown(property, chosen))
			.flatMap(({ options = [] }) =>
				options.map((option) => ('value' in option ? String(option.value) : '')),
			);
	const returned = () =>
		choicesOf('resource').flatMap((resource) =>
			choicesOf('operation', { resource }).map((operation) => {
				const node: INode = {
					...{ id: '', name: 'Tool', type, typeVersion: 1, position: [0, 0] },
					parameters: { resource, operation },
				};
				const text = NodeHelpers.getToolDescriptionForNode(node, engine.nodeType(type));
				return { operation, text };
			}),
		);

	it('describes each operation to a model with a different sentence', () => {
		const texts = returned().map(({ text }) => text);
		expect(new Set(texts).size).toBe(texts.length);
		for (const text of texts) expect(text).toMatch(/^[A-Z]\w+ .* in (Link Manager|News Reader)$/);
	});

	it('marks destructive operations', () => {
		const destroys = /^(delete|deleteTag|unsave|removeReply)$/;
		const marked = returned().filter(({ text }) => text.includes(' for good'));
		const unmarked = returned().filter(({ text }) => !text.includes(' for good'));
		expect(marked.length).toBeGreaterThan(0);
		expect(unmarked.filter(({ operation }) => operation.startsWith('delete'))).toEqual([]);
		expect(marked.filter(({ operation }) => !destroys.test(operation))).toEqual([]);
	});
});
