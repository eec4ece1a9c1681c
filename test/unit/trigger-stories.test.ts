/** Filtered unread stories in a first poll, a test run and a long list. */
import type { RequestParts } from '../../nodes/runtime/api-types';
import { newSavedStory, newUnreadStory } from '../../nodes/NewsReader/triggers/new-stories';
import { sample, type PollSettings } from '../../nodes/runtime/poll/step';
import { SimulatedN8n, WorldApi, type World } from './trigger-world';

/** So many unread stories, the newest last; every twentieth is about zebras. */
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
const run = (count: number, settings: Partial<PollSettings>): SimulatedN8n => {
	const usual = { key: '', firstPoll: 'nothing', firstCount: 10, maximum: 50, reemitWithinMs: 0 } as const;
	return new SimulatedN8n(zebras, world(count), 'cursors', { ...usual, ...settings });
};
const emitted = (...numbers: number[]) =>
	expect.objectContaining({
		ids: numbers.map((number) => `unread:1:${number.toString(16).padStart(6, '0')}`),
	});

it('emits the latest wanted ones at the first poll', async () => {
	const n8n = run(150, { firstPoll: 'last', firstCount: 2 });
	expect(await n8n.poll()).toEqual(emitted(120, 140));
	expect(await n8n.poll()).toEqual(emitted());
});

it('shows a wanted story in a test run, even if newer ones are unwanted', async () => {
	const items = await sample(zebras, new WorldApi(world(150)), 3);
	expect(items.map(({ json }) => json.title)).toEqual(['zebra 100', 'zebra 120', 'zebra 140']);
});

it('requests no more than twenty times a hundred stories in one poll, and continues at the next', async () => {
	const n8n = run(5000, { firstPoll: 'everything', maximum: 1000 });
	const ids: string[] = [];
	for (let polls = 0; polls < 4; polls += 1) {
		const polled = await n8n.poll();
		if ('failed' in polled) throw polled.failed;
		expect(polled.requests).toBeLessThanOrEqual(22);
		ids.push(...polled.ids);
	}
	expect(new Set(ids).size).toBe(250);
	expect(ids).toHaveLength(250);
});

it('requests no more stories in a poll that has emitted its maximum', async () => {
	const n8n = run(300, { firstPoll: 'everything', maximum: 5 });
	// The list, one request for a hundred stories with five zebras, and one for the titles of feeds.
	expect(await n8n.poll()).toEqual(expect.objectContaining({ requests: 3 }));
});

/** Stories of feeds in folders: Tech with Deep inside it, another Tech inside Other, and one that is no longer fetched. */
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
		const settings = {
			key: '',
			firstPoll: 'nothing',
			firstCount: 10,
			maximum: 50,
			reemitWithinMs: 0,
		} as const;
		return new SimulatedN8n(newUnreadStory.watch({ choice: folder }), this, 'cursors', settings);
	}
}

it('watches the folder at the chosen path, and none of the same name elsewhere', async () => {
	const folders = new Folders();
	const n8n = folders.watched('Tech');
	await n8n.poll();
	for (const feed of [1, 2, 3]) folders.unread[feed] = [[`${feed}:abcdef`, feed]];
	expect(await n8n.poll()).toMatchObject({ ids: ['unread:1:abcdef', 'unread:2:abcdef'] });
});

it('refuses the bare name of a folder that is inside another, as the node does', async () => {
	const message = 'Folder "Deep" does not exist';
	expect(await new Folders().watched('Deep').poll()).toEqual({
		failed: expect.objectContaining({ message }),
	});
});

describe('a long list that is empty for a while', () => {
	const hash = (number: number): [string, number] => [`1:${number.toString(16).padStart(6, '0')}`, number];
	const everything = Array.from({ length: 30_000 }, (_, number) => hash(number));
	const run = (): { folders: Folders; n8n: SimulatedN8n } => {
		const folders = new Folders();
		folders.unread[1] = everything;
		return { folders, n8n: folders.watched('Tech') };
	};

	it('is not believed at once: returned stories are not emitted as new, and new ones are', async () => {
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

	it('is believed after an hour of polls, and takes no more room than before', async () => {
		const { folders, n8n } = run();
		await n8n.poll();
		const size = n8n.size;
		folders.unread[1] = [];
		for (let polls = 0; polls < 62; polls += 1) await n8n.poll();
		expect(n8n.size).toBeLessThan(size * 0.7);
	});
});

describe('a feed of which the service returns only the newest 500 unread stories', () => {
	/** A feed with stories numbered by age, oldest first; several have the same date. */
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

	const watch = (feed: Feed, settings: Partial<PollSettings> = {}, unreadAgain = false): SimulatedN8n => {
		const usual = { key: '', firstPoll: 'nothing', firstCount: 10, maximum: 50, reemitWithinMs: 0 } as const;
		return new SimulatedN8n(newUnreadStory.watch({ unreadAgain }), feed, 'cursors', {
			...usual,
			...settings,
		});
	};
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
		'emits no older ones when those are read, with returned ones emitted: %s',
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

	it('emits nothing twice that newer stories pushed out of the list for a while', async () => {
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

	it('emits all of them after a first poll of everything, poll by poll', async () => {
		const feed = published(900);
		const n8n = watch(feed, { firstPoll: 'everything', maximum: 100 });
		for (let polls = 0; polls < 5; polls += 1) expect(await count(n8n)).toBe(100);
		expect(await count(n8n)).toBe(0);
		feed.read(200);
		expect(await count(n8n)).toBe(0);
	});
});

describe('a story at which the service always fails', () => {
	const BROKEN = '1:00000a';
	/** Stories of one feed; one of them can't be read, alone or among others. */
	class Broken implements World {
		readonly unread: Array<[string, number]> = [];
		isAway = false;
		/** Of the next requests for stories. */
		status = '500';
		storyRequests = 0;

		publish(count: number): void {
			for (let n = 0; n < count; n += 1) {
				const number = this.unread.length;
				this.unread.push([`1:${number.toString(16).padStart(6, '0')}`, number]);
			}
		}
		ask({ route }: { route: string }, { query }: RequestParts): unknown {
			if (route === 'GET /reader/unread_story_hashes')
				return { unread_feed_story_hashes: { 1: this.unread } };
			const hashes = query.h as string[];
			this.storyRequests += 1;
			if (this.isAway || hashes.includes(BROKEN))
				throw Object.assign(new Error('Something failed'), { httpCode: this.status });
			return { stories: hashes.map((hash) => ({ story_hash: hash, score: 0 })) };
		}
	}

	const watch = (world: World, settings: Partial<PollSettings> = {}, filters: object = {}): SimulatedN8n => {
		const usual = { key: '', firstPoll: 'nothing', firstCount: 10, maximum: 50, reemitWithinMs: 0 } as const;
		const watched = newUnreadStory.watch({ ...filters });
		return new SimulatedN8n(watched, world, 'cursors', { ...usual, ...settings });
	};
	const idsOf = async (n8n: SimulatedN8n): Promise<string[]> => {
		const polled = await n8n.poll();
		if ('failed' in polled) throw polled.failed;
		return polled.ids;
	};

	it.each([1, 2, 50])(
		'delays no other, and is finally emitted without its content, %i at a time',
		async (maximum) => {
			const world = new Broken();
			const n8n = watch(world, { maximum });
			await n8n.poll();
			world.publish(100);
			const emitted: string[] = [];
			for (let polls = 0; polls < 225; polls += 1) {
				const polled = await n8n.poll();
				// Where nothing else is new, nobody knows that it is the story.
				emitted.push(...('ids' in polled ? polled.ids : []));
				if (polls % 20 === 19) world.publish(1);
			}
			expect([...emitted].sort()).toEqual(world.unread.map(([hash]) => `unread:${hash}`));
			// One that may recover is emitted after the others.
			expect(emitted.indexOf(`unread:${BROKEN}`)).toBeGreaterThan(10);
		},
	);

	it.each([
		['500', true],
		['429', false],
		['404', false],
	])('after status %s, is searched for in halves of the request: %s', async (status, isSearched) => {
		const world = new Broken();
		const n8n = watch(world);
		await n8n.poll();
		world.publish(11);
		world.status = status;
		world.storyRequests = 0;
		await n8n.poll();
		expect(world.storyRequests > 1).toBe(isSearched);
	});

	it('keeps no trigger from beginning with the last ones that are wanted', async () => {
		const world = new Broken();
		world.publish(12);
		const n8n = watch(world, { firstPoll: 'last', firstCount: 3 }, { hidden: true });
		expect(await idsOf(n8n)).toHaveLength(3);
	});

	it('is not taken for one by a first poll while the service fails at all of them', async () => {
		const world = new Broken();
		world.publish(12);
		world.isAway = true;
		const n8n = watch(world, { firstPoll: 'last', firstCount: 3 }, { hidden: true });
		expect(await n8n.poll()).toHaveProperty('failed');
		world.isAway = false;
		expect(await idsOf(n8n)).toHaveLength(3);
	});

	it('is not taken for one while the service fails at all of them', async () => {
		const world = new Broken();
		const n8n = watch(world);
		await n8n.poll();
		world.publish(30);
		world.isAway = true;
		for (let polls = 0; polls < 8; polls += 1) expect(await n8n.poll()).toHaveProperty('failed');
		world.isAway = false;
		expect(await idsOf(n8n)).toHaveLength(29);
	});
});

describe('a story that was saved again between two polls', () => {
	class Saved implements World {
		now = 1000;
		/** By hash, when it was saved and when it was changed last. */
		private readonly saved = new Map<string, { at: number; changed: number }>();

		save(hash: string): void {
			const at = this.saved.get(hash)?.at ?? this.now;
			this.saved.set(hash, { at, changed: this.now });
		}
		saveAgain(hash: string): void {
			this.saved.delete(hash);
			this.save(hash);
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
		const settings = { key: '', firstPoll: 'nothing', firstCount: 10, maximum, reemitWithinMs: 0 } as const;
		const n8n = new SimulatedN8n(newSavedStory.watch({}), world, 'cursors', settings);
		await n8n.poll();
		return { world, n8n };
	};

	it('is emitted again each time, also if only one returns at a time', async () => {
		const { world, n8n } = await start(1);
		for (const number of [1, 2]) {
			world.now += 10;
			world.saveAgain(first);
			world.saveAgain(third);
			expect(await n8n.poll()).toMatchObject({ ids: [`saved:${first}#${number}`] });
			expect(await n8n.poll()).toMatchObject({ ids: [`saved:${third}#${number}`] });
			expect(await n8n.poll()).toMatchObject({ ids: [], requests: 1 });
		}
	});

	it('is emitted in the same second as the newest one, if it was saved before', async () => {
		const { world, n8n } = await start();
		world.now += 10;
		world.saveAgain(first);
		expect(await n8n.poll()).toMatchObject({ ids: [`saved:${first}#1`] });
		world.saveAgain(second);
		expect(await n8n.poll()).toMatchObject({ ids: [`saved:${second}#1`] });
	});

	it('is emitted after it was away for a poll, but not if only the list lacked it', async () => {
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

	it('is not emitted if only its tags changed, which also changes its date', async () => {
		const { world, n8n } = await start();
		world.now += 10;
		world.save(second);
		expect(await n8n.poll()).toMatchObject({ ids: [], requests: 2 });
		expect(await n8n.poll()).toMatchObject({ ids: [], requests: 1 });
		world.now += 10;
		world.saveAgain(second);
		expect(await n8n.poll()).toMatchObject({ ids: [`saved:${second}#1`] });
	});
});
