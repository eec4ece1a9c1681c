/** Hints in the editor: repeated lists, options without effect, long runs. */
import nock from 'nock';
import { Workflow, type INode, type INodeTypes } from 'n8n-workflow';
import { credentialsFor, linkManager, NODE, runNode, type Account } from '../support/nodes/link-node';
import { runBetween } from '../support/nodes/node';
import { engine } from '../support/nodes/suite-engine';

const HOST = 'https://links.example.com';

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());

async function hintsOf(
	parameters: object,
	count: number,
	id?: number | null,
	account: Partial<Account> = {},
): Promise<string[]> {
	const response = {
		error: 0,
		id: id === undefined ? 1 : id,
		data: { maxpage: 1, urls: [{ id: 1 }], channels: [{ id: 1 }] },
	};
	nock(HOST).persist().get(/.*/).reply(200, response).post(/.*/).reply(200, response);
	const input = Array.from({ length: count }, (_, n) => ({ n }));
	const result = await runBetween(engine, linkManager(parameters), input, {
		credentials: credentialsFor({ baseUrl: HOST, ...account }),
	});
	expect(result.error).toBeUndefined();
	return result.hints('Link Manager').map(({ message }) => message);
}

const pixel = { resource: 'pixel', operation: 'create', name: 'Tag', pixelType: 'gtmpixel', tag: 'GTM-1' };

it('hints at a list only if several items send the same request', async () => {
	const list = { resource: 'shortLink', operation: 'getAll' };
	for (const count of [2, 3]) {
		const reported = expect.stringMatching(
			`^Each of the ${count} input items got the same list: .*Execute Once`,
		);
		expect(await hintsOf(list, count)).toEqual([reported]);
	}
	expect(await hintsOf(list, 1)).toEqual([]);
	expect(await hintsOf({ ...list, filters: { q: '={{ $json.n }}' } }, 3)).toEqual([]);
	expect(await hintsOf({ ...list, limit: '={{ $json.n + 1 }}' }, 3)).toEqual([]);
	expect(await hintsOf(list, 3, 1, { apiKey: '={{ $json.n }}' })).toEqual([]);
	expect(await hintsOf(pixel, 3)).toEqual([]);
});

it('hints at no list that could not be read', async () => {
	nock(HOST).get('/api/urls').query(true).times(2).reply(400, { error: 1, message: 'No' });
	const list = { resource: 'shortLink', operation: 'getAll' };
	const result = await runNode(engine, { baseUrl: HOST }, list, [{}, {}], {
		onError: 'continueRegularOutput',
	});
	expect(result.json('Link Manager')).toHaveLength(2);
	expect(result.hints('Link Manager')).toEqual([]);
});

it('says once that entries of a list were skipped', async () => {
	for (const [index, urls] of [
		[{ id: 1 }, null],
		[{ id: 2 }, 'x', 7],
	].entries()) {
		const isPage = ({ page }: { page?: unknown }) => page === String(index + 1);
		nock(HOST)
			.get('/api/urls')
			.query(isPage)
			.reply(200, { error: 0, data: { maxpage: 2, urls } });
	}
	const list = { resource: 'shortLink', operation: 'getAll', returnAll: true };
	expect(await hintsOf(list, 1)).toEqual(['List entries that are not objects were skipped']);
});

it('reports a new record without an ID', async () => {
	expect(await hintsOf(pixel, 1)).toEqual([]);
	nock.cleanAll();
	const reported = 'The service confirmed this but returned no ID: Create a pixel';
	expect(await hintsOf(pixel, 1, null)).toEqual([reported]);
	expect(await hintsOf({ ...pixel, ifExists: 'return' }, 1, null)).toContain(reported);
});

it('reports a record that Whole Record could not read back', async () => {
	nock(HOST).get(/.*/).times(3).reply(404, 'Gone');
	const create = { resource: 'channel', operation: 'create', name: 'News', options: { wholeRecord: true } };
	expect(await hintsOf(create, 1)).toEqual(['Channel 1 could not be read back']);
	nock.cleanAll();
	nock(HOST)
		.get(/.*/)
		.reply(200, { error: 0, data: { maxpage: 1, channels: [{ id: 2 }] } });
	expect(await hintsOf(create, 1)).toEqual(['Channel 1 could not be read back']);
	nock.cleanAll();
	expect(await hintsOf(create, 1)).toEqual([]);
});

it.each([
	[60, false],
	[61, true],
])('warns that a run of %d items takes minutes: %p', (count, expected) => {
	const type = engine.nodeType(NODE);
	const [long] = (type.description.hints ?? []).filter(({ message }) => message.includes('several minutes'));
	expect(long?.whenToDisplay).toBe('beforeExecution');
	const node: INode = {
		id: '',
		name: 'Node',
		type: NODE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const { expression } = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const input = Array.from({ length: count }, () => ({ json: {} }));
	// Evaluates the expression like the editor.
	const shown = expression.getParameterValue(
		long!.displayCondition!,
		null,
		0,
		0,
		'Node',
		input,
		'manual',
		{},
	);
	expect(shown).toBe(expected);
});
