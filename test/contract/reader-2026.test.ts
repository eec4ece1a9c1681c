/** The News Reader in the sandbox with the public code of 2026, which groups similar stories. */
import type { IDataObject } from 'n8n-workflow';
import type { RunResult } from '../../engine/index.ts';
import { operationParameters } from '../../engine/form.ts';
import {
	byId,
	NODE,
	PASSWORD,
	records,
	runReader,
	sessionCredential,
	USER,
} from '../support/nodes/reader-node';
import { readerTable } from '../../nodes/tables';
import { similarStories } from '../../nodes/NewsReader/fields/story-filters';
import { events } from '../../nodes/NewsReader/triggers/index';
import { asReader, controls, type ReaderClient } from '../support/clients/reader-client.ts';
import { engine } from '../support/nodes/suite-engine';

const BITWRIGHT = 3;
/** In a subfolder of the folder of Bitwright. */
const KILN = 4;
const NIGHT_SKY = 5;
const LIVE_WIRE = 10;

/** Runs an operation as the user of a sandbox of 2026. */
const withSandbox2026 =
	(check: (me: ReaderClient) => Promise<void>, plan: 'free' | 'premium' | 'archive' = 'premium') =>
	async () =>
		await asReader({ variant: '2026', plan }, async (me) => {
			engine.credentials.setAll(sessionCredential(me.url, { username: USER, password: PASSWORD }));
			await check(me);
		});

const hintsOf = (result: RunResult): string =>
	result
		.hints('News Reader')
		.map(({ message }) => message)
		.join();
const run = async (parameters: object) => await runReader(engine, parameters);
const hashesOf = (stories: IDataObject[]): string[] => stories.map(({ hash }) => String(hash));
const sorted = (hashes: string[]): string[] => [...hashes].sort();

/** The hashes of all unread stories of some feeds. The service never groups hashes. */
async function unread(me: ReaderClient, feeds: readonly number[]): Promise<string[]> {
	const { body } = await me.get('/reader/unread_story_hashes', { feed_id: [...feeds] });
	return feeds.flatMap((feed) => (body.unread_feed_story_hashes[feed] ?? []).map(String));
}

/** Publishes stories in some feeds, in groups of ten similar ones. */
async function publishStories(me: ReaderClient, feeds: readonly number[], count: number): Promise<string[]> {
	const before = new Set(await unread(me, feeds));
	for (const feed_id of feeds) await me.control(controls.bulk, { feed_id, count, seconds_apart: 1 });
	const fresh = (await unread(me, feeds)).filter((hash) => !before.has(hash));
	const size = fresh.length / 10;
	for (let group = 0; group < size; group += 1) {
		const story_hashes = fresh.filter((_, index) => index % size === group);
		await me.control(controls.cluster, { story_hashes });
	}
	return fresh;
}

it(
	'gets all similar stories by hash in full, and reports only deleted ones as missing',
	withSandbox2026(async (me) => {
		const hashes = await publishStories(me, [BITWRIGHT, NIGHT_SKY], 15);
		const storyHash = [...hashes, '3:aaaaaa'];
		const found = records(await run({ resource: 'story', operation: 'getByHash', storyHash }));
		expect(hashesOf(found)).toEqual(storyHash);
		expect(found.filter(({ missing }) => missing).map(({ hash }) => hash)).toEqual(['3:aaaaaa']);
		expect(found.slice(0, -1).every(({ content }) => String(content).includes('<p>'))).toBe(true);
	}),
);

it.each([
	['newest', { whichFeeds: 'feeds', feedIds: [BITWRIGHT, NIGHT_SKY] }],
	['oldest', { whichFeeds: 'feeds', feedIds: [BITWRIGHT, NIGHT_SKY] }],
])(
	'lists unread similar stories %s first as separate items: exactly the unread hashes',
	async (order, choice) =>
		await withSandbox2026(async (me) => {
			await publishStories(me, [BITWRIGHT, NIGHT_SKY], 15);
			const filters = { readFilter: 'unread', includeHidden: true };
			const list = async (similarStories: string) =>
				records(
					await run({
						...{ resource: 'river', operation: 'getAll', ...choice, returnAll: true },
						filters: { ...filters, similarStories },
						options: { order },
					}),
				);
			const all = await list('items');
			expect(sorted(hashesOf(all))).toEqual(sorted(await unread(me, [BITWRIGHT, NIGHT_SKY])));
			const dates = all.map(({ date }) => Date.parse(String(date)));
			expect(dates).toEqual([...dates].sort((a, b) => (order === 'oldest' ? a - b : b - a)));

			const heads = await list('inside');
			const inside = heads.flatMap(({ similarStories }) => similarStories as IDataObject[]);
			expect(heads.length).toBeLessThan(all.length);
			expect(new Set([...hashesOf(heads), ...hashesOf(inside)])).toEqual(new Set(hashesOf(all)));
			expect(inside[0]).toEqual({
				title: expect.any(String) as string,
				date: expect.stringMatching(/Z$/) as string,
				feedTitle: expect.any(String) as string,
				score: 0,
				read: false,
				hash: expect.any(String) as string,
				feedId: expect.any(Number) as number,
			});
		})(),
);

it(
	'lists the newest story first as a separate item, even if the service lists it inside an older one',
	withSandbox2026(async (me) => {
		const list = async (amount: object) =>
			records(
				await run({
					...{ resource: 'river', operation: 'getAll', ...amount },
					filters: { similarStories: 'items' },
				}),
			);
		const [newest, ...others] = await list({ limit: 12 });
		const liked = others.findLast(({ feedId }) => feedId !== newest!.feedId)!;
		await me.control(controls.cluster, { story_hashes: [newest!.hash, liked.hash] });
		await me.post('/classifier/save', { feed_id: Number(liked.feedId), like_title: String(liked.title) });
		expect(hashesOf(await list({ limit: 1 }))).toEqual([newest!.hash]);
	}),
);

it(
	'lists one story of each page of a group on two pages, as the form says',
	withSandbox2026(async (me) => {
		const list = async () =>
			records(await run({ resource: 'river', operation: 'getAll', returnAll: true, storyContent: 'none' }));
		const [first, ...others] = await list();
		const last = others.findLast(({ feedId }) => feedId !== first!.feedId)!;
		await me.control(controls.cluster, { story_hashes: [first!.hash, last.hash] });
		const heads = (await list()).filter(({ hash }) => hash === first!.hash || hash === last.hash);
		expect(heads.map(({ similarStories }) => hashesOf(similarStories as IDataObject[]))).toEqual([
			[last.hash],
			[first!.hash],
		]);
		const [{ options } = {}] = similarStories.properties('similarStories');
		expect(options?.[1]).toHaveProperty('description', expect.stringContaining('on each page of the list'));
	}),
);

it(
	'lists the stories of one feed in full, with null for the unknown state of similar ones elsewhere',
	withSandbox2026(async (me) => {
		const hashes = await publishStories(me, [BITWRIGHT, NIGHT_SKY], 10);
		const own = hashes.filter((hash) => hash.startsWith(`${BITWRIGHT}:`));
		const list = async (similarStories: string) =>
			records(
				await run({
					...{ resource: 'story', operation: 'getAll', feedId: byId(BITWRIGHT), limit: 10 },
					filters: { similarStories },
				}),
			);
		expect(sorted(hashesOf(await list('items')))).toEqual(sorted(own));
		const heads = await list('inside');
		const similar = heads.flatMap(({ similarStories }) => similarStories as IDataObject[]);
		const elsewhere = similar.filter(({ feedId }) => feedId === NIGHT_SKY);
		expect(elsewhere.length).toBeGreaterThan(0);
		expect(elsewhere.every(({ read }) => read === null)).toBe(true);
	}, 'archive'),
);

it(
	'gets unread stories as separate items, including similar ones',
	withSandbox2026(async (me) => {
		await publishStories(me, [BITWRIGHT, NIGHT_SKY], 10);
		const parameters = { resource: 'story', operation: 'getUnread', whichFeeds: 'feeds' };
		const found = records(await run({ ...parameters, feedIds: [BITWRIGHT, NIGHT_SKY], returnAll: true }));
		expect(sorted(hashesOf(found))).toEqual(sorted(await unread(me, [BITWRIGHT, NIGHT_SKY])));
	}),
);

it(
	'reports which stories were already read',
	withSandbox2026(async (me) => {
		const hashes = await publishStories(me, [BITWRIGHT, NIGHT_SKY], 5);
		const mark = async (storyHash: string[]) =>
			await run({ resource: 'story', operation: 'markRead', storyHash });
		await me.post('/profile/set_preference', { cluster_mark_read: true });
		const [first = '', second = ''] = hashes;
		const marked = await mark([first]);
		expect(records(marked)).toEqual([{ hash: first, read: true, changed: null }]);
		expect(records(await mark([second]))).toEqual([{ hash: second, read: true, changed: false }]);
	}, 'archive'),
);

it(
	'warns that the river of a free account is truncated, but gets all its unread stories',
	withSandbox2026(async (me) => {
		await publishStories(me, [BITWRIGHT, NIGHT_SKY], 5);
		const feeds = { whichFeeds: 'feeds', feedIds: [BITWRIGHT, NIGHT_SKY], returnAll: true };
		const cut = await run({ resource: 'river', operation: 'getAll', ...feeds });
		expect(records(cut).length).toBeLessThanOrEqual(3);
		expect(hintsOf(cut)).toContain('Story → Get Unread returns at least the newest 500');
		const all = records(await run({ resource: 'story', operation: 'getUnread', ...feeds }));
		expect(sorted(hashesOf(all))).toEqual(sorted(await unread(me, [BITWRIGHT, NIGHT_SKY])));
	}, 'free'),
);

it(
	'filters unread stories by date, title and saved state',
	withSandbox2026(async (me) => {
		const hashes = await publishStories(me, [LIVE_WIRE, NIGHT_SKY], 5);
		const getUnread = async (filters: object) =>
			records(
				await run({
					...{ resource: 'story', operation: 'getUnread', whichFeeds: 'feeds' },
					...{ feedIds: [LIVE_WIRE, NIGHT_SKY], returnAll: true, filters },
				}),
			);
		const all = await getUnread({});
		const middle = String(all[4]?.date);
		const newer = await getUnread({ newerThan: middle });
		expect(hashesOf(newer)).toEqual(hashesOf(all.filter(({ date }) => String(date) > middle)));
		const older = await getUnread({ olderThan: middle });
		expect(hashesOf(older)).toEqual(hashesOf(all.filter(({ date }) => String(date) < middle)));
		const [saved = ''] = hashes;
		await me.post('/reader/mark_story_hash_as_starred', { story_hash: saved });
		expect(hashesOf(await getUnread({ savedOnly: true }))).toEqual([saved]);
		const title = String(all[0]?.title).slice(1, -1);
		expect(await getUnread({ titleContains: title.toUpperCase() })).toContainEqual(
			expect.objectContaining({ hash: all[0]?.hash }),
		);
		expect(await getUnread({ titleContains: 'nothing like it' })).toEqual([]);
	}),
);

it(
	'lists stories of infrequent feeds only among the chosen ones, also if none of these is infrequent',
	withSandbox2026(async (me) => {
		const [frequent, infrequent] = [BITWRIGHT, 8];
		const read = async (feedIds: number[], filters: object = {}) =>
			await run({
				...{ resource: 'river', operation: 'getAll', whichFeeds: 'feeds', feedIds, returnAll: true },
				filters: { readFilter: 'all', infrequent: 5, ...filters },
			});
		const none = await read([frequent]);
		expect([records(none), hintsOf(none)]).toEqual([[], '']);
		for (const feed of [frequent, infrequent]) {
			const { stories } = (await me.get(`/reader/feed/${feed}`)).body;
			await me.post('/reader/mark_story_hash_as_starred', { story_hash: stories[0]!.story_hash });
		}
		for (const filters of [{}, { savedOnly: true }]) {
			const found = records(await read([frequent, infrequent], filters));
			expect(new Set(found.map(({ feedId }) => feedId))).toEqual(new Set([infrequent]));
		}
		await me.post('/reader/delete_feed', { feed_id: frequent });
		const left = await read([frequent]);
		expect([records(left), hintsOf(left)]).toEqual([[], '']);
	}),
);

it(
	'requests a feed without readers again if the service has not fetched it yet',
	withSandbox2026(async (me) => {
		await me.post('/reader/delete_feed', { feed_id: LIVE_WIRE });
		me.clock.advance(86_400_001);
		expect((await me.get(`/reader/feed/${LIVE_WIRE}`)).body).toMatchObject({ not_yet_fetched: true });
		const listed = await run({ resource: 'story', operation: 'getAll', feedId: byId(LIVE_WIRE), limit: 3 });
		expect(records(listed)).toHaveLength(3);
	}),
);

it(
	'rejects values that the service would misread: blank titles, short trees, other feeds',
	withSandbox2026(async (me) => {
		const rejectionOf = async (parameters: object) => String((await run(parameters)).error?.message);
		const rename = { resource: 'feed', operation: 'rename', feedId: byId(NIGHT_SKY) };
		expect(await rejectionOf({ ...rename, feedTitle: ' ' })).toContain('Title is empty');
		const title = (await me.get('/reader/feeds')).body.feeds[NIGHT_SKY]?.feed_title;
		expect(title).toBeTruthy();

		await me.post('/reader/set_feed_mute', { feed_id: NIGHT_SKY, mute: true });
		const folders = JSON.stringify([1, 2, 3, 4, 6, 7, 8, 9, 10]);
		const order = { resource: 'folder', operation: 'saveOrder', folders };
		expect(await rejectionOf(order)).toContain(
			`leaves out feeds of your subscriptions or folders: ${NIGHT_SKY}`,
		);

		const river = { resource: 'river', operation: 'getAll', whichFeeds: 'feeds' };
		expect(await rejectionOf({ ...river, feedIds: ['night sky'] })).toContain('"night sky" is not an ID');

		// The service takes 0 for all feeds, and reports success for any other feed.
		const unread = { resource: 'story', operation: 'markUnreadByDays', unreadDays: 5 };
		for (const feed of [0, 999_999]) {
			const refused = `Feed ${feed} is not one of your subscriptions`;
			expect(await rejectionOf({ ...unread, feedId: byId(feed) })).toContain(refused);
		}
	}),
);

it(
	'marks the stories of a folder as unread without those of its subfolders, as the form says',
	withSandbox2026(async (me) => {
		const feeds = [BITWRIGHT, KILN];
		await me.post('/reader/mark_feed_as_read', { feed_id: feeds });
		const form = { unreadStoriesOf: 'folder', folder: byId('Technology'), unreadDays: 30 };
		await run({ resource: 'story', operation: 'markUnreadByDays', ...form });
		expect(await unread(me, [KILN])).toEqual([]);
		const { properties } = engine.nodeType(NODE).description;
		const folder = operationParameters(
			{ properties },
			{ resource: 'story', operation: 'markUnreadByDays' },
		).find(({ name }) => name === 'folder');
		expect(folder?.description).toBe('The folder, without its subfolders');
	}),
);

it(
	'marks newer stories as read if the service counts none',
	withSandbox2026(async (me) => {
		await me.post('/reader/mark_feed_as_read', { feed_id: LIVE_WIRE });
		await me.get('/reader/feeds');
		await me.control(controls.bulk, { feed_id: LIVE_WIRE, count: 3, seconds_apart: 1 });
		expect(await unread(me, [LIVE_WIRE])).not.toEqual([]);
		await run({
			...{ resource: 'feed', operation: 'markRead', whichFeeds: 'feeds', feedIds: [LIVE_WIRE] },
			...{ whichStories: 'newer', cutoffDate: '2020-01-01T00:00:00Z' },
		});
		expect(await unread(me, [LIVE_WIRE])).toEqual([]);
	}),
);

it(
	'counts only the newest 500 unread stories of a feed, and says so where it counts',
	withSandbox2026(async (me) => {
		await me.control(controls.bulk, { feed_id: LIVE_WIRE, count: 501, seconds_apart: 1 });
		const feeds = records(await run({ resource: 'feed', operation: 'getAll', returnAll: true }));
		const { unread: count } = feeds.find(({ id }) => id === LIVE_WIRE)!;
		const chosen = { whichFeeds: 'feeds', feedIds: [LIVE_WIRE], returnAll: true, storyContent: 'none' };
		const all = records(await run({ resource: 'story', operation: 'getUnread', ...chosen }));
		expect([count, all.length > 500]).toEqual([500, true]);
		const { members } = readerTable.feed.operations.getAll.output.shape!.schema;
		for (const name of ['focus', 'unread', 'hidden'])
			expect(members[name]?.jsonSchema.description).toContain('of the newest 500 unread stories');
		const [threshold] = events.unreadCountReached.fields.threshold?.properties('threshold') ?? [];
		expect(threshold?.description).toContain('at most 500 of a feed');
	}),
);

it(
	'treats stories of a super dislike as hidden, with a hint',
	withSandbox2026(async (me) => {
		const [story] = (await me.get(`/reader/feed/${NIGHT_SKY}`)).body.stories;
		const entry = [
			{ kind: 'title', opinion: 'super_dislike', value: String(story?.story_title) },
			{ kind: 'feed', opinion: 'like' },
		];
		await run({
			...{ resource: 'classifier', operation: 'save', feedId: byId(NIGHT_SKY), classifiers: { entry } },
		});
		const list = async (filters: object) =>
			records(
				await run({ resource: 'story', operation: 'getAll', feedId: byId(NIGHT_SKY), limit: 5, filters }),
			);
		expect(hashesOf(await list({}))).not.toContain(story?.story_hash);
		expect((await list({ includeHidden: true }))[0]).toMatchObject({ hash: story?.story_hash, score: -2 });
		const learned = records(
			await run({ resource: 'classifier', operation: 'get', feedId: byId(NIGHT_SKY) }),
		)[0];
		expect(learned?.classifiers).toContainEqual({
			opinion: 'super_dislike',
			kind: 'title',
			value: story?.story_title,
		});
	}),
);

it.each(['premium', 'archive'] as const)(
	'lists the stories between two times with the plan %s, without changing the unread ones',
	async (plan) =>
		await withSandbox2026(async (me) => {
			await me.control(controls.bulk, { feed_id: LIVE_WIRE, count: 6, seconds_apart: 43_200 });
			const before = await unread(me, [LIVE_WIRE]);
			const list = async (filters: object) =>
				records(
					await run({
						...{ resource: 'river', operation: 'getAll', whichFeeds: 'feeds', feedIds: [LIVE_WIRE] },
						...{ returnAll: true, filters },
					}),
				);
			for (const readFilter of ['all', 'unread']) {
				const all = await list({ readFilter });
				const [newer, older] = [String(all[4]?.date), String(all[1]?.date)];
				const between = all.filter(({ date }) => String(date) > newer && String(date) < older);
				expect(between.length).toBeGreaterThan(1);
				const found = await list({ readFilter, newerThan: newer, olderThan: older });
				expect(hashesOf(found)).toEqual(hashesOf(between));
			}
			expect(await unread(me, [LIVE_WIRE])).toEqual(before);
		}, plan)(),
);

it.each(['premium', 'archive'] as const)(
	'filters saved stories by saved date and read ones by publication date with the plan %s',
	async (plan) =>
		await withSandbox2026(async (me) => {
			await me.control(controls.bulk, { feed_id: LIVE_WIRE, count: 30, seconds_apart: 43_200 });
			const hashes = (await unread(me, [LIVE_WIRE])).slice(0, 30);
			const times: string[] = [];
			for (const hash of hashes) {
				me.clock.advance(86_400_000 / 4);
				times.push(new Date(me.clock.now()).toISOString());
				await me.post('/reader/mark_story_hash_as_starred', { story_hash: hash });
				await me.post('/reader/mark_story_hashes_as_read', { story_hash: hash });
			}
			const list = async (resource: string, operation: string, filters: object) =>
				records(await run({ resource, operation, returnAll: true, filters }));
			const between = { savedAfter: times[9], savedBefore: times[20] };
			const saved = await list('savedStory', 'getAll', between);
			expect(hashesOf(saved)).toEqual(hashes.slice(10, 20).reverse());

			const all = await list('story', 'getHistory', {});
			const dates = all.map(({ date }) => String(date)).sort();
			const [newerThan = '', olderThan = ''] = [dates[9], dates[20]];
			const found = await list('story', 'getHistory', { newerThan, olderThan });
			const expected = all.filter(({ date }) => String(date) > newerThan && String(date) < olderThan);
			expect(expected.length).toBeGreaterThan(5);
			expect(sorted(hashesOf(found))).toEqual(sorted(hashesOf(expected)));
		}, plan)(),
);
