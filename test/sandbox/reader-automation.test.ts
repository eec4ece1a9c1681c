import { asReader, controls, type ReaderBody, type ReaderClient } from '../support/clients/reader-client.ts';
import { DAY_MS, NOON } from '../support/clock.ts';

/** The endpoints for automation services, as seen on real hosts. */

const wild = { variant: 'wild' } as const;

const ask = (client: ReaderClient, path: string, body: object | string = {}) =>
	client.send(`/oauth/${path}`, {
		method: 'POST',
		body: typeof body === 'string' ? body : JSON.stringify(body),
		headers: { 'content-type': 'application/json' },
	});

interface Reported {
	[key: string]: unknown;
	StoryTitle: string;
	StoryScore: number;
	meta: { id: string; timestamp: number };
}

const dataOf = (body: ReaderBody) => body['data'] as Reported[];

async function trigger(client: ReaderClient, name: string, triggerFields: object, more: object = {}) {
	return dataOf((await ask(client, `triggers/${name}`, { triggerFields, ...more })).body);
}

const unread = (client: ReaderClient, feed_or_folder: string | number, more: object = {}) =>
	trigger(client, 'new-unread-story', { feed_or_folder }, more);

const act = (client: ReaderClient, name: string, actionFields: object) =>
	ask(client, `actions/${name}`, { actionFields });

test('contract lacks them', () =>
	asReader({}, async (client) => {
		expect((await ask(client, 'triggers/new-unread-story')).status).toBe(404);
	}));

test('requests without an account return 401 labeled as HTML; the status is public', () =>
	asReader(wild, async (client) => {
		client.headers = {};
		const { status, headers, text } = await ask(client, 'triggers/new-unread-story');
		expect([status, headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
		expect(JSON.parse(text)).toEqual({ message: 'You must have a valid OAuth token.' });
		expect((await ask(client, 'status')).body['data']).toEqual({
			status: 'OK',
			time: '2026-09-01T12:00:00Z',
		});
	}));

test('invalid JSON and missing fields return 500; choices need no body', () =>
	asReader(wild, async (client) => {
		for (const body of ['no JSON', '', '{}', '{"triggerFields":{}}']) {
			expect([body, (await ask(client, 'triggers/new-unread-story', body)).status]).toEqual([body, 500]);
		}
		const user = { triggerFields: { blurblog_user: 'nobody' } };
		expect((await ask(client, 'triggers/new-shared-story', user)).status).toBe(500);
		expect((await act(client, 'save-story', {})).status).toBe(500);
		const options = 'triggers/new-unread-story/fields/feed_or_folder/options';
		expect((await ask(client, options, '')).status).toBe(200);
	}));

test('lists unread stories of a feed, a folder or all; an unknown folder means all', () =>
	asReader(wild, async (client) => {
		const all = await unread(client, 'all');
		expect(all).toHaveLength(50);
		expect(await unread(client, 'nowhere')).toEqual(all);
		const one = await unread(client, 1, { limit: 3 });
		expect(one).toHaveLength(3);
		expect(one[0]).toMatchObject({
			PublishedAt: expect.stringMatching(/^2026-.*Z$/),
			StoryScore: 0,
			Site: 'The Harbour Lantern',
			meta: { id: expect.stringMatching(/^1:/), timestamp: expect.any(Number) },
		});
		expect((await unread(client, 'News')).every(({ Site }) => Site !== undefined)).toBe(true);
		expect(await unread(client, '999')).toEqual([]);
	}));

test('`after` reverses the order after the limit is applied', () =>
	asReader(wild, async (client) => {
		const times = (reported: Reported[]) => reported.map(({ meta }) => meta.timestamp);
		const newest = times(await unread(client, 1, { limit: 4 }));
		expect(newest).toEqual(newest.toSorted((a, b) => b - a));
		const after = newest[1] ?? 0;
		expect(times(await unread(client, 1, { limit: 4, after }))).toEqual([after, newest[0]]);
		expect(await unread(client, 1, { limit: 1, before: after })).toEqual([]);
	}));

test('omits hidden stories; focus includes untrained feeds', () =>
	asReader(wild, async (client) => {
		await client.post('/reader/mark_all_as_read');
		await client.control(controls.bulk, { feed_id: 10, count: 3 });
		await client.get('/reader/refresh_feeds');
		const focus = async () =>
			(await trigger(client, 'new-unread-focus-story', { feed_or_folder: 10 })).map(
				(reported) => reported.StoryScore,
			);
		expect(await focus()).toEqual([0, 0, 0]);
		const [first, second] = await unread(client, 10);
		const train = {
			feed_id: 10,
			like_title: first?.StoryTitle ?? '',
			dislike_title: second?.StoryTitle ?? '',
		};
		await client.post('/classifier/save', train);
		expect(await focus()).toEqual([1]);
		expect((await unread(client, 10)).map((reported) => reported.StoryScore)).toEqual([1, 0]);
	}));

test('all and folders skip feeds with the stored count 0, a single feed does not', () =>
	asReader(wild, async (client) => {
		await client.get('/reader/feeds');
		await client.post('/reader/mark_feed_as_read', { feed_id: 10 });
		await client.get('/reader/refresh_feeds');
		client.clock.advance(8 * DAY_MS);
		await client.control(controls.bulk, { feed_id: 10, count: 1 });
		expect(await unread(client, 10)).toHaveLength(1);
		expect((await unread(client, 'all', { limit: 500 })).filter(({ meta }) => /^10:/.test(meta.id))).toEqual(
			[],
		);
	}));

test('saved stories by any part of a tag; `after` is compared with the publication', () =>
	asReader(wild, async (client) => {
		const saved = (story_tag: string, more: object = {}) =>
			trigger(client, 'new-saved-story', { story_tag }, more);
		const all = await saved('all');
		expect(all.length).toBeGreaterThan(1);
		expect(await saved('ate')).toEqual(all.filter(({ Tags }) => String(Tags).includes('later')));
		expect(await saved('LATER')).toEqual([]);
		expect(all[0]).toMatchObject({ SavedAt: expect.any(String), Tags: expect.any(String) });
		expect(all[0]).not.toHaveProperty('StoryScore');
		await client.control(controls.bulk, { feed_id: 10, count: 1 });
		client.clock.advance(7 * DAY_MS);
		const [hash = ''] = (await unread(client, 10, { limit: 1 })).map(({ meta }) => meta.id);
		await client.post('/reader/mark_story_hash_as_starred', { story_hash: hash });
		const after = NOON / 1000 + 3600;
		expect((await saved('all', { after })).map(({ meta }) => meta.id)).toEqual([]);
		expect((await saved('all'))[0]?.meta).toEqual({ id: hash, timestamp: (NOON + 7 * DAY_MS) / 1000 });
	}));

test('lists shared stories of one user, or of all users including the account', () =>
	asReader(wild, async (client) => {
		const shared = (blurblog_user: string | number) => trigger(client, 'new-shared-story', { blurblog_user });
		const names = (reported: Reported[]) => [...new Set(reported.map(({ Username }) => Username))].toSorted();
		expect(names(await shared('all'))).toEqual(['friend', 'reader']);
		expect(names(await shared(2))).toEqual(['friend']);
		expect((await shared(2))[0]).toMatchObject({
			Comments: expect.any(String),
			SharedAt: expect.any(String),
			StoryScore: 0,
		});
	}));

test('lists choices of folders with feeds, tags and users', () =>
	asReader(wild, async (client) => {
		const choices = async (path: string) => dataOf((await ask(client, `${path}/options`)).body);
		const feeds = await choices('triggers/new-unread-focus-story/fields/feed_or_folder');
		expect(feeds[0]).toEqual({ label: ' - Folder: All Site Stories', value: 'all' });
		expect(feeds).toContainEqual({ label: ' - Folder: News', value: 'News', optgroup: true });
		expect(feeds).toContainEqual({ label: 'The Harbour Lantern', value: '1' });
		expect(await choices('triggers/new-saved-story/fields/story_tag')).toContainEqual({
			label: 'later (2 stories)',
			value: 'later',
		});
		expect(await choices('triggers/new-shared-story/fields/blurblog_user')).toEqual([
			{ label: 'All Shared Stories', value: 'all' },
			{ label: 'friend (3 stories)', value: '2' },
			{ label: 'reader (1 story)', value: '1' },
		]);
		expect((await choices('actions/add-site/fields/folder')).slice(0, 2)).toEqual([
			{ label: 'All Site Stories', value: 'all' },
			{ label: 'Top Level', value: 'Top Level' },
		]);
	}));

test('adds a site to a folder; without a feed, the response has neither id nor error', () =>
	asReader(wild, async (client) => {
		const url = String((await client.get('/reader/feeds')).body.feeds['10']?.['feed_address']);
		await client.post('/reader/delete_feed', { feed_id: 10 });
		expect((await act(client, 'add-site', { url, folder: 'News' })).body['data']).toEqual([{ id: 10, url }]);
		const { folders } = (await client.get('/reader/feeds')).body;
		expect(folders).toContainEqual({ News: expect.arrayContaining([10]) });
		const nothing = `${client.origin}/feeds/nothing`;
		expect((await act(client, 'add-site', { url: nothing, folder: 'News' })).body['data']).toEqual([
			{ id: null, url: nothing },
		]);
	}));

test('saves and shares any page, at most three shares a day', () =>
	asReader(wild, async (client) => {
		const page = (number: number) => ({
			story_url: `${client.origin}/feeds/page-${number}`,
			story_title: `Page ${number}`,
			story_content: '<p>x</p>',
		});
		await act(client, 'save-story', { ...page(1), user_tags: 'a,b' });
		expect((await client.get('/reader/starred_stories')).body.stories[0]).toMatchObject({
			story_title: 'Page 1',
			user_tags: ['a', 'b'],
		});
		client.clock.advance(2 * DAY_MS);
		for (const number of [1, 2, 3]) {
			const { body } = await act(client, 'share-story', { ...page(number), comments: 'nice' });
			expect(dataOf(body)).toMatchObject([{ id: page(number).story_url }]);
		}
		expect((await act(client, 'share-story', page(4))).body['errors']).toEqual([
			{ message: 'You can only share 3 stories per day.' },
		]);
	}));
