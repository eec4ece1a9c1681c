/**
 * Tests each event with random histories: entries are added and removed between two page requests, responses are empty,
 * truncated or fail, and n8n restarts. Entries that stay are emitted once, and none is emitted twice.
 */
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { startEngine } from '../support/nodes/link-node';
import { propertyOptions } from '../support/cases/random';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { controls } from '../support/clients/reader-client.ts';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { editBody, type Responder, type FakeHost, type Reply } from '../support/hosts/fake-host';
import { holdTime, eventIdsOf, releaseTime, type TriggerRun } from '../support/triggers/trigger-run';

const HISTORIES = 2;
const MINUTE = 60_000;

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

/** An entry that makes the event occur. `remove` is missing if it cannot be removed. */
interface Entry {
	remove?(): Promise<unknown>;
}

/** A service in which one event can occur, and its trigger. */
interface World {
	host: FakeHost;
	/** Changes the URL of each request on its way to the service. */
	rewrite(url: string): string;
	run: TriggerRun;
	/** Adds an entry. Undefined if the event cannot occur again before an entry is removed. */
	add(): Promise<Entry | undefined>;
	/** Set if the event is a state: a change that is undone before the next poll is not emitted. */
	isState?: true;
	stop(): Promise<void>;
}

const fault = fc.record({
	at: fc.nat(3),
	how: fc.constantFrom('500' as const, 'drop' as const, 'cut' as const, 'empty' as const),
});
/** Removes the entry with this number, or adds one (null). */
const change = fc.record({ at: fc.nat(4), which: fc.option(fc.nat(20)) });
const round = fc.record({
	additions: fc.nat(4),
	removal: fc.option(fc.nat(20)),
	changes: fc.array(change, { maxLength: 2 }),
	fault: fc.option(fault, { freq: 2 }),
	restarts: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});
type Round = typeof round extends fc.Arbitrary<infer One> ? One : never;

/** The same JSON with every array emptied, and without feeds. */
const emptyLists = (body: string): string =>
	JSON.stringify(JSON.parse(body), (key, value: unknown) => {
		if (Array.isArray(value)) return [];
		return key === 'feeds' ? {} : value;
	});

class History {
	private readonly entries: Array<Entry & { isKnown: boolean }> = [];
	private readonly emitted: string[] = [];
	private added = 0;
	private removed = 0;

	private readonly passOn: Responder = ({ url }, passOn) => passOn(this.world.rewrite(url));

	constructor(private readonly world: World) {
		world.host.respond = this.passOn;
	}

	async play(before: number, rounds: Round[]): Promise<void> {
		for (let n = 0; n < before; n += 1) await this.add(true);
		const { run } = this.world;
		await run.activate();
		await run.poll();
		for (const round of rounds) await this.playRound(round);
		for (const item of await run.pollUntilEmpty()) this.emitted.push(item.eventId);
		expect(this.emitted).toHaveLength(new Set(this.emitted).size);
		expect(this.emitted.length).toBeLessThanOrEqual(this.added);
		expect(this.emitted.length).toBeGreaterThanOrEqual(this.added - this.removed);
	}

	private async playRound({ additions, removal, changes, fault: broken, restarts }: Round): Promise<void> {
		const { host, run } = this.world;
		for (let n = 0; n < additions; n += 1) await this.add();
		if (removal !== null) await this.remove(removal);
		let requests = -1;
		host.respond = async (request, passOn) => {
			const number = (requests += 1);
			for (const { at, which } of changes)
				if (at === number) await (which === null ? this.add() : this.remove(which));
			const pass = (): Promise<Reply> => passOn(this.world.rewrite(request.url));
			if (broken?.at !== number) return await pass();
			if (broken.how === 'drop') return 'drop';
			if (broken.how === '500') return { status: 500 };
			const edit = broken.how === 'empty' ? emptyLists : (body: string) => body.slice(0, body.length / 2);
			return editBody(await pass(), edit);
		};
		this.emitted.push(...eventIdsOf(await run.poll().catch(() => [])));
		host.respond = this.passOn;
		if (restarts) run.restart(11 * MINUTE);
	}

	private async add(isKnown = false): Promise<void> {
		const entry = await this.world.add();
		if (!entry) return;
		this.entries.push({ ...entry, isKnown });
		if (!isKnown) this.added += 1;
	}

	private async remove(which: number): Promise<void> {
		const removable = this.entries.filter((candidate) => candidate.remove);
		const entry = removable[which % removable.length];
		if (!entry) return;
		this.entries.splice(this.entries.indexOf(entry), 1);
		if (!entry.isKnown || this.world.isState) this.removed += 1;
		await entry.remove?.();
	}
}

type WorldFactory = () => Promise<World>;
const options = { options: { maximum: 1000 } };

/** Creates worlds of the link service, with pages of three entries. */
const links =
	(
		event: string,
		add: (world: WatchedLinks, number: number) => Promise<Entry>,
		more: object = {},
		prepare: (world: WatchedLinks) => Promise<unknown> = async () => undefined,
	): WorldFactory =>
	async () => {
		const world = await WatchedLinks.start(engine);
		await prepare(world);
		let number = 0;
		return {
			host: world.host,
			rewrite: (url) => url.replace(/limit=\d+/, 'limit=3'),
			run: world.trigger({ event, ...options, ...more }, 'cursors'),
			add: async () => await add(world, (number += 1)),
			stop: async () => await world.stop(),
		};
	};

/** Creates records that can be deleted. */
const record =
	(kind: string, body: (number: number) => object) =>
	async ({ service }: WatchedLinks, number: number): Promise<Entry> => {
		const { id } = await service.add(`/${kind}/add`, body(number));
		return { remove: async () => await service.call('DELETE', `/${kind}/${String(id)}/delete`) };
	};

/** Creates worlds of the news reader. */
const reader =
	(
		event: string,
		add: (world: WatchedReader, number: number) => Promise<Entry | undefined>,
		more: object = {},
		isState?: true,
	): WorldFactory =>
	async () => {
		const world = await WatchedReader.start(engine);
		failing.clear();
		await markAllRead(world);
		await world.reader.post('/reader/save_search', {
			feed_id: FEED,
			query: 'synthetic',
		});
		let number = 0;
		return {
			host: world.host,
			rewrite: (url) => url,
			run: world.trigger({ event, ...options, ...more }, 'cursors'),
			isState,
			add: async () => {
				world.reader.clock.advance(1000);
				return await add(world, (number += 1));
			},
			stop: async () => await world.stop(),
		};
	};

/** The feed in which stories are published. */
const FEED = 1;

/** Publishes a story, and returns it. */
const publishStory = async ({ anonymous, reader: account }: WatchedReader) => {
	await anonymous.control(controls.bulk, { feed_id: FEED, count: 1 });
	return (await account.get(`/reader/feed/${FEED}`)).body.stories[0]!;
};

const markAllRead = async ({ reader: account }: WatchedReader): Promise<unknown> =>
	await account.post('/reader/mark_all_as_read', { days: 0 });

/** The feeds that can fail, by their names in the sandbox. */
const FEEDS = ['bitwright', 'open-bench', 'night-sky', 'long-walk', 'slow-kitchen', 'harbour-lantern'];
const failing = new Set<string>();

const worlds: Record<string, WorldFactory> = {
	newCampaign: links(
		'newCampaign',
		record('campaign', (n) => ({ name: `campaign ${n}`, slug: `slug-${n}` })),
	),
	newChannel: links(
		'newChannel',
		record('channel', (n) => ({ name: `channel ${n}` })),
	),
	newChannelItem: links(
		'newChannelItem',
		async (world) => {
			const { id } = await world.createLink();
			await world.service.add(`/channel/1/assign/links/${id}`, undefined);
			return { remove: async () => await world.service.call('DELETE', `/url/${id}/delete`) };
		},
		{ channelId: { __rl: true, mode: 'id', value: 1 } },
		async ({ service }) => await service.add('/channel/add', { name: 'channel' }),
	),
	newDomain: links(
		'newDomain',
		record('domain', (n) => ({ domain: `https://d${n}.example.com` })),
	),
	newPixel: links(
		'newPixel',
		record('pixel', (n) => ({ type: 'gtmpixel', name: `pixel ${n}`, tag: `GTM-${n}` })),
	),
	newQrCode: links(
		'newQrCode',
		record('qr', (n) => ({ type: 'text', data: `text ${n}` })),
	),
	newShortLink: links(
		'newShortLink',
		record('url', (n) => ({ url: `https://example.com/${n}` })),
	),
	newQrScan: links(
		'newQrScan',
		async (world, number) => {
			await world.visit(codes[number % codes.length]!);
			return {};
		},
		{ scanItems: 'scan', includeChanges: false },
		async (world) => {
			codes = [];
			for (let n = 0; n < 8; n += 1) codes.push((await world.createCode(`text ${n}`)).code);
		},
	),
	newShortLinkClick: links(
		'newShortLinkClick',
		async (world, number) => {
			await world.visit(codes[number % codes.length]!, 1, { kind: 'url' });
			return {};
		},
		{ clickItems: 'click', includeChanges: false },
		async (world) => {
			codes = [];
			for (let n = 0; n < 8; n += 1) codes.push((await world.createLink()).code);
		},
	),
	newUnreadStory: reader('newUnreadStory', async (world) => {
		const { story_hash: hash } = await publishStory(world);
		return { remove: async () => await world.markRead(hash) };
	}),
	newSavedStory: reader('newSavedStory', async (world) => {
		const { story_hash } = await publishStory(world);
		await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash: String(story_hash) });
		return {
			remove: async () =>
				await world.reader.post('/reader/mark_story_hash_as_unstarred', { story_hash: String(story_hash) }),
		};
	}),
	newSharedStory: reader('newSharedStory', async (world) => {
		const { story_feed_id: feed_id, id: story_id } = await publishStory(world);
		await world.friend.post('/social/share_story', { feed_id, story_id });
		return {
			remove: async () => await world.friend.post('/social/unshare_story', { feed_id, story_id }),
		};
	}),
	newActivity: reader('newActivity', async (world) => {
		const { story_feed_id: feed_id, id: story_id } = await publishStory(world);
		await world.reader.post('/social/share_story', { feed_id, story_id });
		return {
			remove: async () => await world.reader.post('/social/unshare_story', { feed_id, story_id }),
		};
	}),
	newInteraction: reader('newInteraction', async (world, number) => {
		const { story_feed_id, id: story_id } = await publishStory(world);
		await world.reader.post('/social/share_story', { feed_id: story_feed_id, story_id, comments: 'mine' });
		const about = { story_feed_id, story_id, comment_user_id: 1 };
		await world.friend.post('/social/save_comment_reply', { ...about, reply_comments: `reply ${number}` });
		return {};
	}),
	savedSearchMatch: reader('savedSearchMatch', async (world) => {
		await publishStory(world);
		return {};
	}),
	feedBroken: reader(
		'feedBroken',
		async ({ anonymous }) => {
			const control = async (action: 'break' | 'repair', feed: string): Promise<void> => {
				await anonymous.control(`/sandbox/feeds/${feed}/${action}`);
				await anonymous.control(controls.fetch);
			};
			const feed = FEEDS.find((candidate) => !failing.has(candidate));
			if (feed === undefined) return undefined;
			failing.add(feed);
			await control('break', feed);
			return {
				remove: async () => {
					failing.delete(feed);
					await control('repair', feed);
				},
			};
		},
		{ feedState: 'fails' },
		true,
	),
	unreadCountReached: reader(
		'unreadCountReached',
		async (world) => {
			const { body } = await world.reader.get('/reader/unread_story_hashes');
			if (Object.values(body.unread_feed_story_hashes).flat().length > 0) return undefined;
			await publishStory(world);
			return { remove: async () => await markAllRead(world) };
		},
		{ threshold: 1 },
		true,
	),
};
/** The codes that are visited in the current world. */
let codes: string[] = [];

it.each(Object.entries(worlds))('%s', async (_, make) => {
	await fc.assert(
		fc.asyncProperty(fc.nat(8), fc.array(round, { minLength: 3, maxLength: 8 }), async (before, rounds) => {
			const world = await make();
			try {
				await new History(world).play(before, rounds);
			} finally {
				await world.stop();
			}
		}),
		{ ...propertyOptions(HISTORIES), endOnFailure: true },
	);
});
