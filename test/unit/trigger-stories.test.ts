/** The triggers for stories: filters, folders, and long or empty lists. */
import type { RequestParts } from '../../nodes/runtime/api-types';
import { newSavedStory, newUnreadStory } from '../../nodes/NewsReader/triggers/new-stories';
import { sample, type PollSettings } from '../../nodes/runtime/poll/step';
import { SimulatedN8n, WorldApi, type World } from './trigger-world';

/** `count` unread stories, newest last; every twentieth is about zebras. */
const world = (count: number): World => {
	const stories = Array.from({ length: count }, (_, number) => ({
		story_hash: `1:${number.toString(16).padStart(6, '0')}`,
		story_timestamp: String(number),
		story_title: `${number % 20 === 0 ? 'zebra' : 'horse'} ${number}`,
		score: 0,
	}));
	return {
		ask: ({ route }, { query }) =>
			route === 'GET /reader/unread_story_hashes'
				? {
						unread_feed_story_hashes: {
							1: stories.map((story) => [story.story_hash, story.story_timestamp]),
						},
					}
				: { stories: stories.filter(({ story_hash: hash }) => (query.h as string[]).includes(hash)) },
	};
};

const zebras = newUnreadStory.watch({ title: 'zebra' });
const run = (count: number, settings: Partial<PollSettings>): SimulatedN8n =>
	new SimulatedN8n(zebras, world(count), 'cursors', settings);
const emitted = (...numbers: number[]) =>
	expect.objectContaining({
		ids: numbers.map((number) => `unread:1:${number.toString(16).padStart(6, '0')}`),
	});

it('emits the latest matching stories at the first poll', async () => {
	const n8n = run(150, { firstCount: 2 });
	expect(await n8n.poll()).toEqual(emitted(120, 140));
	expect(await n8n.poll()).toEqual(emitted());
});

it.each([
	[1000, [0]],
	[1001, []],
])('looks for matching stories among the latest thousand at the first poll: %i', async (count, found) => {
	const watch = newUnreadStory.watch({ title: 'zebra 0' });
	const n8n = new SimulatedN8n(watch, world(count), 'cursors', { firstCount: 1 });
	expect(await n8n.poll()).toEqual(emitted(...found));
});

it('shows a matching story in a test run even if newer ones do not match', async () => {
	const items = await sample(zebras, new WorldApi(world(150)), 3);
	expect(items.map(({ json }) => json.title)).toEqual(['zebra 100', 'zebra 120', 'zebra 140']);
});

it('sends at most twenty requests of a hundred stories per poll, and continues at the next', async () => {
	const n8n = run(5000, { firstCount: Infinity, maximum: 1000 });
	const ids: string[] = [];
	const requests: number[] = [];
	for (let polls = 0; polls < 4; polls += 1) {
		const polled = await n8n.poll();
		if ('failed' in polled) throw polled.failed;
		requests.push(polled.requests);
		ids.push(...polled.ids);
	}
	// One more for the list, and one for the feed titles.
	expect(requests).toEqual([22, 22, 12, 1]);
	expect(new Set(ids).size).toBe(250);
	expect(ids).toHaveLength(250);
});

it('stops requesting stories after the maximum number of items', async () => {
	const n8n = run(300, { firstCount: Infinity, maximum: 5 });
	// One request for the list, one for a hundred stories with five zebras, and one for the feed titles.
	expect(await n8n.poll()).toEqual(expect.objectContaining({ requests: 3 }));
});

it('emits the story of a group with the highest score, however far apart the list has its stories', async () => {
	const hashOf = (number: number): string => `1:${number.toString(16).padStart(6, '0')}`;
	const similar = [10, 150, 2900];
	const unread = Array.from({ length: 3000 }, (_, number) => [hashOf(number), number]);
	const storyOf = (hash: string) => {
		const isSimilar = similar.map(hashOf).includes(hash);
		return {
			story_hash: hash,
			score: hash === hashOf(2900) ? 1 : 0,
			cluster_stories: isSimilar ? similar.map((number) => ({ story_hash: hashOf(number) })) : [],
		};
	};
	const grouped: World = {
		ask: ({ route }, { query }) =>
			route === 'GET /reader/unread_story_hashes'
				? { unread_feed_story_hashes: { 1: unread } }
				: { stories: ((query.h ?? []) as string[]).map(storyOf) },
	};
	const watch = newUnreadStory.watch({ similarStories: 'group' });
	const n8n = new SimulatedN8n(watch, grouped, 'cursors', { firstCount: Infinity, maximum: 20 });
	const polled = await n8n.poll();
	const ids = 'ids' in polled ? polled.ids : [];
	expect(ids).toHaveLength(20);
	expect(ids).toContain(`unread:${hashOf(2900)}`);
	expect(ids).not.toContain(`unread:${hashOf(10)}`);
	// The list, its first hundred stories, the two similar ones, and the feed titles.
	expect(polled).toMatchObject({ requests: 4 });
});

/** Stories of feeds in the folders Tech, Tech / Deep and Other / Tech, and of a feed that is no longer fetched. */
class Folders implements World {
	readonly unread: Record<string, Array<[string, number]>> = {};
	private readonly folders = [{ Tech: [1, 9, { Deep: [2] }] }, { Other: [{ Tech: [3] }] }];

	ask({ route }: { route: string }, { query }: RequestParts): unknown {
		if (route === 'GET /reader/feeds') {
			return { feeds: [{ id: 1 }, { id: 2 }, { id: 3 }], folders: this.folders };
		}
		if (route === 'GET /reader/unread_story_hashes') return { unread_feed_story_hashes: this.unread };
		return { stories: (query.h as string[]).map((hash) => ({ story_hash: hash, score: 0 })) };
	}

	watched(folder: string): SimulatedN8n {
		return new SimulatedN8n(newUnreadStory.watch({ choice: folder }), this, 'cursors');
	}
}

it('watches the folder at the chosen path, not others with the same name', async () => {
	const folders = new Folders();
	const n8n = folders.watched('Tech');
	await n8n.poll();
	for (const feed of [1, 2, 3]) folders.unread[feed] = [[`${feed}:abcdef`, feed]];
	expect(await n8n.poll()).toMatchObject({ ids: ['unread:1:abcdef', 'unread:2:abcdef'] });
});

it('rejects the bare name of a nested folder, like the node', async () => {
	const message = 'Folder "Deep" does not exist';
	expect(await new Folders().watched('Deep').poll()).toEqual({
		failed: expect.objectContaining({ message }),
	});
});

describe('a long list that is temporarily empty', () => {
	const hash = (number: number): [string, number] => [`1:${number.toString(16).padStart(6, '0')}`, number];
	const everything = Array.from({ length: 15_000 }, (_, number) => hash(number));
	const run = (): { folders: Folders; n8n: SimulatedN8n } => {
		const folders = new Folders();
		folders.unread[1] = everything;
		return { folders, n8n: folders.watched('Tech') };
	};

	it('emits new stories, but not those that return', async () => {
		const { folders, n8n } = run();
		await n8n.poll();
		for (let polls = 0; polls < 10; polls += 1) {
			folders.unread[1] = [];
			expect(await n8n.poll()).toMatchObject({ ids: [] });
		}
		folders.unread[1] = [hash(40_000)];
		expect(await n8n.poll()).toMatchObject({ ids: ['unread:1:009c40'] });
		folders.unread[1] = [...everything, hash(40_000), hash(50_000)];
		expect(await n8n.poll()).toMatchObject({ ids: ['unread:1:00c350'] });
		expect(await n8n.poll()).toMatchObject({ ids: [] });
	});
});

it('gives each story that comes back an event ID of its own, however many do', async () => {
	const hashes = Array.from({ length: 600 }, (_, number) => `1:${number.toString(16).padStart(6, '0')}`);
	// A feed without any unread story could be muted.
	const other = '1:ffffff';
	let unread = [other];
	const feed: World = {
		ask: ({ route }, { query }) =>
			route === 'GET /reader/unread_story_hashes'
				? { unread_feed_story_hashes: { 1: unread.map((hash, number) => [hash, number]) } }
				: { stories: ((query.h ?? []) as string[]).map((hash) => ({ story_hash: hash })) },
	};
	const watch = newUnreadStory.watch({ unreadAgain: true });
	const n8n = new SimulatedN8n(watch, feed, 'cursors', { maximum: 600 });
	await n8n.poll();
	const ids = new Set<string>();
	for (let times = 0; times < 3; times += 1) {
		unread = [other, ...hashes];
		const polled = await n8n.poll();
		for (const id of 'ids' in polled ? polled.ids : []) ids.add(id);
		unread = [other];
		await n8n.poll();
	}
	expect(ids.size).toBe(1800);
});

describe('a feed of which the service returns only the newest 500 unread stories', () => {
	/** A feed with stories numbered from the oldest; several have the same date. */
	class Feed implements World {
		private published = 0;
		private readonly unread: Array<[string, number]> = [];

		publish(count: number): void {
			for (let number = 0; number < count; number += 1) {
				this.published += 1;
				this.unread.unshift([
					`1:${this.published.toString(16).padStart(6, '0')}`,
					Math.floor(this.published / 3),
				]);
			}
		}
		read(count: number): Array<[string, number]> {
			return this.unread.splice(0, count);
		}
		markUnread(stories: Array<[string, number]>): void {
			this.unread.unshift(...stories);
		}
		ask({ route }: { route: string }, { query }: RequestParts): unknown {
			if (route === 'GET /reader/unread_story_hashes') {
				return { unread_feed_story_hashes: { 1: this.unread.slice(0, 500) } };
			}
			return { stories: ((query.h ?? []) as string[]).map((hash) => ({ story_hash: hash, score: 0 })) };
		}
	}

	const watch = (feed: Feed, settings: Partial<PollSettings> = {}, unreadAgain = false): SimulatedN8n =>
		new SimulatedN8n(newUnreadStory.watch({ unreadAgain }), feed, 'cursors', settings);
	const published = (count: number): Feed => {
		const feed = new Feed();
		feed.publish(count);
		return feed;
	};
	const count = async (n8n: SimulatedN8n): Promise<number> => {
		const polled = await n8n.poll();
		if ('failed' in polled) throw polled.failed;
		return polled.ids.length;
	};

	it.each([false, true])(
		'emits no older stories when newer ones are read (emit returned stories: %s)',
		async (again) => {
			const feed = published(1300);
			const n8n = watch(feed, {}, again);
			expect(await count(n8n)).toBe(0);
			for (const read of [100, 500, 90, 300]) {
				feed.publish(2);
				expect(await count(n8n)).toBe(2);
				expect(await count(n8n)).toBe(0);
				feed.read(read);
				expect(await count(n8n)).toBe(0);
			}
			feed.publish(3);
			expect(await count(n8n)).toBe(3);
		},
	);

	it('emits no story twice that newer stories temporarily push out of the list', async () => {
		const feed = published(1000);
		const n8n = watch(feed, {}, true);
		await count(n8n);
		feed.publish(40);
		expect(await count(n8n)).toBe(40);
		expect(await count(n8n)).toBe(0);
		const read = feed.read(40);
		expect(await count(n8n)).toBe(0);
		feed.markUnread(read);
		expect(await count(n8n)).toBe(40);
	});

	it('emits all stories over several polls after a first poll of everything', async () => {
		const feed = published(900);
		const n8n = watch(feed, { firstCount: Infinity, maximum: 100 });
		for (let polls = 0; polls < 5; polls += 1) expect(await count(n8n)).toBe(100);
		expect(await count(n8n)).toBe(0);
		feed.read(200);
		expect(await count(n8n)).toBe(0);
	});
});

describe('a saved story', () => {
	class Saved implements World {
		now = 1000;
		/** For each hash, when the story was saved and when it was last changed. */
		private readonly saved = new Map<string, { at: number; changed: number }>();

		save(hash: string): void {
			const at = this.saved.get(hash)?.at ?? this.now;
			this.saved.set(hash, { at, changed: this.now });
		}
		leaveOut(...hashes: string[]): Array<[string, { at: number; changed: number }]> {
			const left = [...this.saved].filter(([hash]) => hashes.includes(hash));
			for (const [hash] of left) this.saved.delete(hash);
			return left;
		}
		putBack(entries: Array<[string, { at: number; changed: number }]>): void {
			for (const [hash, entry] of entries) this.saved.set(hash, entry);
		}
		ask({ route }: { route: string }, { query }: RequestParts): unknown {
			if (route === 'GET /reader/starred_story_hashes') {
				const pairs = [...this.saved].map(([hash, { changed }]) => [hash, String(changed)]);
				return { starred_story_hashes: pairs };
			}
			const emitted = (query.h as string[]).filter((hash) => this.saved.has(hash));
			return {
				stories: emitted.map((hash) => ({ story_hash: hash, starred_timestamp: this.saved.get(hash)!.at })),
			};
		}
	}

	const [first, second, third] = ['1:00000a', '1:00000b', '2:00000c'];
	const start = async (maximum = 50): Promise<{ world: Saved; n8n: SimulatedN8n }> => {
		const world = new Saved();
		for (const hash of [first, second, third]) world.save(hash);
		const n8n = new SimulatedN8n(newSavedStory.watch({}), world, 'cursors', { maximum });
		await n8n.poll();
		return { world, n8n };
	};

	it('is emitted if it was saved again after a poll without it, but not if only the list lacked it', async () => {
		const { world, n8n } = await start();
		world.now += 10;
		const before = world.leaveOut(first, second, third);
		expect(await n8n.poll()).toMatchObject({ ids: [] });
		world.putBack(before);
		expect(await n8n.poll()).toMatchObject({ ids: [], requests: 1 });
		world.leaveOut(first);
		expect(await n8n.poll()).toMatchObject({ ids: [] });
		world.now += 10;
		world.save(first);
		expect(await n8n.poll()).toMatchObject({ ids: [`saved:${first}#1`] });
	});

	it('is not emitted if only its tags changed, although that changes its date', async () => {
		const { world, n8n } = await start();
		world.now += 10;
		world.save(second);
		expect(await n8n.poll()).toMatchObject({ ids: [], requests: 1 });
	});

	it('is not emitted if it only has another hash, because the service merged two feeds', async () => {
		const { world, n8n } = await start();
		world.putBack(world.leaveOut(first).map(([, entry]) => ['3:00000a', entry]));
		// The other feed also has a story that is still saved under its own hash.
		world.save('3:00000b');
		expect(await n8n.poll()).toMatchObject({ ids: ['saved:3:00000b'] });
		expect(await n8n.poll()).toMatchObject({ ids: [], requests: 1 });
	});

	it('is found among many others in a time that grows with their number, not with its square', async () => {
		const world = new Saved();
		for (let number = 0; number < 12_000; number += 1) {
			world.save(`${number % 100}:${number.toString(16).padStart(6, '0')}`);
		}
		const settings = { firstCount: Infinity, maximum: 1000 };
		const n8n = new SimulatedN8n(newSavedStory.watch({}), world, 'cursors', settings);
		await n8n.poll();
		const { user } = process.cpuUsage();
		expect(await n8n.poll()).toMatchObject({ ids: { length: 1000 } });
		expect(process.cpuUsage({ user, system: 0 }).user).toBeLessThan(1_000_000);
	});

	it('is emitted each time it was unsaved and saved again, however many a poll may emit', async () => {
		const { world, n8n } = await start(1);
		for (const number of [1, 2]) {
			world.leaveOut(first, third);
			expect(await n8n.poll()).toMatchObject({ ids: [] });
			world.now += 10;
			world.save(third);
			world.now += 10;
			world.save(first);
			expect(await n8n.poll()).toMatchObject({ ids: [`saved:${third}#${number}`] });
			expect(await n8n.poll()).toMatchObject({ ids: [`saved:${first}#${number}`] });
			expect(await n8n.poll()).toMatchObject({ ids: [], requests: 1 });
		}
	});
});
