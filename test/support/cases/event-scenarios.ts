/** For every event: how to prepare an account, and how to make the event happen twice. */
import type { WatchedLinks } from '../triggers/trigger-links';
import type { WatchedReader } from '../triggers/trigger-reader';

export interface Scenario<World> {
	/** The parameters of the trigger, except the event. */
	parameters?: object;
	/** Prepares the account before the trigger is activated. */
	before?(world: World): Promise<unknown>;
	first(world: World): Promise<unknown>;
	/** Runs before a poll between the two. */
	between?(world: World): Promise<unknown>;
	second(world: World): Promise<unknown>;
}

const additions = (kind: string, body: (n: number) => object): Scenario<WatchedLinks> => ({
	before: async ({ service }) => await service.add(`/${kind}/add`, body(1)),
	first: async ({ service }) => await service.add(`/${kind}/add`, body(2)),
	second: async ({ service }) => await service.add(`/${kind}/add`, body(3)),
});

/** The first record of its kind in a fresh account. */
const FIRST = 1;

const codeOf = async (world: WatchedLinks, kind: 'qr' | 'url'): Promise<string> => {
	const { body } = await world.service.call('GET', `/${kind}/${FIRST}`);
	const { link, shorturl } = Object(body.details ?? body.data ?? body) as Record<string, unknown>;
	return String(link ?? shorturl)
		.split('/')
		.at(-1)!;
};

const visits = (kind: 'qr' | 'url'): Scenario<WatchedLinks> => ({
	before: async (world) => {
		const { code } = await (kind === 'qr' ? world.createCode() : world.createLink());
		await world.visit(code, 3, { kind, country: 'Norway' });
	},
	first: async (world) => await world.visit(await codeOf(world, kind), 2, { kind, country: 'Chile' }),
	second: async (world) => await world.visit(await codeOf(world, kind), 1, { kind, country: 'Norway' }),
});

export const linkEvents: Record<string, Scenario<WatchedLinks>> = {
	newCampaign: additions('campaign', (n) => ({ name: `Campaign ${n}` })),
	newChannel: additions('channel', (n) => ({ name: `Channel ${n}` })),
	newChannelItem: {
		parameters: { channelId: { __rl: true, mode: 'id', value: FIRST } },
		before: async ({ service }) => await service.add('/channel/add', { name: 'Letter' }),
		first: async (world) => {
			const { id } = await world.createLink();
			await world.service.add(`/channel/${FIRST}/assign/links/${id}`, undefined);
		},
		second: async (world) => {
			const { id } = await world.createCode();
			await world.service.add(`/channel/${FIRST}/assign/qr/${id}`, undefined);
		},
	},
	newDomain: additions('domain', (n) => ({ domain: `https://go-${n}.example.com` })),
	newPixel: additions('pixel', (n) => ({ type: 'bing', name: `Pixel ${n}`, tag: `tag-${n}` })),
	newQrCode: additions('qr', (n) => ({ type: 'text', data: `Code ${n}` })),
	newQrScan: visits('qr'),
	newShortLink: additions('url', (n) => ({ url: `https://example.com/${n}` })),
	newShortLinkClick: visits('url'),
};

const FEED = 'bitwright';
const publish = async (world: WatchedReader, ...titles: string[]) =>
	await world.publish(FEED, ...titles.map((title) => ({ title, guid: `urn:compatibility:${title}` })));
const markAllRead = async ({ reader }: WatchedReader) =>
	await reader.post('/reader/mark_all_as_read', { days: 0 });
const newest = async (world: WatchedReader) => await world.newest('Bitwright');

const saves = async (world: WatchedReader, title: string) => {
	await publish(world, title);
	const { story_hash } = await newest(world);
	await world.reader.post('/reader/mark_story_hash_as_starred', { story_hash });
};

const shares = async (by: 'reader' | 'friend', world: WatchedReader, title: string) => {
	await publish(world, title);
	const { story_feed_id: feed_id, id: story_id } = await newest(world);
	await world[by].post('/social/share_story', { feed_id, story_id, comments: title });
};

/** The friend replies to the reader’s comment on the newest story. */
const replies = async (world: WatchedReader, reply_comments: string) => {
	const { story_feed_id, id: story_id } = await newest(world);
	world.reader.clock.advance(1000);
	await world.friend.post('/social/save_comment_reply', {
		story_feed_id,
		story_id,
		comment_user_id: 1,
		reply_comments,
	});
};

const control = async ({ anonymous }: WatchedReader, action: 'break' | 'repair') => {
	await anonymous.control(`/sandbox/feeds/${FEED}/${action}`);
	await anonymous.control('/reader-service/sandbox/fetch');
};

export const readerEvents: Record<string, Scenario<WatchedReader>> = {
	feedBroken: {
		parameters: { feedState: 'both' },
		first: async (world) => await control(world, 'break'),
		second: async (world) => await control(world, 'repair'),
	},
	newActivity: {
		first: async (world) => await shares('reader', world, 'one'),
		second: async (world) => await saves(world, 'two'),
	},
	newInteraction: {
		before: async (world) => await shares('reader', world, 'mine'),
		first: async (world) => await replies(world, 'one'),
		second: async (world) => await replies(world, 'two'),
	},
	newSavedStory: {
		before: async (world) => await saves(world, 'one'),
		first: async (world) => await saves(world, 'two'),
		second: async (world) => await saves(world, 'three'),
	},
	newSharedStory: {
		first: async (world) => await shares('friend', world, 'one'),
		second: async (world) => await shares('friend', world, 'two'),
	},
	newUnreadStory: {
		before: markAllRead,
		first: async (world) => await publish(world, 'one', 'two'),
		second: async (world) => await publish(world, 'three'),
	},
	savedSearchMatch: {
		before: async ({ reader }) => await reader.post('/reader/save_search', { feed_id: 3, query: 'zebra' }),
		first: async (world) => await publish(world, 'a zebra', 'a horse'),
		second: async (world) => await publish(world, 'another zebra'),
	},
	unreadCountReached: {
		parameters: { threshold: 2 },
		before: markAllRead,
		first: async (world) => await publish(world, 'one', 'two'),
		between: markAllRead,
		second: async (world) => await publish(world, 'three', 'four', 'five'),
	},
};
