/** The requests of the News Reader's forms, and the values that they reject. */
import { operationParameters } from '../../engine/form.ts';
import { readerTable } from '../../nodes/tables';
import { FakeHost } from '../support/hosts/fake-host';
import { runBetween } from '../support/nodes/node';
import { byId, newsReader, NODE as READER, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

const HASH = '42:a1b2c3';

let host: FakeHost;

beforeAll(async () => {
	host = await FakeHost.start(() => ({
		body: {
			result: 'ok',
			authenticated: true,
			feeds: {},
			folders: [],
			stories: [],
			story: { story_hash: HASH },
			comment: {},
		},
	}));
});
beforeEach(() => host.reset());

/** The paths with queries, and the bodies, of an operation's requests. */
async function requestsOf(parameters: object): Promise<string> {
	const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
	const { error } = await runBetween(engine, newsReader(parameters), [{}], { credentials });
	expect(error).toBeUndefined();
	return host.requests.map(({ url, body }) => `${url} ${body}`).join();
}

const stories = { resource: 'story', operation: 'getAll', feedId: byId(42) };
const comment = {
	resource: 'comment',
	operation: 'like',
	feedId: byId(42),
	storyId: byId('a'),
	commentUserId: byId(7),
};
const marks = { resource: 'feed', operation: 'markRead', whichFeeds: 'feeds', feedIds: [42] };
const date = 1_788_265_800;
const shares = { resource: 'share', operation: 'getAll', userId: byId(7) };

it.each([
	[
		'the user name of a share feed',
		{ ...shares, options: { shareUsername: 'ada' } },
		'/social/stories/7/ada',
	],
	[
		'a side of a date',
		{ ...marks, whichStories: 'newer', cutoffDate: date },
		`direction=newer&cutoff_timestamp=${date}`,
	],
	[
		'a date that the service would take for none',
		{ ...marks, whichStories: 'older', cutoffDate: '1970-01-01T00:00:00Z' },
		'direction=older&cutoff_timestamp=1',
	],
	['the answer format', { ...comment, options: { answerFormat: 'json' } }, 'format=json'],
	['stories without content', { ...stories, storyContent: 'none' }, 'include_story_content=false'],
	[
		'whole stories without content',
		{ ...stories, simplify: false, filters: { includeStoryContent: false } },
		'include_story_content=false',
	],
])('sends %s', async (_, parameters, sent) => {
	expect(await requestsOf(parameters)).toContain(sent);
});

it.each(Object.entries(readerTable))(
	'has each field of %s below the one that shows it',
	(resource, table) => {
		for (const operation of Object.keys(table.operations)) {
			const form = operationParameters(engine.nodeType(READER).description, { resource, operation });
			form.forEach(({ displayOptions }, n) => {
				const below = form.slice(n).map(({ name }) => name);
				expect(below.filter((name) => name in (displayOptions?.show ?? {}))).toEqual([]);
			});
		}
	},
);

it('leaves null out of the body of an API Request', async () => {
	const apiBody = { url: 'https://example.com/feed', folder: null, tags: ['a', null], more: { a: null } };
	const request = {
		resource: 'apiRequest',
		operation: 'send',
		apiPath: '/reader/add_url',
		apiMethod: 'POST',
	};
	const sent = await requestsOf({ ...request, additionalFields: { apiBody } });
	expect(decodeURIComponent(sent)).toContain('url=https://example.com/feed&tags=a&more={"a":null}');
});

it.each(['..', 'a\nb', 'a\tb'])('refuses %j in a path', async (shareUsername) => {
	const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
	const parameters = { ...shares, options: { shareUsername } };
	const { error } = await runBetween(engine, newsReader(parameters), [{}], { credentials });
	expect(error?.message).toMatch(/^User Name ".*" cannot be in an address \[item 0\]$/s);
	expect(host.requests).toEqual([]);
});

it('requests content once, and ignores the hidden setting', async () => {
	const contradictory = { ...stories, storyContent: 'html', filters: { includeStoryContent: false } };
	expect(await requestsOf(contradictory)).not.toContain('include_story_content');
});

it.each([
	['folder', 'getAll'],
	['savedSearch', 'getAll'],
	['savedStory', 'getTags'],
])(
	'%s → %s reads the other members of the list of feeds without requesting new counts',
	async (resource, operation) => {
		expect(await requestsOf({ resource, operation })).toContain('/reader/feeds?update_counts=false');
	},
);

it.each([
	[{ ...marks, whichFeeds: 'all', feedIds: undefined }, 'Which Feeds selects no feeds', 'add a feed first'],
	[
		{ ...marks, whichFeeds: 'folder', folder: byId('Empty') },
		'Which Feeds selects no feeds',
		'Choose others',
	],
	[
		{ resource: 'savedSearch', operation: 'delete', feedId: byId(42), savedQuery: 'solar' },
		'Saved Query "solar" is not a saved search of feed',
		'There are no saved searches',
	],
])('rejects %j', async (parameters, message, advice) => {
	host.respond = ({ path }) =>
		path === '/reader/feeds'
			? { body: { authenticated: true, feeds: {}, folders: [{ Empty: [] }], saved_searches: [] } }
			: undefined;
	const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
	const { error } = await runBetween(engine, newsReader(parameters), [{}], { credentials });
	expect(error?.message).toContain(message);
	expect(error?.description).toContain(advice);
});

it.each(['all', 'folder'])('lists no stories of a river without feeds (%s)', async (whichFeeds) => {
	host.respond = ({ path }) =>
		path === '/reader/feeds'
			? { body: { authenticated: true, feeds: {}, folders: [{ Empty: [] }] } }
			: undefined;
	const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
	const empty = { resource: 'river', operation: 'getAll', whichFeeds, folder: byId('Empty') };
	const { error, items } = await runBetween(engine, newsReader(empty), [{}], { credentials });
	expect(error).toBeUndefined();
	expect(items('News Reader')).toEqual([]);
	expect(host.requests.map(({ path }) => path)).not.toContain('/reader/river_stories');
});

it('sets Include Story Content to the service’s default, on', () => {
	const added = engine
		.nodeType(READER)
		.description.properties.flatMap(({ options = [] }) => options)
		.filter(({ name }) => name === 'includeStoryContent');
	expect(added).not.toEqual([]);
	for (const option of added) expect(option).toMatchObject({ type: 'boolean', default: true });
});

describe('sharing a story', () => {
	const share = { resource: 'share', operation: 'create' };

	it('needs no feed for a hash', async () => {
		expect(await requestsOf({ ...share, storyId: byId(HASH) })).toContain('feed_id=42');
	});

	it('needs a feed for an ID', async () => {
		const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
		const node = newsReader({ ...share, storyId: byId('https://news.example.com/?p=42') });
		const { error } = await runBetween(engine, node, [{}], { credentials });
		expect(error?.message).toContain('Feed is empty');
		expect(host.requests).toEqual([]);
	});
});

it('names the only saved search of the account if another one is to be deleted', async () => {
	host.respond = ({ path }) =>
		path === '/reader/feeds'
			? { body: { authenticated: true, feeds: {}, saved_searches: [{ feed_id: 'feed:42', query: 'wind' }] } }
			: undefined;
	const parameters = { resource: 'savedSearch', operation: 'delete', feedId: byId(42), savedQuery: 'solar' };
	const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
	const { error } = await runBetween(engine, newsReader(parameters), [{}], { credentials });
	expect(error?.description).toMatch(/The saved searches are: .*wind/);
});
