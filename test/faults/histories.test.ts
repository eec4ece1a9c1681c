/**
 * Random histories of each event in a world that serves its lists: entries come and go between two page requests,
 * responses are empty, cut or fail, n8n restarts. Lasting events are emitted once, none is emitted twice.
 */
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { startEngine } from '../support/nodes/link-node';
import { draws } from '../support/cases/random';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { controls } from '../support/clients/reader-client.ts';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { editBody, type Responder, type FakeHost, type Reply } from '../support/hosts/fake-host';
import { holdTime, idsOf, releaseTime, type TriggerRun } from '../support/triggers/trigger-run';

const HISTORIES = 2;
const MINUTE = 60_000;

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

/** Something that an event waits for. */
interface Thing {
	leave?(): Promise<unknown>;
}

/** A world in which one event can happen. */
interface World {
	host: FakeHost;
	/** Changes the URL of each request on its way to the service. */
	rewrite(url: string): string;
	run: TriggerRun;
	/** Undefined if it cannot happen again before an entry leaves. */
	arrive(): Promise<Thing | undefined>;
	/** Set if the event is a change: one that is undone before a poll sees it is not emitted. */
	isLevel?: true;
	stop(): Promise<void>;
}

const fault = fc.record({
	at: fc.nat(3),
	how: fc.constantFrom('500' as const, 'drop' as const, 'cut' as const, 'empty' as const),
});
/** The entry with this number leaves. */
const move = fc.record({ at: fc.nat(4), which: fc.option(fc.nat(20)) });
const round = fc.record({
	arrivals: fc.nat(4),
	leave: fc.option(fc.nat(20)),
	moves: fc.array(move, { maxLength: 2 }),
	fault: fc.option(fault, { freq: 2 }),
	restarts: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});
type Round = typeof round extends fc.Arbitrary<infer One> ? One : never;

/** The same JSON with every list empty, and without any feed. */
const emptied = (body: string): string =>
	JSON.stringify(JSON.parse(body), (key, value: unknown) => {
		if (Array.isArray(value)) return [];
		return key === 'feeds' ? {} : value;
	});

class History {
	private readonly there: Array<Thing & { isKnown: boolean }> = [];
	private readonly emitted: string[] = [];
	private arrived = 0;
	private left = 0;

	private readonly passOn: Responder = ({ url }, passOn) => passOn(this.world.rewrite(url));

	constructor(private readonly world: World) {
		world.host.respond = this.passOn;
	}

	async play(before: number, rounds: Round[]): Promise<void> {
		for (let n = 0; n < before; n += 1) await this.arrive(true);
		const { run } = this.world;
		await run.activate();
		await run.poll();
		for (const one of rounds) await this.take(one);
		for (const item of await run.drain()) this.emitted.push(item.eventId);
		expect(this.emitted).toHaveLength(new Set(this.emitted).size);
		expect(this.emitted.length).toBeLessThanOrEqual(this.arrived);
		expect(this.emitted.length).toBeGreaterThanOrEqual(this.arrived - this.left);
	}

	private async take({ arrivals, leave, moves, fault: broken, restarts }: Round): Promise<void> {
		const { host, run } = this.world;
		for (let n = 0; n < arrivals; n += 1) await this.arrive();
		if (leave !== null) await this.leave(leave);
		let requests = -1;
		host.respond = async (request, passOn) => {
			const number = (requests += 1);
			for (const { at, which } of moves)
				if (at === number) await (which === null ? this.arrive() : this.leave(which));
			const pass = (): Promise<Reply> => passOn(this.world.rewrite(request.url));
			if (broken?.at !== number) return await pass();
			if (broken.how === 'drop') return 'drop';
			if (broken.how === '500') return { status: 500 };
			const edit = broken.how === 'empty' ? emptied : (body: string) => body.slice(0, body.length / 2);
			return editBody(await pass(), edit);
		};
		this.emitted.push(...idsOf(await run.poll().catch(() => [])));
		host.respond = this.passOn;
		if (restarts) run.restart(11 * MINUTE);
	}

	private async arrive(isKnown = false): Promise<void> {
		const thing = await this.world.arrive();
		if (!thing) return;
		this.there.push({ ...thing, isKnown });
		if (!isKnown) this.arrived += 1;
	}

	private async leave(which: number): Promise<void> {
		const leaving = this.there.filter((thing) => thing.leave);
		const thing = leaving[which % leaving.length];
		if (!thing) return;
		this.there.splice(this.there.indexOf(thing), 1);
		if (!thing.isKnown || this.world.isLevel) this.left += 1;
		await thing.leave?.();
	}
}

type Make = () => Promise<World>;
const options = { options: { maximum: 1000 } };

/** Of the link service, in pages of three. */
const links =
	(
		event: string,
		arrive: (world: WatchedLinks, number: number) => Promise<Thing>,
		more: object = {},
		prepare: (world: WatchedLinks) => Promise<unknown> = async () => undefined,
	): Make =>
	async () => {
		const world = await WatchedLinks.start(engine);
		await prepare(world);
		let number = 0;
		return {
			host: world.host,
			rewrite: (url) => url.replace(/limit=\d+/, 'limit=3'),
			run: world.trigger({ event, ...options, ...more }, 'cursors'),
			arrive: async () => await arrive(world, (number += 1)),
			stop: async () => await world.stop(),
		};
	};

/** A record that is added and deleted. */
const record =
	(kind: string, body: (number: number) => object) =>
	async ({ service }: WatchedLinks, number: number): Promise<Thing> => {
		const { id } = await service.add(`/${kind}/add`, body(number));
		return { leave: async () => await service.call('DELETE', `/${kind}/${String(id)}/delete`) };
	};

/** Of the reader. */
const reader =
	(
		event: string,
		arrive: (world: WatchedReader, number: number) => Promise<Thing | undefined>,
		more: object = {},
		isLevel?: true,
	): Make =>
	async () => {
		const world = await WatchedReader.start(engine);
		failing.clear();
		await allRead(world);
		await world.reader.post('/reader/save_search', {
			feed_id: FEED,
			query: 'synthetic',
		});
		let number = 0;
		return {
			host: world.host,
			rewrite: (url) => url,
			run: world.trigger({ event, ...options, ...more }, 'cursors'),
			isLevel,
			arrive: async () => {
				world.reader.clock.advance(1000);
				return await arrive(world, (number += 1));
			},
			stop: async () => await world.stop(),
		};
	};

/** The feed in which stories are published. */
const FEED = 1;

/** Publishes a story. @returns it */
const published = async ({ anybody, reader: account }: WatchedReader) => {
	await anybody.control(controls.bulk, { feed_id: FEED, count: 1 });
	return (await account.get(`/reader/feed/${FEED}`)).body.stories[0]!;
};

const allRead = async ({ reader: account }: WatchedReader): Promise<unknown> =>
	await account.post('/reader/mark_all_as_read', { days: 0 });

/** The feeds that can fail, by the names under which the sandbox publishes them. */
const FEEDS = ['bitwright', 'open-bench', 'night-sky', 'long-walk', 'slow-kitchen', 'harbour-lantern'];
const failing = new Set<string>();

const worlds: Record<string, Make> = {
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
			const { id } = await world.newLink();
			await world.service.add(`/channel/1/assign/links/${id}`, undefined);
			return { leave: async () => await world.service.call('DELETE', `/url/${id}/delete`) };
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
			for (let n = 0; n < 8; n += 1) codes.push((await world.newCode(`text ${n}`)).code);
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
			for (let n = 0; n < 8; n += 1) codes.push((await world.newLink()).code);
		},
	),
	newUnreadStory: reader('newUnreadStory', async (world) => {
		const { story_hash: hash } = await published(world);
		return { leave: async () => await world.markRead(hash) };
	}),
	newSavedStory: reader('newSavedStory', async (world) => {
		const { story_hash } = await published(world);
		await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash: String(story_hash) });
		return {
			leave: async () =>
				await world.reader.post('/reader/mark_story_hash_as_unstarred', { story_hash: String(story_hash) }),
		};
	}),
	newSharedStory: reader('newSharedStory', async (world) => {
		const { story_feed_id: feed_id, id: story_id } = await published(world);
		await world.friend.post('/social/share_story', { feed_id, story_id });
		return {
			leave: async () => await world.friend.post('/social/unshare_story', { feed_id, story_id }),
		};
	}),
	newActivity: reader('newActivity', async (world) => {
		const { story_feed_id: feed_id, id: story_id } = await published(world);
		await world.reader.post('/social/share_story', { feed_id, story_id });
		return {
			leave: async () => await world.reader.post('/social/unshare_story', { feed_id, story_id }),
		};
	}),
	newInteraction: reader('newInteraction', async (world, number) => {
		const { story_feed_id, id: story_id } = await published(world);
		await world.reader.post('/social/share_story', { feed_id: story_feed_id, story_id, comments: 'mine' });
		const about = { story_feed_id, story_id, comment_user_id: 1 };
		await world.friend.post('/social/save_comment_reply', { ...about, reply_comments: `reply ${number}` });
		return {};
	}),
	savedSearchMatch: reader('savedSearchMatch', async (world) => {
		await published(world);
		return {};
	}),
	feedBroken: reader(
		'feedBroken',
		async ({ anybody }) => {
			const does = async (what: 'break' | 'repair', feed: string): Promise<void> => {
				await anybody.control(`/sandbox/feeds/${feed}/${what}`);
				await anybody.control(controls.fetch);
			};
			const feed = FEEDS.find((one) => !failing.has(one));
			if (feed === undefined) return undefined;
			failing.add(feed);
			await does('break', feed);
			return {
				leave: async () => {
					failing.delete(feed);
					await does('repair', feed);
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
			await published(world);
			return { leave: async () => await allRead(world) };
		},
		{ threshold: 1 },
		true,
	),
};
/** The codes that are visited in the world of the test. */
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
		{ ...draws(HISTORIES), endOnFailure: true },
	);
});
