import { table } from '../../nodes/LinkManager/resources';
import { ServiceApi } from '../../nodes/runtime/transport/api';
import { findByUrl } from '../../nodes/runtime/transport/find';
import { readPages, recordsOf } from '../../nodes/runtime/transport/lists';
import { clientOf, type FakeReply, type SentRequest } from '../support/hosts/service-context';

const PAGE_SIZE = 100;
const CHANGED = 'The list /api/urls changed while it was read: some of its records may be missing';

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
function listServedBy(serve: (page: number, limit: number, sent: SentRequest) => FakeReply) {
	const { client, sent } = clientOf((request) => {
		const { searchParams } = request.url;
		return serve(Number(searchParams.get('page')), Number(searchParams.get('limit')), request);
	});
	const api = apiOf(client);
	const row = table.shortLink.operations.getAll!;
	const parts = { query: { q: 'spring', order: 'click' } };
	const ids = async (limit?: number) => {
		const result: unknown[] = [];
		for await (const { id } of recordsOf(api, row, parts, { limit })) result.push(id);
		return result;
	};
	return { pages: () => readPages(api, row, parts), ids, sent };
}

/** A service with `total` links whose responses have all paging members. */
const completeService = (total: number) =>
	listServedBy((page, limit) => {
		const maxpage = Math.max(1, Math.ceil(total / limit));
		const remaining = Math.max(0, Math.min(limit, total - (page - 1) * limit));
		return response({ ids: range((page - 1) * limit + 1, remaining), nextpage: page + 1, maxpage });
	});

it.each([
	[0, 1],
	[1, 1],
	[PAGE_SIZE, 1],
	[PAGE_SIZE + 1, 2],
	[2 * PAGE_SIZE, 2],
])('reads all of %i records in %i requests', async (total, requests) => {
	const { ids, sent } = completeService(total);
	expect(await ids()).toEqual(range(1, total));
	expect(sent).toHaveLength(requests);
});

it.each([
	[1, ['1']],
	[PAGE_SIZE - 1, ['99']],
	[PAGE_SIZE, ['100']],
	[PAGE_SIZE + 1, ['100', '100']],
])('reads no more pages than the limit of %i needs', async (limit, sizes) => {
	const { ids, sent } = completeService(1000);
	expect((await ids(limit)).slice(0, limit)).toEqual(range(1, limit));
	expect(sent.map(({ url }) => url.searchParams.get('limit'))).toEqual(sizes);
});

it('sends the filters with every page', async () => {
	const { ids, sent } = completeService(250);
	await ids();
	expect(sent.map(({ url }) => url.search)).toEqual(
		[1, 2, 3].map((page) => `?q=spring&order=click&limit=100&page=${page}`),
	);
});

it('follows nextpage if maxpage is missing, and ends if it is null', async () => {
	const { ids, sent } = listServedBy((page) =>
		response({ ids: range(page * 10, 10), nextpage: page < 3 ? page + 1 : null }),
	);
	expect(await ids()).toEqual(range(10, 30));
	expect(sent).toHaveLength(3);
});

it('ends if nextpage is the requested page', async () => {
	const { ids, sent } = listServedBy((page) => response({ ids: range(page * 10, 10), nextpage: 2 }));
	expect(await ids()).toEqual(range(10, 20));
	expect(sent).toHaveLength(2);
});

it('follows maxpage even if the server returns smaller pages than requested', async () => {
	const { ids } = listServedBy((page) =>
		response({ ids: range(page * 15, 15), nextpage: page + 1, maxpage: '4' }),
	);
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
])('ends although the server reports more pages: %s', async (_, serve) => {
	const { ids, sent } = listServedBy((page) => response(serve(page)));
	const result = await ids();
	expect(new Set(result).size).toBe(result.length);
	expect(sent.length).toBeLessThanOrEqual(6);
});

it('returns a record on two pages once', async () => {
	const { ids } = listServedBy((page) =>
		response({ ids: range(page * 8, 10), nextpage: page + 1, maxpage: 3 }),
	);
	expect(await ids()).toEqual(range(8, 26));
});

it.each<[string, unknown]>([
	['an empty list', { result: 0, urls: [] }],
	['an empty object', { result: 0, urls: {} }],
	['nothing', { result: 0, perpage: 15, currentpage: 1 }],
	['null', { result: '0', currentpage: 1, urls: null }],
	['a list as data', []],
	['an empty object as data', {}],
	['entries that are no objects', { result: 2, urls: [1, 2] }],
])('returns no records: %s', async (_, data) => {
	const { ids } = listServedBy(() => ({ body: { error: '0', data } }));
	expect(await ids()).toEqual([]);
});

it('reads an object with numbered keys as a list', async () => {
	const { ids } = listServedBy(() => ({
		body: { error: 0, data: { urls: { 0: { id: '4' }, 1: { id: '5' } } } },
	}));
	expect(await ids()).toEqual([4, 5]);
});

it.each<[string, unknown]>([
	['no data', { error: 0 }],
	['data of another kind', { error: 0, data: 'none' }],
	['another collection', { error: 0, data: { campaigns: [] } }],
	['entries counted but missing', { error: 0, data: { result: 3, maxpage: 1 } }],
	['a collection that is none', { error: 0, data: { urls: 'all' } }],
])('rejects a response without a list: %s', async (_, body) => {
	const { ids } = listServedBy(() => ({ body }));
	await expect(ids()).rejects.toMatchObject({
		name: 'NodeApiError',
		message: expect.stringContaining('responded with JSON without a list of') as string,
	});
});

describe('a list that moves while it is read', () => {
	/** A list with newest entries first, which changes before a given request. `counts` is what `result` counts. */
	const movingList = (
		counts: 'all' | 'page',
		size: number,
		change: (ids: number[], request: number) => void,
	) => {
		const all = range(1, size).reverse();
		const hints: string[] = [];
		const { client, sent } = clientOf(({ url }) => {
			change(all, sent.length);
			const [page, limit] = ['page', 'limit'].map((name) => Number(url.searchParams.get(name))) as [
				number,
				number,
			];
			const urls = all.slice((page - 1) * limit, page * limit).map((id) => ({ id }));
			const result = counts === 'all' ? all.length : urls.length;
			const envelope = { result, perpage: limit, currentpage: page, maxpage: Math.ceil(all.length / limit) };
			return { body: { error: '0', data: { ...envelope, ...(urls.length > 0 && { urls }) } } };
		});
		const api = new ServiceApi(client, { item: 0, advice: '', hint: (message) => void hints.push(message) });
		const ids = async (limit?: number): Promise<number[]> => {
			const found: number[] = [];
			const list = recordsOf(api, table.shortLink.operations.getAll!, {}, { limit });
			for await (const { id } of list) found.push(Number(id));
			return found.sort((a, b) => a - b);
		};
		return { ids, hints, requests: () => sent.length };
	};

	it.each(['all', 'page'] as const)(
		'lacks no record if others are deleted; result counts %s',
		async (counts) => {
			const { ids, hints } = movingList(counts, 250, (all, request) => {
				if (request === 2) all.splice(10, 3);
			});
			expect(await ids()).toEqual(expect.arrayContaining([...range(1, 237), ...range(241, 10)]));
			expect(hints).toEqual([]);
		},
	);

	it.each(['all', 'page'] as const)('may lose its last page; result counts %s', async (counts) => {
		const { ids } = movingList(counts, 101, (all, request) => {
			if (request === 2) all.shift();
		});
		expect(await ids()).toEqual(expect.arrayContaining(range(1, 100)));
	});

	it.each(['all', 'page'] as const)(
		'hides nothing behind a page of new records; result counts %s',
		async (counts) => {
			const { ids } = movingList(counts, 1000, (all, request) => {
				if (request === 2) all.unshift(...range(1001, 100).reverse());
			});
			expect(await ids()).toEqual(range(1, 1100));
		},
	);

	it('lacks no record that rises to an earlier page', async () => {
		const { ids } = movingList('page', 250, (all, request) => {
			if (request === 2) all.splice(50, 0, ...all.splice(150, 1));
		});
		expect(await ids()).toEqual(range(1, 250));
	});

	it.each(['all', 'page'] as const)(
		'lacks no record if two change places; result counts %s',
		async (counts) => {
			const { ids } = movingList(counts, 250, (all, request) => {
				if (request === 2) [all[50], all[150]] = [all[150]!, all[50]!];
			});
			expect(await ids()).toEqual(range(1, 250));
		},
	);

	it('is read three times, and a hint says that records may be missing', async () => {
		const { ids, hints } = movingList('all', 250, (all) => void all.shift());
		await ids();
		expect(hints).toEqual([CHANGED]);
	});

	it.each(['all', 'page'] as const)(
		'also says so if the limit was reached; result counts %s',
		async (counts) => {
			const { ids, hints } = movingList(counts, 250, (all, request) => {
				if (request === 2) all.shift();
			});
			// The whole second page, which overlaps the first one if the service does not count all entries.
			expect(await ids(150)).toHaveLength(counts === 'all' ? 200 : 199);
			expect(hints).toEqual([CHANGED]);
		},
	);

	it.each([
		['all', 250, 3],
		['page', 250, 3],
		['page', 500, 5],
		['page', 1000, 10],
	] as const)(
		'takes no more requests if it is at rest: result counts %s, %i records',
		async (counts, size, expected) => {
			const { ids, requests } = movingList(counts, size, () => undefined);
			expect(await ids()).toEqual(range(1, size));
			expect(requests()).toBe(expected);
		},
	);
});

it('reads no page beyond the limit', async () => {
	const { pages, sent } = completeService(1000);
	for await (const page of pages()) {
		expect(page.records).toHaveLength(PAGE_SIZE);
		break;
	}
	expect(sent).toHaveLength(1);
});

it('finds a record by its URL among records with invalid URLs', async () => {
	const campaigns = [
		{ id: 1 },
		{ id: 2, list: 'none yet' },
		{ id: 3, list: 'https://links.test/u/me/spring-3/' },
	];
	const { client } = clientOf(() => ({ body: { error: '0', data: { campaigns } } }));
	const result = findByUrl(apiOf(client), table.campaign, 'HTTPS://links.test/u/me/spring-3');
	expect(await result).toBe(3);
});

it('names each item in its own error if items look for the same missing URL at once', async () => {
	const { client } = clientOf(() => ({ body: { error: '0', data: { campaigns: [{ id: 1 }] } } }));
	const found = [0, 1, 2].map(async (item) => {
		const api = new ServiceApi(client, { item, advice: '', hint: () => undefined });
		return await findByUrl(api, table.campaign, 'https://links.test/u/me/spring-3');
	});
	const reasons = (await Promise.allSettled(found)).map((result) => String(Reflect.get(result, 'reason')));
	expect(reasons.map((reason) => /\[item \d\]/.exec(reason)?.[0])).toEqual([
		'[item 0]',
		'[item 1]',
		'[item 2]',
	]);
});

describe('a short URL', () => {
	const shorturl = 'http://links.test/s/spring';

	it.each([
		[shorturl, 1],
		['HTTP://LINKS.test/s/spring/', 1],
		['https://links.test/s/spring', 2],
		['links.test/s/spring', 2],
	])('%s finds the link in %i requests', async (url, requests) => {
		const { client, sent } = clientOf(({ url: { searchParams } }) => {
			const urls = searchParams.get('short') === shorturl ? [{ id: 7, shorturl }] : [];
			return { body: { error: '0', data: { result: urls.length, maxpage: 1, urls } } };
		});
		expect(await findByUrl(apiOf(client), table.shortLink, url)).toBe(7);
		expect(sent).toHaveLength(requests);
	});
});

describe('the URL of a domain', () => {
	const find = async (url: string): Promise<unknown> => {
		const domains = ['http://go.example', 'https://go.example', 'http://old.example'].map((domain, n) => ({
			id: n + 1,
			domain,
		}));
		const { client } = clientOf(() => ({ body: { error: '0', data: { domains } } }));
		return await findByUrl(apiOf(client), table.domain, url);
	};

	it('is the same with another spelling, and another with another scheme', async () => {
		expect(await find('https://GO.example:443/')).toBe(2);
		expect(await find('http://go.example')).toBe(1);
		await expect(find('https://old.example')).rejects.toThrow(
			'You have no domain with the URL "https://old.example"',
		);
	});
});

it('refuses a URL that several records nearly have', async () => {
	const campaigns = ['http://links.test/u/me/a', 'https://links.test/u/me/a/'].map((list, n) => ({
		id: n,
		list,
	}));
	const { client } = clientOf(() => ({ body: { error: '0', data: { campaigns } } }));
	const found = findByUrl(apiOf(client), table.campaign, 'https://links.test/u/me/a');
	await expect(found).rejects.toThrow('Several have nearly the URL "https://links.test/u/me/a": ID 0, 1');
});
