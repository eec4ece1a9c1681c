/** Tests how the News Reader handles hosts that deviate from the interface document. */
import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';
import { chain } from '../../engine/index.ts';
import { clock } from '../support/nodes/built';
import {
	createFakeService,
	type Exchange,
	type FakeService,
	type FixedResponses,
} from '../support/hosts/exchanges';
import { FakeHost } from '../support/hosts/fake-host';
import { envelope, profile, story } from '../../cases/reader/vocabulary.ts';
import {
	byId,
	newsReader,
	records,
	runReader,
	SESSION,
	sessionCredential,
} from '../support/nodes/reader-node';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { engine } from '../support/nodes/suite-engine';

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const sessionHeaders = { authorization: null, cookie: SESSION };
const post = (
	path: string,
	body: Record<string, string | string[]>,
	response: object | string,
	status = 200,
): Exchange => ({
	request: {
		...sessionHeaders,
		method: 'POST',
		path,
		query: {},
		body,
		contentType: 'application/x-www-form-urlencoded',
	},
	response: typeof response === 'string' ? response : { ...envelope, ...response },
	status,
});
const get = (
	path: string,
	query: Record<string, string | string[]>,
	response: object | string,
	status = 200,
): Exchange => ({
	request: { ...sessionHeaders, method: 'GET', path, query, contentType: null },
	response: typeof response === 'string' ? response : { ...envelope, ...response },
	status,
});

/** Runs one operation against a service with these exchanges and fixed responses. */
async function run(
	exchanges: Exchange[],
	name: string,
	parameters: object,
	fixedResponses: FixedResponses = {},
) {
	const service = createFakeService(exchanges, '', fixedResponses);
	const [resource, operation] = name.split('.');
	const result = await runReader(engine, { resource, operation, ...parameters }, [{}], {
		credentials: sessionCredential(service.baseUrl, { sessionToken: SESSION }),
	});
	return { service, result };
}

const sent = ({ requests }: FakeService): unknown[] => requests.map(({ body }) => body);

describe('a profile', () => {
	const ownProfile = { ...profile(0), bio: null, website: 'https://me.example', photo_service: null };
	const update = async (fields: object, reported: object): Promise<unknown[]> => {
		const fixedResponses = {
			'/social/load_user_profile': { user_profile: { ...ownProfile, ...reported }, ...envelope },
		};
		const parameters = { additionalFields: fields };
		return sent((await run([], 'profile.update', parameters, fixedResponses)).service);
	};
	const unchanged = { bio: '', website: 'https://me.example', photo_service: '' };

	it('keeps its privacy settings', async () => {
		expect(await update({ location: 'Rome' }, { private: true, protected: false })).toEqual([
			{ ...unchanged, location: 'Rome', private: 'true', protected: 'false' },
		]);
		expect(await update({ private: false }, { private: true, protected: null })).toEqual([
			{ ...unchanged, location: 'Oslo', private: 'false', protected: 'false' },
		]);
	});

	it('is sent without privacy settings if the service has none', async () => {
		expect(await update({ location: 'Rome' }, {})).toEqual([{ ...unchanged, location: 'Rome' }]);
	});

	it('asks for a value if the only field is blank', async () => {
		const { service, result } = await run([], 'profile.update', { additionalFields: { bio: '' } });
		expect(result.error?.description).toBe('Enter a value in at least one field.');
		expect(service.requests).toEqual([]);
	});

	it.each([
		['Location', { location: 'x'.repeat(41) }, 40],
		['Website', { website: `https://${'x'.repeat(193)}` }, 200],
		['Bio', { bio: 'é'.repeat(161) }, 160],
	])('is not sent if %s is too long', async (label, additionalFields, maxLength) => {
		const { service, result } = await run([], 'profile.update', { additionalFields });
		expect(result.error?.message).toBe(
			`${label} has ${maxLength + 1} characters, more than ${maxLength} [item 0]`,
		);
		expect(service.requests).toEqual([]);
	});
});

it('the error about a feed to rename that does not exist names the feed', async () => {
	const renamed = post('/reader/rename_feed', { feed_id: '999', feed_title: 'x' }, '<h1>Not Found</h1>', 404);
	const { result } = await run([renamed], 'feed.rename', { feedId: byId(999), feedTitle: 'x' });
	expect(result.error?.description).toContain('Check Feed, ');
});

describe('folders', () => {
	it('at the top level are deleted with an empty parent folder', async () => {
		const feeds = { feeds: { 42: { id: 42 } }, folders: [42, { Empty: [] }], ...envelope };
		const deleted = post('/reader/delete_folder', { folder_to_delete: 'Empty', in_folder: '' }, { code: 1 });
		const { result } = await run(
			[deleted],
			'folder.delete',
			{ folder: byId('Empty') },
			{ '/reader/feeds': feeds },
		);
		expect(records(result)).toEqual([{ success: true, message: null }]);
	});
});

describe('marking as read by ID', () => {
	const path = '/reader/mark_story_as_read';
	it.each<[string, unknown, string | string[]]>([
		['an id with a comma', 'tag:planet,2026:56', 'tag:planet,2026:56'],
		[
			'one id per line',
			'tag:planet,2026:56\ntag:planet,2026:57',
			['tag:planet,2026:56', 'tag:planet,2026:57'],
		],
		['an array', '={{ ["a,b", "c"] }}', ['a,b', 'c']],
	])('accepts %s', async (_, stories, ids) => {
		const marked = post(path, { story_id: ids, feed_id: '42' }, { code: 0 });
		const { result } = await run([marked], 'story.markReadById', { stories, feedId: byId(42) });
		expect(records(result)).toEqual([{ success: true, message: null }]);
	});
});

describe('saved searches', () => {
	const path = '/reader/save_search';
	const body = { feed_id: 'feed:42', query: 'sun' };
	const parameters = { feedId: byId(42), savedQuery: 'sun' };
	const savedSearches = { saved_searches: [{ feed_id: 'feed:42', query: 'sun' }] };

	it('are saved with the prefix that the service’s own client uses', async () => {
		const { result } = await run([post(path, body, savedSearches)], 'savedSearch.create', parameters);
		expect(records(result)).toEqual([{ feedId: 42, query: 'sun', success: true, message: null }]);
	});

	it('have keys of feeds that Classifier accepts, too', async () => {
		const learned = get('/classifier/42', {}, { payload: { tags: { cli: 1 } } });
		const { result } = await run([learned], 'classifier.get', { feedId: byId('feed:42') });
		expect(records(result)).toEqual([{ classifiers: [{ opinion: 'like', kind: 'tag', value: 'cli' }] }]);
	});

	const failed = (requested: string, form: Record<string, string>): Exchange =>
		post(requested, form, '<h1>Server Error</h1>', 500);
	const sessionCheck = '/social/load_user_profile';
	/** The check shows that the session has ended, and n8n logs in. */
	const expiredSession = (): Exchange[] => {
		const { request: requested, ...login } = post(
			'/api/login',
			{ username: 'reader', password: 'sandbox-password' },
			{ code: 1 },
		);
		const { cookie: _, ...anonymous } = requested;
		const headers = { 'set-cookie': 'reader_sessionid=another; Path=/' };
		return [get(sessionCheck, {}, '', 403), { ...login, request: anonymous, headers }];
	};
	const inNewSession = ({ request: requested, ...exchange }: Exchange): Exchange => ({
		...exchange,
		request: { ...requested, cookie: 'reader_sessionid=another' },
	});

	let time: VirtualClock;
	beforeEach(() => {
		time = makeVirtual(clock);
	});
	afterEach(() => time.restore());

	it('log in again if the session has ended, which causes a server error', async () => {
		const { service, result } = await run(
			[failed(path, body), ...expiredSession(), inNewSession(post(path, body, savedSearches))],
			'savedSearch.create',
			parameters,
		);
		expect(service.requests.map(({ path: requested }) => requested)).toEqual([
			path,
			sessionCheck,
			'/api/login',
			path,
		]);
		expect(records(result)).toEqual([{ feedId: 42, query: 'sun', success: true, message: null }]);
	});

	it('report a server error if the session is valid', async () => {
		const validSession = get(sessionCheck, {}, { user_profile: profile(0) });
		const attempts = [1, 2, 3].flatMap(() => [failed(path, body), validSession]);
		const { result } = await run(attempts, 'savedSearch.create', parameters);
		expect(result.error).toMatchObject({ messages: [expect.stringContaining(path)] });
	});

	it('are in doubt if it is unknown whether the session has ended', async () => {
		const { result } = await run(
			[failed(path, body), get(sessionCheck, {}, '<h1>Not Found</h1>', 404)],
			'savedSearch.create',
			parameters,
		);
		expect(result.error?.description).toMatch(/may have carried out/);
	});

	it('are in doubt if the session check was rate limited, and the retry refused', async () => {
		const limited = {
			...get(sessionCheck, {}, { message: 'Slow down' }, 429),
			headers: { 'retry-after': '2' },
		};
		const { result } = await run(
			[failed(path, body), limited, post(path, body, { code: -1, message: 'Full' })],
			'savedSearch.create',
			parameters,
		);
		expect(result.error).toMatchObject({
			message: expect.stringContaining('Full') as string,
			description: expect.stringMatching(/may have carried out/) as string,
		});
	});

	it.each<[string, Exchange]>([
		[
			'the rate limit',
			{ ...get(sessionCheck, {}, { message: 'Slow down' }, 429), headers: { 'retry-after': '2' } },
		],
		['a refused connection', { ...get(sessionCheck, {}, ''), networkError: 'ECONNREFUSED' }],
	])('are deleted with one request, which is in doubt after a server error and %s', async (_, requested) => {
		const remove = '/reader/delete_search';
		const fixedResponses = { '/reader/feeds': { feeds: {}, folders: [], ...savedSearches, ...envelope } };
		const { service, result } = await run(
			[failed(remove, body), requested, post(remove, body, {})],
			'savedSearch.delete',
			parameters,
			fixedResponses,
		);
		expect(result.error?.description).toMatch(/may have carried out/);
		expect(service.requests.filter((request) => request.path === remove)).toHaveLength(1);
	});
});

describe('users', () => {
	it('are limited to the requested number', async () => {
		const found = [0, 1, 2].map(profile);
		const query = (limit: string) => get('/social/find_friends', { query: 'a', limit }, { profiles: found });
		const all = await run([query('1000')], 'user.find', { userQuery: 'a', returnAll: true });
		expect(records(all.result)).toHaveLength(3);
		const few = await run([query('2')], 'user.find', { userQuery: 'a', limit: 2 });
		expect(records(few.result)).toHaveLength(2);
	});

	it('include yourself once, marked as you', async () => {
		const friends = {
			user_profile: profile(0),
			following_profiles: [profile(0), profile(1)],
			follower_profiles: [profile(0)],
			...envelope,
		};
		const fixedResponses = { '/social/load_user_friends': friends };
		const { result } = await run([], 'user.getAll', { returnAll: true }, fixedResponses);
		expect(records(result)).toMatchObject([
			{ username: 'bob', you: false, following: true, follower: false },
			{ username: 'ada', you: true, following: true, follower: true },
		]);
	});

	it('do not sign up without a password, because the service would use the user name', async () => {
		const parameters = { newUsername: 'ada', newEmail: 'ada@example.com', newPassword: '={{ "" }}' };
		const { service, result } = await run([], 'account.signUp', parameters);
		expect(result.error?.message).toBe('Password is empty [item 0]');
		expect(service.requests).toEqual([]);
	});

	it('with a private share feed are reported without a new login', async () => {
		const refused = get('/social/rss/12/', {}, '', 403);
		const { service, result } = await run([refused], 'share.getFeed', {
			userId: byId(12),
			feedResult: 'items',
		});
		expect(result.error?.message).toContain('The share feed is private');
		expect(result.error?.description).toBe('Get Many returns its stories if you follow the user.');
		expect(service.requests).toHaveLength(1);
	});
});

it('a shared story has the date of the share, not that of a later one by another user', async () => {
	const later = { user_id: 34, comments: 'me too', date: '2026-11-20 09:00:00.5' };
	const shared = story(0, { shared_date: '2026-11-02 08:00:00.5', friend_comments: [later] });
	const exchanges = [get('/social/stories/12/', { page: '1' }, { stories: [shared], feeds: [] })];
	const fixedResponses = { '/reader/feeds': { ...envelope, feeds: {}, folders: [] } };
	const { result } = await run(exchanges, 'share.getAll', { userId: byId(12), limit: 1 }, fixedResponses);
	expect(records(result)).toMatchObject([{ sharedDate: '2026-11-02T08:00:00.000Z' }]);
});

describe('comments', () => {
	const storyId = 'https://weekly.example/?p=6697';
	const hash = '42:d7ddb9';
	const comment = (id: string, user: number, replies: object[] = []) => ({
		id,
		user_id: user,
		comments: `by ${user}`,
		date: '2026-09-01 12:30:00.123456',
		liking_users: [],
		replies,
	});
	const requested = { story_id: storyId, feed_id: '42' };
	const parameters = { feedId: byId(42), storyId: byId(storyId) };

	it('include your own, those of followed users and their answered shares, which only the story contains', async () => {
		const own = comment('c', 7);
		const friend_comments = [comment('a', 12), own];
		const friend_shares = [comment('d', 8, [comment('e', 7)]), comment('f', 9)];
		const found = story(0, { id: storyId, story_hash: hash, friend_comments, friend_shares });
		const { result } = await run(
			[
				get('/social/public_comments', requested, { comments: [comment('a', 12), comment('b', 34)] }),
				get(
					'/reader/river_stories',
					{ h: hash, include_hidden: 'true' },
					{ stories: [found], user_profiles: [{ user_id: 7, username: 'reader' }] },
				),
			],
			'comment.getAll',
			{ ...parameters, returnAll: true },
		);
		expect(records(result).map(({ id, userId, username }) => [id, userId, username])).toEqual([
			['a', 12, null],
			['b', 34, null],
			['c', 7, 'reader'],
			['d', 8, null],
		]);
		expect(result.hints('News Reader')).toEqual([]);
	});

	it('of a story that the service no longer has are reported as incomplete', async () => {
		const fixedResponses = { '/reader/river_stories': { stories: [], ...envelope } };
		const all = get('/social/public_comments', requested, { comments: [comment('a', 1)] });
		const { result } = await run([all], 'comment.getAll', parameters, fixedResponses);
		expect(records(result)).toHaveLength(1);
		expect(result.hints('News Reader').map(({ message }) => message)).toEqual([
			expect.stringContaining('Comments by you and by users you follow are missing'),
		]);
	});

	it('are limited to the requested number', async () => {
		const fixedResponses = { '/reader/river_stories': { stories: [], ...envelope } };
		const all = get('/social/public_comments', requested, { comments: [comment('a', 1), comment('b', 2)] });
		const { result } = await run([all], 'comment.getAll', { ...parameters, limit: 1 }, fixedResponses);
		expect(records(result)).toHaveLength(1);
	});

	describe('and replies', () => {
		const mine = '5f0000000000000000000002';
		const where = { ...parameters, commentUserId: byId(12) };
		const body = { story_feed_id: '42', story_id: storyId, comment_user_id: '12' };
		const replied = (id: string) => comment('a', 12, [{ reply_id: id, user_id: 7, comments: 'hm' }]);

		const change = async (response: object): Promise<IDataObject> => {
			const { result } = await run(
				[post('/social/save_comment_reply', { ...body, reply_comments: 'ah', reply_id: mine }, response)],
				'comment.saveReply',
				{ ...where, replyText: 'ah', additionalFields: { replyId: byId(mine) } },
			);
			return result.error ? { error: result.error.message } : records(result)[0]!;
		};

		it('that are missing or not yours are not reported as changed', async () => {
			const notChanged = { error: `The service did not change the reply ${mine} [item 0]` };
			expect(await change({ code: 1, comment: replied('other'), reply_id: null })).toEqual(notChanged);
			expect(await change({ code: 1, comment: replied('other'), reply_id: mine })).toEqual(notChanged);
			expect(await change({ code: 1, comment: replied(mine), reply_id: null })).toEqual(notChanged);
			expect(await change({ code: 1, comment: replied(mine), reply_id: mine })).toMatchObject({
				replyId: mine,
			});
		});

		it('are checked in an HTML fragment, too', async () => {
			const options = { answerFormat: 'html' };
			const other = '5f0000000000000000000009';
			const fragment = (id: string) => `<div data-id="a"><div data-id="${id}">hm</div></div>`;
			const save = async (remaining: string) => {
				const sent = { ...body, reply_comments: 'ah', reply_id: mine, format: 'html' };
				const exchanges = [post('/social/save_comment_reply', sent, remaining)];
				const parameters = { ...where, replyText: 'ah', additionalFields: { replyId: byId(mine) }, options };
				return (await run(exchanges, 'comment.saveReply', parameters)).result;
			};
			const remove = async (remaining: string) => {
				const sent = { ...body, reply_id: mine, format: 'html' };
				const exchanges = [post('/social/remove_comment_reply', sent, remaining)];
				return (await run(exchanges, 'comment.removeReply', { ...where, replyId: byId(mine), options }))
					.result;
			};
			expect((await save(fragment(other))).error?.message).toContain('did not change the reply');
			expect(records(await save(fragment(mine)))).toEqual([{ html: fragment(mine) }]);
			expect((await remove(fragment(mine))).error?.message).toContain('did not remove the reply');
			expect(records(await remove(fragment(other)))).toEqual([{ html: fragment(other) }]);
		});

		it('of other users are not reported as removed', async () => {
			const removal = (remaining: object) => [
				post('/social/remove_comment_reply', { ...body, reply_id: mine }, { code: 1, comment: remaining }),
			];
			const remove = async (remaining: object) =>
				(await run(removal(remaining), 'comment.removeReply', { ...where, replyId: byId(mine) })).result;
			// Not in doubt: the response shows that nothing was done.
			expect((await remove(replied(mine))).error).toMatchObject({
				message: `The service did not remove the reply ${mine} [item 0]`,
				description: 'Only replies of your own can be removed.',
			});
			expect(records(await remove(comment('a', 12)))).toMatchObject([{ id: 'a', replies: [] }]);
		});
	});
});

describe('saved stories', () => {
	const save = async (more: object): Promise<unknown> => {
		const saved = { story_hash: '42:a1b2c0', user_tags: [], highlights: [], user_notes: 'Look again' };
		const { service, result } = await run(
			[get('/reader/starred_stories', { h: '42:a1b2c0' }, { stories: [saved] })],
			'savedStory.save',
			{ storyHash: '42:a1b2c0', additionalFields: more },
			{
				'/reader/starred_story_hashes': { starred_story_hashes: [['42:a1b2c0', '1788265860']], ...envelope },
			},
		);
		expect(result.error).toBeDefined();
		return service.requests.find(({ method }) => method === 'POST')?.body;
	};

	it('keep their notes if they are saved again', async () => {
		expect(await save({})).toEqual({ story_hash: '42:a1b2c0', user_notes: 'Look again' });
		expect(await save({ userNotes: 'Read' })).toEqual({ story_hash: '42:a1b2c0', user_notes: 'Read' });
	});

	it('get each tag once, because the service counts a repeated one twice', async () => {
		expect(await save({ userTags: 'a, b, a' })).toMatchObject({ user_tags: ['a', 'b'] });
	});

	it('are reported neither as read nor as unread: older servers call all read, newer ones know only single marks', async () => {
		const stories = [1, 0].map((read_status, n) => story(n, { read_status }));
		const { result } = await run(
			[
				get('/reader/starred_stories', { page: '1' }, { stories }),
				get('/reader/starred_stories', { page: '2' }, { stories: [] }),
			],
			'savedStory.getAll',
			{ returnAll: true },
		);
		expect(records(result).map(({ read }) => read)).toEqual([null, null]);
	});

	it('are filtered by the exact tag', async () => {
		const tagged = [['later'], ['lat', 'x'], [' lat '], ['late']].map((tags, n) =>
			story(n, { user_tags: tags }),
		);
		const { result } = await run(
			[
				get('/reader/starred_stories', { tag: 'lat', page: '1' }, { stories: tagged }),
				get('/reader/starred_stories', { tag: 'lat', page: '2' }, { stories: [] }),
			],
			'savedStory.getAll',
			{ returnAll: true, filters: { savedTag: byId('lat') } },
		);
		expect(records(result).map(({ userTags }) => userTags)).toEqual([['lat', 'x'], [' lat ']]);
	});
});

it('takes the saved stories of a river from the saved ones, because a river of most feeds has none older than 30 days', async () => {
	const [older, newer, newest] = [1, 2, 3].map((n) => ({
		...story(n, { starred: true, read_status: n % 2 }),
		story_hash: `42:a1b2c${n}`,
		story_timestamp: String(1_700_000_000 + n),
	}));
	// Two saved stories of one feed can have the same hash.
	const hashes = ['42:a1b2c1', '7:ffffff', '42:a1b2c3', '42:a1b2c2', '42:a1b2c1'];
	const { result } = await run(
		[
			get(
				'/reader/starred_story_hashes',
				{ include_timestamps: 'true' },
				{ starred_story_hashes: hashes.map((hash) => [hash, '1800000000']) },
			),
			get(
				'/reader/starred_stories',
				{ h: ['42:a1b2c1', '42:a1b2c3', '42:a1b2c2'] },
				{ stories: [older, newer, newest], feeds: { 42: { id: 42, feed_title: 'Weekly' } } },
			),
		],
		'river.getAll',
		{
			...{ whichFeeds: 'feeds', feedIds: [42], returnAll: true },
			filters: { readFilter: 'all', savedOnly: true },
		},
		{ '/reader/feeds': { feeds: { 42: { id: 42, feed_title: 'Weekly' } }, folders: [42], ...envelope } },
	);
	const expected = [3, 2, 1].map((n) => [`42:a1b2c${n}`, null]);
	expect(records(result).map(({ hash, read }) => [hash, read])).toEqual(expected);
});

it.each([
	['old Newer Than', { newerThan: 60 }, true],
	['Older Than', { olderThan: 1 }, true],
	['recent Newer Than', { newerThan: 20 }, false],
	['recent Newer Than with Older Than', { newerThan: 20, olderThan: 1 }, false],
	['no date', {}, false],
])('says if stories of a river are missing because they are old: %s', async (_, daysAgo, isIncomplete) => {
	const dates = Object.entries(daysAgo).map(([name, days]) => [
		name,
		new Date(Date.now() - days * 86_400_000).toISOString(),
	]);
	const { result } = await run(
		[
			get(
				'/reader/river_stories',
				{ feeds: '42', read_filter: 'all', limit: '200', page: '1' },
				{ stories: [] },
			),
		],
		'river.getAll',
		{
			...{ whichFeeds: 'feeds', feedIds: [42], returnAll: true },
			filters: { readFilter: 'all', ...Object.fromEntries(dates) },
		},
		{ '/reader/feeds': { feeds: { 42: { id: 42, feed_title: 'Weekly' } }, folders: [42], ...envelope } },
	);
	expect(result.error).toBeUndefined();
	expect(result.hints('News Reader').map(({ message }) => message)).toEqual(
		isIncomplete ? [expect.stringContaining('older than 30 days are missing')] : [],
	);
});

it('does not say that old stories are missing to an account with the Archive plan: the service keeps them for it', async () => {
	const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
	const { result } = await run(
		[
			get(
				'/reader/river_stories',
				{
					...{ feeds: '42', read_filter: 'all', limit: '200', page: '1' },
					date_filter_start: day(61).slice(0, 10),
				},
				{ stories: [] },
			),
		],
		'river.getAll',
		{
			...{ whichFeeds: 'feeds', feedIds: [42], returnAll: true },
			filters: { readFilter: 'all', newerThan: day(60) },
		},
		{
			'/reader/feeds': {
				feeds: { 42: { id: 42, feed_title: 'Weekly' } },
				folders: [42],
				user_profile: { is_archive: true },
				...envelope,
			},
		},
	);
	expect(result.error).toBeUndefined();
	expect(result.hints('News Reader')).toEqual([]);
});

it('finds saved stories in focus in the river itself, because the list of saved stories has no scores', async () => {
	const stories = [1, 0].map((score, n) => story(n, { starred: true, score }));
	const query = { feeds: '42', read_filter: 'all', limit: '200' };
	const { result } = await run(
		[
			get('/reader/river_stories', { ...query, page: '1' }, { stories }),
			get('/reader/river_stories', { ...query, page: '2' }, { stories: [] }),
		],
		'river.getAll',
		{
			...{ whichFeeds: 'feeds', feedIds: [42], returnAll: true },
			filters: { readFilter: 'all', savedOnly: true, focusOnly: true },
		},
	);
	expect(records(result).map(({ score }) => score)).toEqual([1]);
});

describe('a subscription list', () => {
	const feed = (title: string) => `<outline text="${title}" xmlUrl="https://a.example/rss"/>`;
	const opml = (title: string, encoding?: string) =>
		`${encoding ? `<?xml version="1.0" encoding="${encoding}"?>` : ''}<opml version="2.0"><body>${feed(title)}</body></opml>`;
	const plain = opml('Größe');
	/** The node sends what it read in the file. */
	const written = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
<head><title>Subscriptions</title></head>
<body>
<outline text="Größe" title="Größe" type="rss" xmlUrl="https://a.example/rss">
</outline>
</body>
</opml>
`;
	const success = { message: 'OK', code: 1, payload: { folders: [1], feeds: [1, 2, 3] } };
	/** The account's feeds, before and after. */
	const feeds = { '/reader/feeds': { ...envelope, feeds: {}, folders: [] } };

	/** Imports a file into a service that accepts only the expected UTF-8 content. */
	async function upload(file: Buffer, response: object = success) {
		const requested = { method: 'POST', path: '/import/opml_upload', query: {}, ...sessionHeaders };
		const service = createFakeService(
			[
				{
					request: { ...requested, body: { file: written }, contentType: 'multipart/form-data' },
					response,
				},
			],
			'',
			feeds,
		);
		const data = { data: file.toString('base64'), mimeType: 'text/xml', fileName: 'a.opml' };
		const node = newsReader({
			resource: 'subscriptionList',
			operation: 'upload',
			binaryPropertyName: 'data',
		});
		const result = await engine.run({
			workflow: chain({ name: 'File', type: 'n8n-nodes-base.manualTrigger' }, node),
			input: [{ json: {}, binary: { data } }],
			credentials: sessionCredential(service.baseUrl, { sessionToken: SESSION }),
		});
		return { service, result };
	}

	it('sends only feeds of the web that the account does not have, each with its website', async () => {
		const list = [
			{ url: 'https://a.example/rss', website: 'https://a.example/' },
			{ url: 'b.example/rss', website: null },
			{ url: 'feed://c.example/rss' },
			{ url: 'feed:https://d.example/rss' },
			{ url: 'ftp://e.example/rss' },
			{ url: 'newsletter:12:ada@g.example' },
			// With another website, the service would add this one again, and mark its recent stories as read.
			{ url: 'https://f.example/rss', website: 'https://f.example' },
			{ url: 'https://h.example//rss?b=2&a=%2f%3f%7c&utm_source=x&#', website: 'https://h.example' },
			// At these hosts, the service would stop half-way.
			{ url: 'https://i..example/rss' },
			{ url: 'https://א1.example/rss', website: 'http://[j' },
		];
		const parameters = { listSource: 'json', subscriptionsJson: JSON.stringify(list) };
		const own = {
			7: { id: 7, feed_address: 'https://f.example/rss', feed_link: '' },
			8: { id: 8, feed_address: 'http://f.example/rss', feed_link: 'https://f.example/de/' },
			9: { id: 9, feed_address: 'https://h.example/rss?a=/?%7C&b=2', feed_link: '' },
		};
		const { service } = await run([], 'subscriptionList.upload', parameters, {
			'/reader/feeds': { ...envelope, feeds: own, folders: [7, 8, 9] },
		});
		const { file } = service.requests.find(({ method }) => method === 'POST')?.body as { file: string };
		expect(file.match(/xmlUrl="[^>]*/g)).toEqual([
			'xmlUrl="https://a.example/rss" htmlUrl="https://a.example/"',
			'xmlUrl="https://b.example/rss"',
			'xmlUrl="http://c.example/rss"',
			'xmlUrl="https://d.example/rss"',
			'xmlUrl="https://xn--1-zhc.example/rss"',
		]);
	});

	it('fails if feeds could not be put into its folders', async () => {
		const list = JSON.stringify([{ url: 'https://f.example/rss', folder: 'F' }]);
		const parameters = { listSource: 'json', subscriptionsJson: list };
		const body = { file: written.replace(/<outline.*>\n<.outline>\n/, '') };
		const request = { method: 'POST', path: '/import/opml_upload', query: {}, ...sessionHeaders, body };
		const uploaded = { request: { ...request, contentType: 'multipart/form-data' }, response: success };
		const own = { 7: { id: 7, feed_address: 'https://f.example/rss' } };
		const { result } = await run([uploaded], 'subscriptionList.upload', parameters, {
			'/reader/feeds': { ...envelope, feeds: own, folders: [7] },
		});
		expect(result.error?.message).toMatch(/feeds may not be in its folders: .* save the folders/);
		expect(result.error?.message.match(/\[item/g)).toHaveLength(1);
		expect(result.error?.description).toContain('The service may have carried out the request');
	});

	it('is refused without the name of a parameter that the form may not show', async () => {
		const { result } = await upload(Buffer.from(plain), { code: -1, message: 'Too many feeds.' });
		expect(result.error).toMatchObject({
			message: expect.stringContaining('Too many feeds.') as string,
			description: 'Check the subscription list.',
		});
	});

	it.each([
		['UTF-8', Buffer.from(plain)],
		['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${plain}`)],
		['UTF-16, little-endian', Buffer.from(`\uFEFF${plain}`, 'utf16le')],
		['UTF-16, big-endian', Buffer.from(`\uFEFF${opml('Größe', 'UTF-16')}`, 'utf16le').swap16()],
		['a declared legacy encoding', Buffer.from(opml('Größe', 'ISO-8859-1'), 'latin1')],
	])('in %s is sent as UTF-8, and only its own feeds are counted', async (_, file) => {
		const { result } = await upload(file);
		expect(records(result)).toEqual([{ success: true, message: 'OK', queued: false, feedCount: 1 }]);
	});

	it.each([
		['not XML', 'hello', /not expected|not OPML/],
		['HTML', '<html><body>Sorry</body></html>', /it is not OPML/],
		['empty', '', /Start tag expected|is not OPML/],
		['OPML without a body', '<opml version="2.0"><head/></opml>', /it is not OPML/],
		['neither UTF-8 nor declared otherwise', Buffer.from(opml('Größe'), 'latin1'), /it is not in UTF-8/],
	])('is not sent if it is %s', async (_, file, reason) => {
		const { service, result } = await upload(Buffer.from(file));
		expect(result.error?.message).toMatch(reason);
		expect(result.error?.message).toMatch(/^(?:OPML|Input Binary Field) is not a subscription list: /);
		expect([...service.requests, ...service.backgroundPaths]).toEqual([]);
	});

	it('is not sent if its feeds name a folder of 50,000 levels', async () => {
		const folder = Array.from({ length: 50_000 }, () => 'F').join(' / ');
		const subscriptionsJson = [{ url: 'https://news.example/feed', folder }];
		const parameters = { listSource: 'json', subscriptionsJson };
		const { service, result } = await run([], 'subscriptionList.upload', parameters, feeds);
		expect(result.error?.message).toMatch(/^A value is nested too deeply/);
		expect(service.requests).toEqual([]);
	});

	it.each([['ISO-8859-1'], ['UTF-16'], ['UTF-8']])(
		'as text that declares %s is sent as UTF-8',
		async (encoding) => {
			const { service, result } = await run(
				[
					{
						request: {
							...{ ...sessionHeaders, method: 'POST', path: '/import/opml_upload', query: {} },
							...{ body: { file: written }, contentType: 'multipart/form-data' },
						},
						response: success,
					},
				],
				'subscriptionList.upload',
				{ listSource: 'text', opmlText: opml('Größe', encoding) },
				feeds,
			);
			expect(records(result)).toHaveLength(1);
			expect(sent(service)).toEqual([{ file: written }]);
		},
	);

	/** The titles that an export returns if the host responds with these bytes. */
	async function exportTitles(bytes: Buffer): Promise<unknown[]> {
		const exported = { headers: { 'content-type': 'text/x-opml' }, body: bytes };
		const host = await FakeHost.start(({ path }) =>
			path === '/import/opml_export' ? exported : { body: envelope },
		);
		const parameters = { resource: 'subscriptionList', operation: 'export', exportAs: 'feeds' };
		const credentials = sessionCredential(host.baseUrl, { sessionToken: SESSION });
		nock.enableNetConnect('127.0.0.1');
		try {
			return records(await runReader(engine, parameters, [{}], { credentials })).map(({ title }) => title);
		} finally {
			nock.disableNetConnect();
		}
	}

	it.each([
		['UTF-8', Buffer.from(plain), 'Größe'],
		['ISO-8859-1', Buffer.from(opml('Größe', 'ISO-8859-1'), 'latin1'), 'Größe'],
		['UTF-16', Buffer.from(`\uFEFF${opml('Größe', 'UTF-16')}`, 'utf16le'), 'Größe'],
		['UTF-8 with a stray byte', Buffer.from(opml('A\xff'), 'latin1'), 'A\ufffd'],
		['an unknown encoding', Buffer.from(opml('Größe', 'KLINGON-1')), 'Größe'],
	])('that a host exports in %s is decoded correctly', async (_, bytes, title) => {
		expect(await exportTitles(bytes)).toEqual([title]);
	});

	it('that is a login page is refused with advice', async () => {
		const description = expect.stringContaining('a login page answers') as string;
		await expect(exportTitles(Buffer.from('<!doctype html>'))).rejects.toMatchObject({ description });
	});

	it('with a feed in two folders counts it once', async () => {
		const listed = opml('A').replace('<body>', `<body><outline text="Two">${feed('A')}</outline>`);
		const exchanges = [get('/import/opml_export', {}, listed)];
		const valid = { '/social/load_user_profile': { ...envelope, user_profile: profile(0) } };
		const { result } = await run(exchanges, 'subscriptionList.export', { exportAs: 'file' }, valid);
		expect(records(result)).toMatchObject([{ feedCount: 1 }]);
	});

	it('that the service could not read is reported as failed, even if the service reports a success', async () => {
		const { result } = await upload(Buffer.from(plain), { message: 'OK', code: 1, payload: {} });
		expect(result.error).toMatchObject({
			message: 'The service could not read the subscription list [item 0]',
			description: expect.stringContaining('It may have added some feeds.') as string,
		});
	});
});

describe('the raw response', () => {
	const unexpected = { groups: [{ id: 42 }], ...envelope };
	it.each<[string, object, string]>([
		['feed.getAll', { returnAll: true }, '/reader/feeds'],
		['feed.getAll', { limit: 5 }, '/reader/feeds'],
		['user.getAll', { returnAll: true }, '/social/load_user_friends'],
		['story.getHistory', { returnAll: true }, '/reader/read_stories'],
	])('of %s (%j) is returned even if its format is unexpected', async (name, parameters, path) => {
		const raw = { ...parameters, options: { rawResponse: true } };
		expect(records((await run([], name, raw, { [path]: unexpected })).result)).toEqual([unexpected]);
		const { result } = await run([], name, parameters, { [path]: unexpected });
		const messages = [expect.stringContaining(path)];
		expect(result.error).toMatchObject({ messages });
	});
});

describe('the session', () => {
	it('is reported with the path of the session check if that fails', async () => {
		const { result } = await run(
			[
				get('/social/feed_trainer', { user_id: '12' }, '[]'),
				get('/social/load_user_profile', {}, '<h1>Not Found</h1>', 404),
			],
			'share.getTrainer',
			{ userId: byId(12), returnAll: true },
		);
		expect(result.error?.message).toContain('/social/load_user_profile');
		expect(result.error?.message).not.toContain('feed_trainer');
		expect(result.error?.description).toContain('Check the Base URL of the credential.');
	});
});

describe('the source of a story', () => {
	it.each([
		['https://www.reader.example', 'reader.example'],
		['https://news.example:8443/reader', 'news.example:8443'],
	])('is the service itself: %s', async (baseUrl, source) => {
		const { origin, pathname } = new URL(baseUrl);
		const interceptor = nock(origin).get(/read_stories/);
		interceptor.reply(200, { ...envelope, stories: [story(0)] });
		const result = await runReader(engine, { resource: 'story', operation: 'getHistory', limit: 1 }, [{}], {
			credentials: sessionCredential(`${origin}${pathname}`, { sessionToken: SESSION }),
		});
		expect(records(result)).toMatchObject([{ source }]);
	});
});
