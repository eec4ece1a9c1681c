import { table } from '../../nodes/LinkManager/resources';
import { ServiceApi, findByUrl, readPages, recordsOf } from '../../nodes/runtime/transport/api';
import { clientOf, type FakeReply, type Sent } from '../support/hosts/service-context';

const PAGE_SIZE = 100;

interface Envelope {
	ids: number[];
	nextpage?: unknown;
	maxpage?: unknown;
}

const response = ({ ids, ...more }: Envelope): FakeReply => ({
	body: { error: '0', data: { result: ids.length, urls: ids.map((id) => ({ id })), ...more } },
});

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

const apiOf = (client: ReturnType<typeof clientOf>['client']) =>
	new ServiceApi(client, { item: 0, advice: '', hint: () => undefined });

/** The list of short links of a service, with filters. */
function listOf(serve: (page: number, limit: number, sent: Sent) => FakeReply) {
	const { client, sent } = clientOf((request) => {
		const { searchParams } = request.url;
		return serve(Number(searchParams.get('page')), Number(searchParams.get('limit')), request);
	});
	const api = apiOf(client);
	const row = table.shortLink.operations.getAll!;
	const parts = { query: { q: 'spring', order: 'click' } };
	const ids = async (limit?: number) => {
		const found: unknown[] = [];
		for await (const { id } of recordsOf(api, row, parts, limit)) found.push(id);
		return found;
	};
	return { pages: () => readPages(api, row, parts), ids, sent };
}

/** A service that has `total` links and says so in every way. */
const honest = (total: number) =>
	listOf((page, limit) => {
		const maxpage = Math.max(1, Math.ceil(total / limit));
		const left = Math.max(0, Math.min(limit, total - (page - 1) * limit));
		return response({ ids: range((page - 1) * limit + 1, left), nextpage: page + 1, maxpage });
	});

it.each([
	[0, 1],
	[1, 1],
	[PAGE_SIZE, 1],
	[PAGE_SIZE + 1, 2],
	[2 * PAGE_SIZE, 2],
])('reads all of %i records in %i requests', async (total, requests) => {
	const { ids, sent } = honest(total);
	expect(await ids()).toEqual(range(1, total));
	expect(sent).toHaveLength(requests);
});

it.each([
	[1, ['1']],
	[PAGE_SIZE - 1, ['99']],
	[PAGE_SIZE, ['100']],
	[PAGE_SIZE + 1, ['100', '100']],
])('reads no more than a limit of %i', async (limit, sizes) => {
	const { ids, sent } = honest(1000);
	expect(await ids(limit)).toEqual(range(1, limit));
	expect(sent.map(({ url }) => url.searchParams.get('limit'))).toEqual(sizes);
});

it('keeps the filters on every page', async () => {
	const { ids, sent } = honest(250);
	await ids();
	expect(sent.map(({ url }) => url.search)).toEqual(
		[1, 2, 3].map((page) => `?q=spring&order=click&limit=100&page=${page}`),
	);
});

it('goes by nextpage where maxpage is missing, and ends when it is null', async () => {
	const { ids, sent } = listOf((page) =>
		response({ ids: range(page * 10, 10), nextpage: page < 3 ? page + 1 : null }),
	);
	expect(await ids()).toEqual(range(10, 30));
	expect(sent).toHaveLength(3);
});

it('ends if nextpage is the requested page', async () => {
	const { ids, sent } = listOf((page) => response({ ids: range(page * 10, 10), nextpage: 2 }));
	expect(await ids()).toEqual(range(10, 20));
	expect(sent).toHaveLength(2);
});

it('follows maxpage even if the server returns smaller pages than requested', async () => {
	const { ids } = listOf((page) => response({ ids: range(page * 15, 15), nextpage: page + 1, maxpage: '4' }));
	expect(await ids()).toEqual(range(15, 60));
});

it.each<[string, (page: number) => Envelope]>([
	['repeats its pages', (page) => ({ ids: range(1, 10), nextpage: page + 1, maxpage: 1000 })],
	['repeats them in turns', (page) => ({ ids: range((page % 2) * 10, 10), nextpage: page + 1 })],
	[
		'goes on with empty ones',
		(page) => ({ ids: page > 2 ? [] : range(page * 10, 10), nextpage: page + 1, maxpage: 1000 }),
	],
	['leads back', () => ({ ids: range(1, 10), nextpage: 1 })],
])('ends at a server that never ends: %s', async (_, serve) => {
	const { ids, sent } = listOf((page) => response(serve(page)));
	const found = await ids();
	expect(new Set(found).size).toBe(found.length);
	expect(sent.length).toBeLessThanOrEqual(3);
});

it('returns records that are on two pages once', async () => {
	const { ids } = listOf((page) => response({ ids: range(page * 8, 10), nextpage: page + 1, maxpage: 3 }));
	expect(await ids()).toEqual(range(8, 26));
});

it.each<[string, unknown]>([
	['an empty list', { result: 0, urls: [] }],
	['an empty object', { result: 0, urls: {} }],
	['nothing', { result: 0, perpage: 15, currentpage: 1 }],
	['null', { result: '0', currentpage: 1, urls: null }],
	['a list as data', []],
])('understands that there are none: %s', async (_, data) => {
	const { ids } = listOf(() => ({ body: { error: '0', data } }));
	expect(await ids()).toEqual([]);
});

it('takes a collection with numbered keys', async () => {
	const { ids } = listOf(() => ({ body: { error: 0, data: { urls: { 0: { id: '4' }, 1: { id: '5' } } } } }));
	expect(await ids()).toEqual([4, 5]);
});

it.each<[string, unknown]>([
	['no data', { error: 0 }],
	['data of another kind', { error: 0, data: 'none' }],
	['another collection', { error: 0, data: { campaigns: [] } }],
	['entries counted but missing', { error: 0, data: { result: 3, maxpage: 1 } }],
	['a collection that is none', { error: 0, data: { urls: 'all' } }],
	['entries that are none', { error: 0, data: { urls: [1, 2] } }],
])('refuses an answer without its list: %s', async (_, body) => {
	const { ids } = listOf(() => ({ body }));
	await expect(ids()).rejects.toMatchObject({
		name: 'NodeApiError',
		message: expect.stringContaining('responded to /api/urls with') as string,
	});
});

it('reads no page beyond the limit', async () => {
	const { pages, sent } = honest(1000);
	for await (const page of pages()) {
		expect(page.records).toHaveLength(PAGE_SIZE);
		break;
	}
	expect(sent).toHaveLength(1);
});

it('finds a record by its address among others without a valid one', async () => {
	const campaigns = [
		{ id: 1 },
		{ id: 2, list: 'none yet' },
		{ id: 3, list: 'https://links.test/u/me/spring-3/' },
	];
	const { client } = clientOf(() => ({ body: { error: '0', data: { campaigns } } }));
	const found = findByUrl(apiOf(client), table.campaign, 'HTTPS://links.test/u/me/spring-3');
	expect(await found).toBe(3);
});

it('requests a record by its address if the service supports that', async () => {
	const shorturl = 'https://links.test/s/a b';
	const { client, sent } = clientOf(() => ({ body: { error: '0', data: { urls: [{ id: 7, shorturl }] } } }));
	expect(await findByUrl(apiOf(client), table.shortLink, shorturl)).toBe(7);
	expect(sent.map(({ url }) => url.searchParams.get('short'))).toEqual([shorturl]);
});
