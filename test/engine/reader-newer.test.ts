/** Operations that only newer servers offer: their requests, their output, and their errors on older hosts. */
import { newerCases } from '../../cases/reader/newer.ts';
import { isOnNewerServers } from '../support/cases/declared';
import { readerTable } from '../../nodes/tables';
import type { Operation } from '../../nodes/runtime/table/operation';
import { missingFrom } from '../support/cases/parameters';
import { FakeHost, type Reply } from '../support/hosts/fake-host';
import { runBetween } from '../support/nodes/node';
import { byId, newsReader, records, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

let host: FakeHost;
/** The host's responses by path. */
let replies: Record<string, Reply>;

const envelope = { result: 'ok', authenticated: true };
const FEEDS = {
	...envelope,
	feeds: { 42: { id: 42, feed_title: 'Invented Weekly', feed_address: 'https://weekly.example/rss' } },
	folders: [42, { Tech: [{ Deep: [42] }] }],
	folder_paths_supported: true,
	user_profile: { is_archive: true },
};

beforeAll(async () => {
	const notFound = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' };
	host = await FakeHost.start(({ path }) => replies[path] ?? notFound);
});
beforeEach(() => {
	host.reset();
	replies = { '/reader/feeds': { body: FEEDS } };
});

const run = async (parameters: object, items: object[] = [{}], account: object = {}) =>
	await runBetween(engine, newsReader(parameters), items, {
		credentials: sessionCredential(host.baseUrl, { sessionToken: SESSION, ...account }),
	});

/** The last request, with its form fields. */
function lastRequest(): { path: string; fields: Record<string, string[]> } {
	const sent = host.requests.filter((request) => !request.path.endsWith('/feed_unread_count'));
	const { path = '', url = '', body = '' } = sent.at(-1) ?? {};
	const fields = new URLSearchParams(body || url.slice(path.length));
	return {
		path,
		fields: Object.fromEntries([...new Set(fields.keys())].map((key) => [key, fields.getAll(key)])),
	};
}

const feedId = byId(42);

it('has a case for every operation that only newer servers offer', () => {
	const names = Object.entries(readerTable).flatMap(([resource, { operations }]) =>
		Object.entries<Operation>(operations).flatMap(([operation, row]) =>
			isOnNewerServers(row) ? [`${resource}.${operation}`] : [],
		),
	);
	expect(missingFrom(Object.keys(newerCases), names, 'cases/reader/newer.ts')).toEqual([]);
});

describe.each(Object.entries(newerCases))('%s', (name, { form, path, fields, response, items: items }) => {
	const [resource, operation] = name.split('.');
	const parameters = { resource, operation, ...form };

	it('sends the values of the form and returns the result', async () => {
		replies[path] = { body: { ...response, ...envelope } };
		const result = await run(parameters);
		expect(result.error).toBeUndefined();
		expect(lastRequest()).toEqual({ path, fields });
		expect(records(result)).toEqual(items);
	});

	// Servers of July 2024 have these calls already.
	if (resource === 'notification') return;
	it.each<[string, Reply]>([
		[
			'has no such call',
			{ status: 404, headers: { 'content-type': 'text/html' }, body: '<p>Nothing here</p>' },
		],
		['answers with a page', { headers: { 'content-type': 'text/html' }, body: '<p>Welcome</p>' }],
	])('reports in one sentence that a host %s', async (_, reply) => {
		replies[path] = reply;
		replies['/reader/feeds'] = { body: { ...FEEDS, folder_paths_supported: undefined } };
		const { error } = await run(parameters);
		expect(error?.message).toContain('This host does not offer');
		expect(error?.description).not.toContain('may have carried out');
		expect(host.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});
});

const hash = '1:aaaaaa';
it.each([
	['getByHash', '/reader/river_stories', {}, `The service’s response does not mention ${hash} [item 0]`, ''],
	[
		'markUnread',
		'/reader/mark_story_hash_as_unread',
		{ stories: [{ story_hash: hash, code: -1 }] },
		'The news reader service refused to mark stories as unread. It gave no reason [item 0]',
		`This is about ${hash}.`,
	],
])(
	'quotes only what the service says of a story: %s',
	async (operation, path, json, message, description) => {
		replies[path] = { body: { ...envelope, ...json } };
		const { error } = await run({ resource: 'story', operation, storyHash: hash });
		expect(error?.message).toBe(message);
		expect(error?.description ?? '').toBe(description);
	},
);

describe('adding many feeds at once', () => {
	const add = { resource: 'feed', operation: 'addMany', feedsToAdd: [42, 77] };
	const raw = { ...add, options: { rawResponse: true } };
	const reply = (json: object) => ({ body: { ...envelope, batch_add_supported: true, ...json } });

	it('reports a feed without a code as not added', async () => {
		replies['/reader/add_feeds'] = reply({ code: 0, results: [{ feed_id: 42, code: 1 }, { feed_id: 77 }] });
		expect(records(await run(add)).map(({ feedId: id, success }) => [id, success])).toEqual([
			[42, true],
			[77, false],
		]);
	});

	it('works in an account without feeds, to which no server says that it is newer', async () => {
		replies['/reader/feeds'] = { body: { ...envelope, feeds: [], folders: [] } };
		replies['/reader/add_feeds'] = reply({
			code: 1,
			results: [42, 77].map((id) => ({ feed_id: id, code: 1 })),
		});
		expect(records(await run(add)).map(({ success }) => success)).toEqual([true, true]);
	});

	it('sends a hundred feeds in one request', async () => {
		const sizes: number[] = [];
		host.respond = ({ method, path, body }) => {
			if (method !== 'POST') return path === '/reader/add_feeds' ? reply({}) : replies[path];
			const ids = new URLSearchParams(body).getAll('feed_ids');
			sizes.push(ids.length);
			return reply({ code: 1, results: ids.map((id) => ({ feed_id: id, code: 1 })) });
		};
		const feedsToAdd = Array.from({ length: 101 }, (_, n) => n + 1);
		expect(records(await run({ ...add, feedsToAdd }))).toHaveLength(101);
		expect(sizes).toEqual([100, 1]);
	});

	it('does not say that a feed was added which the service refused, if it adds none of a later request', async () => {
		host.respond = ({ method, path, body }) => {
			if (method !== 'POST') return path === '/reader/add_feeds' ? reply({}) : replies[path];
			const ids = new URLSearchParams(body).getAll('feed_ids');
			const results = ids.map((id) => ({ feed_id: id, code: id === '1' ? 1 : -1, message: 'Not found' }));
			return reply({ code: ids.includes('1') ? 0 : -1, results });
		};
		const feedsToAdd = [1, ...Array.from({ length: 100 }, (_, n) => n + 1)];
		const { error } = await run({ ...add, feedsToAdd });
		expect(error?.description).toContain(
			'Entries 1, 2 of item 0 were done. Entries 3 to 101 of item 0 were not done.',
		);
	});

	it('returns the raw response unless the service added none', async () => {
		replies['/reader/add_feeds'] = reply({ code: 0, results: [{ feed_id: 42, code: 1 }] });
		expect(records(await run(raw))).toMatchObject([{ code: 0, results: [{ feed_id: 42 }] }]);
		const refused = { feed_id: 42, code: -1, message: 'A newsletter' };
		const none = reply({ code: -1, results: [refused, { ...refused, feed_id: 77 }] });
		host.respond = ({ method, path }) => (method === 'POST' ? none : replies[path]);
		expect((await run(raw)).error?.message).toContain('Feed 42 was not added: A newsletter');
	});
});

describe('classifiers', () => {
	const save = (classifiers: object[], more: object = {}) =>
		run({ resource: 'classifier', operation: 'save', feedId, classifiers: { entry: classifiers }, ...more });

	const inDeep = { additionalFields: { classifierScope: 'folder', scopeFolder: byId('Tech / Deep') } };

	beforeEach(() => {
		replies['/classifier/save'] = { body: { ...envelope, code: 0, message: '' } };
		replies['/reader/all_classifiers'] = { body: { ...envelope, folders: [] } };
	});

	it('saves regular expressions and super dislikes, in a folder, on a newer server', async () => {
		const result = await save(
			[
				{ kind: 'title_regex', opinion: 'super_dislike', value: '(?i)^solar (?P<what>\\w+)' },
				{ kind: 'url', opinion: 'like', value: 'weekly' },
			],
			inDeep,
		);
		expect(result.error).toBeUndefined();
		expect(lastRequest().fields).toEqual({
			feed_id: ['42'],
			super_dislike_title_regex: ['(?i)^solar (?P<what>\\w+)'],
			like_url: ['weekly'],
			scope: ['folder'],
			folder_name: ['Tech - Deep'],
		});
	});

	it.each(['(solar', '^\\p{L}+$', '^[\\w-.]+@'])(
		'rejects %s, which the service would silently ignore',
		async (value) => {
			const { error } = await save([{ kind: 'text_regex', opinion: 'like', value }]);
			expect(error?.message).toContain(
				`Classifiers contain "${value}", which is not a valid regular expression`,
			);
			expect(host.requests).toEqual([]);
		},
	);

	it('reports an entry without a value by its label', async () => {
		const { error } = await save([{ kind: 'title_regex', opinion: 'remove_super_dislike' }]);
		expect(error?.message).toContain('Classifiers contain one without a Value');
		expect(host.requests).toEqual([]);
	});

	it('rejects values that an older server would silently ignore', async () => {
		replies['/reader/feeds'] = { body: { ...FEEDS, folder_paths_supported: undefined } };
		const { error } = await save([{ kind: 'url', opinion: 'like', value: 'weekly' }]);
		expect(error?.message).toContain('This host does not offer these classifiers');
		const { error: none } = await save([{ kind: 'tag', opinion: 'like', value: 'cli' }]);
		expect(none).toBeUndefined();
	});

	it('lists those of a feed in several folders once', async () => {
		const feed = {
			feed_id: 42,
			feed_title: 'Invented Weekly',
			classifiers: { tags: [{ tag: 'cli', score: 1 }] },
		};
		const folders = ['Tech', 'Tech - Deep'].map((name) => ({ folder_name: name, feeds: [feed] }));
		replies['/reader/all_classifiers'] = { body: { ...envelope, folders } };
		const result = await run({ resource: 'classifier', operation: 'getAll', returnAll: true });
		expect(records(result)).toMatchObject([{ kind: 'tag', value: 'cli', feedId: 42 }]);
		expect(records(result)).toHaveLength(1);
	});

	it('rejects a folder that the scope would silently ignore', async () => {
		const { error } = await save([{ kind: 'tag', opinion: 'like', value: 'cli' }], {
			additionalFields: { scopeFolder: byId('Tech / Deep') },
		});
		expect(error?.message).toContain('Scope Folder needs Scope → A Folder');
		expect(host.requests).toEqual([]);
		const unknown = { classifierScope: 'folder', scopeFolder: byId('Nope') };
		const refused = await save([{ kind: 'tag', opinion: 'like', value: 'cli' }], {
			additionalFields: unknown,
		});
		expect(refused.error?.message).toContain('Scope Folder "Nope" does not exist');
	});

	it.each([
		['like', 'Tech', 'which the service has with another scope or kind'],
		['remove_like', 'Tech', 'which the service has with another scope or kind'],
		['remove_like', 'Tech - Deep', undefined],
	])(
		'rejects %s in a folder if the service would take that in %s for it',
		async (opinion, folder_name, flaw) => {
			const tags = [{ tag: 'cli', score: 1, scope: 'folder', folder_name }];
			replies['/reader/all_classifiers'] = {
				body: { ...envelope, folders: [], scoped_classifiers: { tags } },
			};
			const { error } = await save([{ kind: 'tag', opinion, value: 'cli' }], inDeep);
			expect(error?.message).toEqual(flaw && expect.stringContaining(`Classifiers contain "cli", ${flaw}`));
			expect(lastRequest().path).toBe(flaw ? '/reader/all_classifiers' : '/classifier/save');
		},
	);

	it('rejects a scope for the feed itself, which the service would silently ignore', async () => {
		const { error } = await save([{ kind: 'feed', opinion: 'like' }], {
			additionalFields: { classifierScope: 'global' },
		});
		expect(error?.message).toContain('Scope does not apply to the kind Feed');
	});

	it('rejects a scope that the plan does not include', async () => {
		replies['/reader/feeds'] = { body: { ...FEEDS, user_profile: { is_archive: false } } };
		const { error } = await save([{ kind: 'tag', opinion: 'like', value: 'cli' }], {
			additionalFields: { classifierScope: 'global' },
		});
		expect(error?.message).toContain('Scope needs an account with the Archive plan');
	});
});

describe('a tag to rename', () => {
	const rename = (tag: string, newTagName: string) =>
		run({ resource: 'savedStory', operation: 'renameTag', savedTag: byId(tag), newTagName });

	beforeEach(() => {
		replies['/reader/feeds'] = { body: { ...FEEDS, starred_counts: [{ tag: 'cli' }, { tag: 'other' }] } };
		replies['/reader/rename_starred_tag'] = {
			body: { ...envelope, code: 1, starred_counts: [{ tag: 'other' }] },
		};
	});

	it.each(['tools', 'other'])('is rejected if no saved story has it, renamed to %s', async (name) => {
		const { error } = await rename('CLI', name);
		expect(error?.message).toContain('Tag "CLI" does not exist: no saved story has it');
		expect(error?.description).not.toContain('may have carried out');
		expect(host.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});

	it('has at most 128 characters', async () => {
		const longestName = 'a'.repeat(128);
		replies['/reader/rename_starred_tag'] = {
			body: { ...envelope, code: 1, starred_counts: [{ tag: longestName }] },
		};
		expect((await rename('cli', longestName)).error).toBeUndefined();
		const { error } = await rename('cli', `${longestName}a`);
		expect(error?.message).toContain('New Name has 129 characters, more than 128');
	});

	it('may have blanks around it, which the service removes', async () => {
		expect(records(await rename('cli', ' other '))).toEqual([{ tag: 'other' }]);
	});

	it('is in doubt if the response lacks the new name', async () => {
		const { error } = await rename('cli', 'tools');
		expect(error?.message).toContain('The service did not rename the tag cli');
		expect(error?.description).toContain('may have carried out');
	});

	it('may be the result of an earlier item', async () => {
		replies['/reader/rename_starred_tag'] = {
			body: { ...envelope, code: 1, starred_counts: [{ tag: 'tools' }, { tag: 'apps' }] },
		};
		const form = { savedTag: byId('={{ $json.tag }}'), newTagName: '={{ $json.name }}' };
		const items = [
			{ tag: 'cli', name: 'tools' },
			{ tag: 'tools', name: 'apps' },
		];
		const result = await run({ resource: 'savedStory', operation: 'renameTag', ...form }, items);
		expect(records(result)).toEqual([{ tag: 'tools' }, { tag: 'apps' }]);
	});
});

it.each([
	['feed', { feedId }],
	['folder', { folder: byId('Tech') }],
])(
	'has the unread stories of a %s counted after its days were set: more days make some unread',
	async (of, place) => {
		for (const kind of ['feed', 'folder']) {
			replies[`/reader/save_${kind}_auto_mark_read`] = { body: { ...envelope, code: 1 } };
		}
		const form = { resource: 'autoMarkRead', operation: 'set', autoMarkOf: of, ...place };
		replies['/reader/feed_unread_count'] = { body: { ...envelope, feeds: {} } };
		expect((await run(form)).hints('News Reader')).toEqual([]);
		expect(host.requests.at(-1)?.url).toBe('/reader/feed_unread_count?feed_id=42&force=true');
	},
);

it('names the folder of set days as Get Many does, however it was written', async () => {
	replies['/reader/save_folder_auto_mark_read'] = { body: { ...envelope, code: 1 } };
	replies['/reader/feeds'] = { body: { ...FEEDS, folders: [{ 'AC/DC': [42] }] } };
	const form = { resource: 'autoMarkRead', operation: 'set', autoMarkOf: 'folder', folder: byId('AC/DC') };
	expect(records(await run(form))).toMatchObject([{ folder: 'AC\\/DC' }]);
});

it('sets notifications on an older server, which has this call, too', async () => {
	replies['/reader/feeds'] = { body: { ...FEEDS, folder_paths_supported: undefined } };
	replies['/notifications/feed'] = { body: { ...envelope, notifications_by_feed: {} } };
	const result = await run({ resource: 'notification', operation: 'set', feedId, notifyOf: 'focus' });
	expect(records(result)).toEqual([{ feedId: 42, types: [], filter: 'focus' }]);
});

it('reports that the service has not fetched a feed yet, instead of an empty list', async () => {
	replies['/reader/feed/42'] = { body: { ...envelope, stories: [], not_yet_fetched: true } };
	const { error } = await run({ resource: 'story', operation: 'getAll', feedId });
	expect(error?.message).toBe('The service has not fetched this feed lately [item 0]');
	const requested = host.requests
		.map(({ path, url }) => url ?? path)
		.filter((url) => url.includes('/reader/feed/42'));
	expect(requested.map((url) => url.includes('insta_fetch=1'))).toEqual([false, true]);
});

describe('the dates of a list', () => {
	const filters = { newerThan: '2026-03-02T00:00:00Z', olderThan: '2026-03-05T23:59:59Z', readFilter: 'all' };
	const days = { date_filter_start: ['2026-03-01'], date_filter_end: ['2026-03-06'] };
	const list = async (parameters: object) => {
		for (const path of ['/reader/river_stories', '/reader/feed/42'])
			replies[path] = { body: { ...envelope, stories: [] } };
		expect((await run({ operation: 'getAll', ...parameters })).error).toBeUndefined();
		return lastRequest().fields;
	};
	const river = { resource: 'river', whichFeeds: 'feeds', feedIds: [42] };
	const story = { resource: 'story', feedId };

	it.each([
		['river', { ...river, filters }],
		['feed', { ...story, filters }],
		['feed without Read Filter', { ...story, filters: { ...filters, readFilter: undefined } }],
	])('are sent for a %s with the Archive plan, one day wider', async (_, parameters) => {
		expect(await list(parameters)).toMatchObject({ ...days, read_filter: ['all'] });
	});

	it.each([
		['unread stories', { ...river, filters: { ...filters, readFilter: 'unread' } }],
		['a river without Read Filter', { ...river, filters: { ...filters, readFilter: undefined } }],
		['unread stories of a feed', { ...story, filters: { ...filters, readFilter: 'unread' } }],
		['a search', { ...story, filters: { ...filters, searchQuery: 'solar' } }],
	])('are not sent with %s', async (_, parameters) => {
		expect(Object.keys(await list(parameters)).filter((name) => name.startsWith('date_'))).toEqual([]);
	});

	it('are not sent with another plan', async () => {
		replies['/reader/feeds'] = { body: { ...FEEDS, user_profile: { is_archive: false } } };
		expect(await list({ ...river, filters })).not.toHaveProperty('date_filter_start');
	});
});
