import type { ReaderClient } from '../../clients/reader-client.ts';
import { addStories, LIVE_WIRE, storiesOf, type Checks } from './check.ts';

const hashesOf = (stories: { story_hash: string }[]) => stories.map(({ story_hash: hash }) => hash);

const mark = (client: ReaderClient, story_hash: string[]) =>
	client.post('/reader/mark_story_hashes_as_read', { story_hash });

async function pages(client: ReaderClient, path: string, query: object, ...numbers: number[]) {
	const found: string[][] = [];
	for (const page of numbers) found.push(hashesOf((await client.get(path, { ...query, page })).body.stories));
	return found;
}

/** Stories that are read between two pages stay in the list. A request with another filter continues the same list. */
async function riverLists(client: ReaderClient, all: string[]): Promise<void> {
	const river = (query: object, ...numbers: number[]) =>
		pages(client, '/reader/river_stories', { feeds: LIVE_WIRE, limit: 10, ...query }, ...numbers);
	expect(await river({ read_filter: 'unread' }, 2, 1, 2)).toEqual([
		[all[10]],
		all.slice(0, 10),
		all.slice(10, 20),
	]);
	await mark(client, all.slice(0, 10));
	expect(await river({ read_filter: 'unread' }, 2)).toEqual([all.slice(10, 20)]);
	const second = await client.get('/reader/river_stories', { feeds: LIVE_WIRE, limit: 5, page: 2 });
	expect(second.body.stories).toMatchObject(all.slice(5, 10).map(() => ({ read_status: 0 })));
	expect(await river({ read_filter: 'all' }, 1)).toEqual([all.slice(0, 10)]);
	// Page 2 of the unread stories is page 2 of the list of all stories, here with the oldest first.
	const [oldest = []] = await river({ read_filter: 'all', order: 'oldest', limit: 1000 }, 1);
	const secondOldestPage = oldest.slice(10, 20);
	expect(await river({ read_filter: 'unread', order: 'oldest' }, 2)).toEqual([secondOldestPage]);
	client.clock.advance(3_600_001);
	expect(await river({ read_filter: 'all' }, 2)).toEqual([[expect.any(String)]]);
}

async function feedLists(client: ReaderClient, all: string[]): Promise<void> {
	const unread = (...numbers: number[]) =>
		pages(client, `/reader/feed/${LIVE_WIRE}`, { read_filter: 'unread' }, ...numbers);
	const [first = []] = await unread(1);
	const rest = all.filter((hash) => !first.includes(hash) && all.indexOf(hash) >= 10);
	const size = first.length;
	await mark(client, first);
	expect(await unread(2)).toEqual([rest.slice(0, size)]);
	await client.get('/reader/unread_story_hashes');
	expect(await unread(2)).toEqual([rest.slice(size, 2 * size)]);
}

async function shareLists(client: ReaderClient): Promise<void> {
	const friend = await client.as('friend');
	for (const story of (await storiesOf(client, 6)).slice(0, 6)) {
		client.clock.advance(1000);
		await friend.post('/social/share_story', { feed_id: 6, story_id: story.id });
	}
	const [mine] = await storiesOf(client, 5);
	await client.post('/social/share_story', { feed_id: 5, story_id: mine?.id ?? '' });
	await client.post('/social/follow', { user_id: 'friend' });
	const shares = (query: object, ...numbers: number[]) =>
		pages(client, '/social/river_stories', { limit: 3, ...query }, ...numbers);
	const friends = { social_user_ids: 2, read_filter: 'all' };
	const [first = [], second = []] = await shares(friends, 1, 2);
	expect(new Set([...first, ...second]).size).toBe(6);
	// Page 2 without page 1 creates the list, and is complete.
	client.clock.advance(3_600_001);
	expect(await shares(friends, 2)).toEqual([second]);
	// Page 2 continues the last page 1, whichever users it is requested for.
	expect(await shares({ ...friends, social_user_ids: 1 }, 2)).toEqual([second]);
	// The oldest page comes first, with its newest story first.
	const [oldest = []] = await shares({ ...friends, order: 'oldest', limit: 100 }, 1);
	const [page = []] = await shares({ ...friends, order: 'oldest' }, 1);
	expect(page).toEqual(oldest.slice(-3));
}

/** The request fails if one of several users is not followed; if none is followed, the list is empty. */
async function strangersShares(client: ReaderClient): Promise<void> {
	await client.post('/api/signup', { username: 'ada', email: 'ada@reader.example', password: 'x' });
	const [story] = await storiesOf(client, 6);
	const ada = await client.as('ada', 'x');
	await ada.post('/social/share_story', { feed_id: 6, story_id: story?.id ?? '' });
	const found = await client.get('/social/find_friends', { query: 'ada' });
	const [{ user_id: stranger }] = found.body['profiles'] as [{ user_id: number }];
	const of = (...ids: number[]) => client.get('/social/river_stories', { social_user_ids: ids });
	expect((await of(2, stranger)).status).toBe(500);
	expect((await of(stranger)).body.stories).toEqual([]);
	expect((await of(2)).status).toBe(200);
}

/** Lists of stories with pages. */
export const pagingChecks: Checks = {
	'page-lists': async (client) => {
		await strangersShares(client);
		await shareLists(client);
		await client.post('/reader/mark_all_as_read');
		const all = await addStories(client, 40);
		await riverLists(client, all);
		await feedLists(client, all);
	},
	'starred-filter': async (client) => {
		const stories = (await storiesOf(client, 1)).slice(0, 3);
		const hashes = hashesOf(stories);
		for (const story_hash of hashes) {
			client.clock.advance(1000);
			await client.post('/reader/mark_story_hash_as_starred', { story_hash });
		}
		await client.post('/reader/delete_feed', { feed_id: 1 });
		const { body } = await client.get('/reader/river_stories', { feeds: 1, read_filter: 'starred' });
		expect(hashesOf(body.stories).slice(0, 3)).toEqual(hashes.toReversed());
		expect(body.stories[0]).toMatchObject({ read_status: 1 });
	},
	'unbounded-pages': async (client) => {
		await addStories(client, 150);
		const { body } = await client.get('/reader/river_stories', { feeds: LIVE_WIRE, limit: 120 });
		expect(body.stories).toHaveLength(120);
	},
	'lone-feeds': async (client) => {
		const url = `${client.origin}/feeds/harbour-lantern/rss.xml?copy=1`;
		const { body } = await client.post('/reader/add_url', { url });
		const { id } = body['feed'] as { id: number };
		const friend = await client.as('friend');
		expect((await friend.get(`/reader/feed/${id}`)).status).toBe(404);
		await client.post('/api/signup', { username: 'ada', email: 'ada@reader.example', password: 'x' });
		await (await client.as('ada', 'x')).post('/reader/add_url', { url });
		const { stories } = (await friend.get(`/reader/feed/${id}`)).body;
		expect(stories.map(({ read_status: status }) => status)).toEqual(stories.map(() => 1));
		expect(stories.length).toBeGreaterThan(0);
	},
};
