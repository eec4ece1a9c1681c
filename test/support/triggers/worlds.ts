/** For each event, how to make it occur in the sandbox: the tests of polls, faults and saved states use it. */
import type { CredentialRecord, Engine } from '../../../engine/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { controls, LIVE_WIRE, storiesOf, type Story } from '../clients/reader-client.ts';
import type { FakeHost } from '../hosts/fake-host';
import { WatchedLinks } from './trigger-links';
import { WatchedReader } from './trigger-reader';
import type { StateStorage, TriggerRun } from './trigger-run';

/** What made the event occur. `remove` undoes it, if that is possible. */
export interface Entry {
	/** The number of the story, or the id of the record; undefined if the event adds none. */
	number?: number;
	remove?(): Promise<unknown>;
}

interface Source {
	/** Parameters of the trigger. */
	parameters?: object;
	/** Makes the event occur. Undefined if it cannot occur again before an entry is removed. */
	add(number: number): Promise<Entry | undefined>;
	/** Takes the feed of all entries out of the list, or puts it back: that is no event. */
	setAway?(isAway: boolean): Promise<unknown>;
	/** Set if the event is a state: a change that is undone before the next poll is not emitted. */
	isState?: true;
}

/** Creates what must exist before the event can occur. */
type Preparation<Service> = (service: Service) => Promise<Source> | Source;

/** Records that can be deleted. */
const records =
	(kind: string, body: (number: number) => object): Preparation<WatchedLinks> =>
	({ service }) => ({
		add: async (number) => {
			const { id } = await service.add(`/${kind}/add`, body(number));
			return {
				number: Number(id),
				remove: async () => await service.call('DELETE', `/${kind}/${String(id)}/delete`),
			};
		},
	});

/** Visits of several records in turn. */
const visits =
	(
		kind: 'qr' | 'url',
		parameters: object,
		create: (links: WatchedLinks) => Promise<{ code: string }>,
	): Preparation<WatchedLinks> =>
	async (links) => {
		const codes: string[] = [];
		for (let n = 0; n < 8; n += 1) codes.push((await create(links)).code);
		return {
			parameters: { ...parameters, includeChanges: false },
			add: async (number) => {
				await links.visit(codes[number % codes.length]!, 1, { kind });
				return {};
			},
		};
	};

const linkWorlds: Record<string, Preparation<WatchedLinks>> = {
	newCampaign: records('campaign', (n) => ({ name: `campaign ${n}`, slug: `slug-${n}` })),
	newChannel: records('channel', (n) => ({ name: `channel ${n}` })),
	newChannelItem: async (links) => {
		const { id: channelId } = await links.service.add('/channel/add', { name: 'channel' });
		return {
			parameters: { channelId: { __rl: true, mode: 'id', value: channelId } },
			add: async () => {
				const { id } = await links.createLink();
				await links.service.add(`/channel/${channelId}/assign/links/${id}`, undefined);
				return { number: id, remove: async () => await links.service.call('DELETE', `/url/${id}/delete`) };
			},
		};
	},
	newDomain: records('domain', (n) => ({ domain: `https://d${n}.example.com` })),
	newPixel: records('pixel', (n) => ({ type: 'gtmpixel', name: `pixel ${n}`, tag: `GTM-${n}` })),
	newQrCode: records('qr', (n) => ({ type: 'text', data: `text ${n}` })),
	newShortLink: records('url', (n) => ({ url: `https://example.com/${n}` })),
	newQrScan: visits('qr', { scanItems: 'scan' }, async (links) => await links.createCode()),
	newShortLinkClick: visits('url', { clickItems: 'click' }, async (links) => await links.createLink()),
};

const markAllRead = async ({ reader }: WatchedReader): Promise<unknown> =>
	await reader.write('/reader/mark_all_as_read', { days: 0 });

/** The number in the title of a published story. */
export const storyNumberOf = (title: unknown): number | undefined => {
	const [, number] = /^Synthetic story (\d+)$/.exec(String(title)) ?? [];
	return number === undefined ? undefined : Number(number);
};

/** Publishes a story with a constant hash, and returns it with its number. */
async function publishStory({ reader }: WatchedReader): Promise<Story & { number: number }> {
	await reader.control(controls.bulk, { feed_id: LIVE_WIRE, count: 1 });
	const [newest] = await storiesOf(reader, LIVE_WIRE);
	return { ...newest!, number: storyNumberOf(newest!.story_title)! };
}

/** Shares a new story by an account. Undefined if the account has shared its 100 stories of the day. */
async function shareStory(
	world: WatchedReader,
	by: 'reader' | 'friend',
	comments?: string,
): Promise<(Entry & { story: { feed_id: number; story_id: string } }) | undefined> {
	const { story_feed_id: feed_id, id: story_id, number } = await publishStory(world);
	const story = { feed_id, story_id };
	const { body } = await world[by].post('/social/share_story', { ...story, ...(comments && { comments }) });
	if (Number(body.code) < 0) return undefined;
	return { number, story, remove: async () => await world[by].write('/social/unshare_story', story) };
}

/** The feeds that can fail, by their names in the sandbox. */
const feeds = ['bitwright', 'open-bench', 'night-sky', 'long-walk', 'slow-kitchen', 'harbour-lantern'];

const readerWorlds: Record<string, Preparation<WatchedReader>> = {
	newUnreadStory: async (world) => {
		await markAllRead(world);
		return {
			// Other feeds publish stories of their own.
			parameters: { whichFeeds: 'feeds', feedIds: [LIVE_WIRE] },
			setAway: async (mute) =>
				await world.reader.write('/reader/set_feed_mute', { feed_id: LIVE_WIRE, mute }),
			add: async () => {
				const { story_hash: hash, number } = await publishStory(world);
				return { number, remove: async () => await world.markRead(hash) };
			},
		};
	},
	newSavedStory: (world) => ({
		add: async () => {
			const { story_hash } = await publishStory(world);
			await world.reader.write('/reader/mark_story_hash_as_starred', { story_hash });
			return {
				remove: async () => await world.reader.write('/reader/mark_story_hash_as_unstarred', { story_hash }),
			};
		},
	}),
	newSharedStory: (world) => ({ add: async () => await shareStory(world, 'friend') }),
	newActivity: (world) => ({ add: async () => await shareStory(world, 'reader') }),
	newInteraction: (world) => ({
		add: async (number) => {
			const shared = await shareStory(world, 'reader', 'mine');
			if (!shared) return undefined;
			const { story, number: storyNumber } = shared;
			await world.friend.write('/social/save_comment_reply', {
				story_feed_id: story.feed_id,
				story_id: story.story_id,
				comment_user_id: 1,
				reply_comments: `reply ${number}`,
			});
			return { number: storyNumber };
		},
	}),
	savedSearchMatch: async (world) => {
		await world.reader.write('/reader/save_search', { feed_id: LIVE_WIRE, query: 'story' });
		return {
			add: async () => {
				const { number } = await publishStory(world);
				return { number };
			},
		};
	},
	feedBroken: ({ anonymous }) => {
		const failing = new Set<string>();
		const control = async (action: 'break' | 'repair', feed: string): Promise<void> => {
			await anonymous.control(`/sandbox/feeds/${feed}/${action}`);
			await anonymous.control(controls.fetch);
		};
		return {
			parameters: { feedState: 'fails' },
			isState: true,
			add: async () => {
				const feed = feeds.find((candidate) => !failing.has(candidate));
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
		};
	},
	unreadCountReached: async (world) => {
		await markAllRead(world);
		return {
			parameters: { threshold: 1 },
			isState: true,
			add: async () => {
				const { body } = await world.reader.get('/reader/unread_story_hashes');
				if (Object.values(body.unread_feed_story_hashes).flat().length > 0) return undefined;
				await publishStory(world);
				return { remove: async () => await markAllRead(world) };
			},
		};
	},
};

export const eventNames = [...Object.keys(linkWorlds), ...Object.keys(readerWorlds)];

/** A sandbox in which one event occurs, and the trigger that waits for it. */
export class World {
	readonly host: FakeHost;
	readonly run: TriggerRun;
	readonly isState: boolean;
	private count = 0;
	private isAway = false;

	private constructor(
		private readonly service: WatchedLinks | WatchedReader,
		event: string,
		private readonly source: Source,
		parameters: object,
		storage?: StateStorage,
	) {
		this.host = service.host;
		this.run = service.trigger({ event, ...source.parameters, ...parameters }, storage);
		this.isState = source.isState ?? false;
	}

	static async start(
		engine: Engine,
		event: string,
		{
			parameters = {},
			storage,
			...options
		}: { parameters?: object; storage?: StateStorage } & Partial<SandboxOptions> = {},
	): Promise<World> {
		const ofLinks = linkWorlds[event];
		if (ofLinks) {
			const links = await WatchedLinks.start(engine, options);
			return new World(links, event, await ofLinks(links), parameters, storage);
		}
		const ofReader = readerWorlds[event];
		if (!ofReader) throw new Error(`${event} is missing: add it to test/support/triggers/worlds.ts`);
		const reader = await WatchedReader.start(engine, options);
		return new World(reader, event, await ofReader(reader), parameters, storage);
	}

	/** Makes the event occur a second after the last time. */
	async add(): Promise<Entry | undefined> {
		this.count += 1;
		if (this.service instanceof WatchedReader) this.service.reader.clock.advance(1000);
		return await this.source.add(this.count);
	}

	/** Takes the entries out of the list for a while, if that is possible without an event. */
	async setAway(isAway: boolean): Promise<void> {
		if (isAway === this.isAway) return;
		this.isAway = isAway;
		await this.source.setAway?.(isAway);
	}

	/** The trigger, with the host at another address. */
	triggerAt(address: string): TriggerRun {
		const credentials = JSON.stringify(this.service.credentials());
		return this.run.withCredentials(
			JSON.parse(credentials.replaceAll(this.host.baseUrl, address)) as Record<string, CredentialRecord>,
		);
	}

	async stop(): Promise<void> {
		await this.service.stop();
	}
}
