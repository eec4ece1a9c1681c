/** Reads paged lists on n8n's engine: each record once, paired with its input item. */
import nock from 'nock';
import { createFakeService, type Exchange } from '../support/hosts/exchanges';
import {
	byId,
	byUrl,
	credentialsFor,
	from,
	KEY,
	linkManager,
	NODE,
	runNode,
} from '../support/nodes/link-node';
import { cases, idsOf, parametersFrom, pathOf, sample, type Case } from '../support/cases/link-samples';
import { engine } from '../support/nodes/suite-engine';

/** The page size that the node requests. */
const PAGE_SIZE = 100;
/** The number of records for each of the three items. */
const TOTALS = [PAGE_SIZE + 50, 0, 1];

beforeAll(() => nock.disableNetConnect());

afterEach(() => nock.cleanAll());

/** The expected page requests of the n-th item, and the records of each page. */
function pagesOf({ endpoint }: Case, n: number, values: ReturnType<typeof sample>) {
	const collection = endpoint.collection!;
	const { response, record: output } = endpoint.example({
		n,
		ids: idsOf(endpoint, values.path),
	}).contract;
	const [entry] = (response as { data: Record<string, object[]> }).data[collection]!;
	const ids = Array.from({ length: TOTALS[n]! }, (_, index) => 1000 * (n + 1) + index);
	const maxpage = Math.max(1, Math.ceil(ids.length / PAGE_SIZE));
	const exchanges = Array.from({ length: maxpage }, (_, index): Exchange => {
		const entries = ids.slice(index * PAGE_SIZE, (index + 1) * PAGE_SIZE).map((id) => ({ ...entry, id }));
		return {
			request: {
				method: 'GET',
				path: pathOf(endpoint, values.path),
				query: { ...values.query, limit: String(PAGE_SIZE), page: String(index + 1) },
				authorization: `Bearer ${KEY}`,
				contentType: 'application/json',
			},
			response: {
				error: '0',
				data: {
					result: ids.length,
					perpage: PAGE_SIZE,
					currentpage: index + 1,
					nextpage: index + 2,
					maxpage,
					[collection]: entries,
				},
			},
		};
	});
	// A short URL that nothing has is looked up with the other scheme, too.
	const { short } = values.query;
	if (ids.length === 0 && typeof short === 'string') {
		const [{ request, response }] = exchanges as [Exchange];
		const query = { ...request.query, short: short.replace(/^https:/, 'http:') };
		exchanges.push({ request: { ...request, query }, response });
	}
	return { exchanges, records: ids.map((id) => ({ ...output, id })) };
}

const lists = cases.filter(({ endpoint }) => endpoint.collection);

it.each(lists.map((testCase): [string, Case] => [`${testCase.resource}.${testCase.operation}`, testCase]))(
	'%s returns all pages, with the filters on each',
	async (_, testCase) => {
		const samples = [0, 1, 2].map((n) => sample(testCase, n, 'filled'));
		const pages = samples.map((each, n) => pagesOf(testCase, n, each));
		const exchanges = pages.flatMap((each) => each.exchanges);
		const service = createFakeService(exchanges);
		const names = [...new Set(samples.flatMap(({ form }) => Object.keys(form)))];
		const fromItems = parametersFrom(engine.nodeType(NODE).description, testCase, names);
		const options = { ...Object(fromItems.options), concurrency: 1 } as object;
		const result = await runNode(
			engine,
			service,
			{ ...fromItems, returnAll: true, options },
			samples.map(({ form }) => ({ form })),
		);
		expect(service.requests).toEqual(exchanges.map(({ request: requested }) => requested));
		expect(result.json('After')).toEqual(
			pages.flatMap(({ records }, n) => records.map((record) => from(record, n))),
		);
	},
);

it('with Raw Response, each entry is on one page only', async () => {
	const ids = Array.from({ length: PAGE_SIZE + 1 }, (_, index) => index + 1);
	const requested: Array<{ limit: number; page: number }> = [];
	nock('https://links.test')
		.get('/api/channels')
		.query(({ limit, page }) => Boolean(requested.push({ limit: Number(limit), page: Number(page) })))
		.times(2)
		.reply(200, () => {
			const { limit, page } = requested.at(-1)!;
			const channels = ids.slice((page - 1) * limit, page * limit).map((id) => ({ id }));
			const maxpage = Math.ceil(ids.length / limit);
			return { error: 0, data: { result: channels.length, perpage: limit, maxpage, channels } };
		});
	const list = { resource: 'channel', operation: 'getAll', returnAll: true, options: { rawResponse: true } };
	const result = await runNode(engine, { baseUrl: 'https://links.test' }, list);
	const pages = result.json('Link Manager') as Array<{ data: { channels: Array<{ id: number }> } }>;
	expect(pages.flatMap(({ data }) => data.channels.map(({ id }) => id))).toEqual(ids);
});

it('with Raw Response, an entry that is no record does not end the list', async () => {
	const pages = [[{ id: 1 }, null], [{ id: 3 }]];
	for (const [index, channels] of pages.entries()) {
		nock('https://links.test')
			.get('/api/channels')
			.query(({ page }) => page === String(index + 1))
			.reply(200, { error: 0, data: { result: 3, perpage: PAGE_SIZE, maxpage: 2, channels } });
	}
	const list = { resource: 'channel', operation: 'getAll', returnAll: true, options: { rawResponse: true } };
	const result = await runNode(engine, { baseUrl: 'https://links.test' }, list);
	expect(result.json('Link Manager').map(({ data }) => (data as { channels: unknown }).channels)).toEqual(
		pages,
	);
});

it.each(['link', 'title'])('outputs all items of a channel that has only their %s', async (member) => {
	const entries = ['a', 'b'].map((name) => ({
		type: 'links',
		link: '',
		[member]: `https://links.test/${name}`,
	}));
	nock('https://links.test')
		.get('/api/channel/7')
		.query(true)
		.reply(200, { error: 0, data: { result: 2, perpage: PAGE_SIZE, maxpage: 1, items: entries } });
	const list = { resource: 'channel', operation: 'getItems', channelId: byId(7), returnAll: true };
	const result = await runNode(engine, { baseUrl: 'https://links.test' }, list);
	expect(result.json('Link Manager')).toMatchObject(entries);
});

it('does not say that a record is missing if the list kept changing', async () => {
	let total = 0;
	nock('https://links.test')
		.persist()
		.get('/api/campaigns')
		.query(true)
		.reply(200, () => {
			total += 1;
			const campaigns = Array.from({ length: PAGE_SIZE }, (_, index) => ({ id: total * PAGE_SIZE + index }));
			return { error: 0, data: { result: PAGE_SIZE + total, perpage: PAGE_SIZE, maxpage: 2, campaigns } };
		});
	const campaignId = byUrl('https://links.test/u/me/spring-7');
	const result = await runNode(
		engine,
		{ baseUrl: 'https://links.test' },
		{ resource: 'campaign', operation: 'delete', campaignId },
	);
	expect(result.error?.message).toBe('The list /api/campaigns kept changing while it was read [item 0]');
});

describe('on a host that refuses to look up unknown ones, a short URL with the other scheme', () => {
	const details = { id: 7, shorturl: 'https://go.example.com/spring' };
	const lookUp = (short: string) =>
		nock('https://links.test').get('/api/urls').query({ short, limit: 100, page: 1 });
	const runShortLink = async (parameters: object) => {
		lookUp('http://go.example.com/spring').reply(404, { error: 1, message: 'Link not found' });
		lookUp(details.shorturl).reply(200, { error: 0, details, data: {} });
		const baseUrl = 'https://links.test';
		const result = await runNode(engine, { baseUrl }, { resource: 'shortLink', ...parameters });
		return result.json('Link Manager');
	};

	it('is found By URL', async () => {
		nock('https://links.test').delete('/api/url/7/delete').reply(200, { error: 0, message: 'Deleted' });
		const linkId = byUrl('http://go.example.com/spring');
		expect(await runShortLink({ operation: 'delete', linkId })).toEqual([{ deleted: true, id: 7 }]);
	});

	it('is found by Get Many', async () => {
		const filters = { short: 'http://go.example.com/spring' };
		const found = await runShortLink({ operation: 'getAll', returnAll: true, filters });
		expect(found).toMatchObject([{ id: 7, shortUrl: details.shorturl }]);
	});
});

describe('a search in the editor', () => {
	const requested: string[] = [];
	const searchOf = (pageCount: number) => {
		requested.length = 0;
		nock('https://links.test')
			.get('/api/channels')
			.query(({ page }) => Boolean(requested.push(String(page))))
			.times(pageCount)
			.reply(200, () => {
				const page = Number(requested.at(-1));
				const channels = [{ id: page, name: `News ${page}` }];
				return { error: 0, data: { nextpage: page + 1, maxpage: pageCount, channels } };
			});
		return async (filter: string) =>
			await engine.listSearch({
				node: linkManager({ resource: 'channel', operation: 'get' }),
				method: 'channel',
				filter,
				credentials: credentialsFor({ baseUrl: 'https://links.test' }),
			});
	};

	it('finds the entries of all pages, because n8n asks for no more if the list is short', async () => {
		const { results } = await searchOf(3)('news');
		expect(results.map(({ value }) => value)).toEqual([1, 2, 3]);
	});

	it('reads ten pages, and fails if there are more and it found nothing', async () => {
		await expect(searchOf(100)('elsewhere')).rejects.toThrow(
			'"elsewhere" is not among the first 10 entries of the list',
		);
		expect(requested).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
	});

	it('returns a token with a full list', async () => {
		expect(await searchOf(100)('news')).toMatchObject({ paginationToken: '11' });
	});
});
