/**
 * Whether reads and events show a write at once: every write that makes stories unread times every read that could show
 * them. Works with the built nodes against any host; it deletes and adds a feed of the account, and marks its stories.
 */
import type { IDataObject } from 'n8n-workflow';
import type { CredentialRecord, Engine, NodeJson } from '../engine/index.ts';

/** One account of a host. */
interface Account {
	engine: Engine;
	baseUrl: string;
	username: string;
	password: string;
}

/** Runs operations, and polls one trigger. */
class Reader {
	readonly #account: Account;
	#state: IDataObject | undefined;

	constructor(account: Account) {
		this.#account = account;
		const { baseUrl, username, password } = account;
		const data = { sessionToken: '', baseUrl, username, password, allowedHttpRequestDomains: 'all' };
		account.engine.credentials.set('matrix', { type: 'newsReaderSessionApi', data } as CredentialRecord);
	}

	#node(type: string, parameters: object): NodeJson {
		return {
			name: 'Node',
			type: `n8n-nodes-newslink.${type}`,
			parameters: { authentication: 'session', ...parameters },
			credentials: { newsReaderSessionApi: { id: 'matrix', name: 'matrix' } },
		};
	}

	/** The records of an operation such as `feed.add`; throws its error. */
	async run(name: string, parameters: object): Promise<IDataObject[]> {
		const [resource, operation] = name.split('.');
		const node = this.#node('newsReader', { resource, operation, ...parameters });
		const result = await this.#account.engine.run({ workflow: { nodes: [node], connections: {} } });
		if (result.error) throw result.error;
		const [hint] = result.hints('Node');
		if (hint) console.log(`${name}: ${hint.message}`);
		return result.json('Node');
	}

	/** Starts a new trigger: what exists now counts as known. A known story of a feed that comes back is no event. */
	async startTrigger(): Promise<void> {
		this.#state = undefined;
		await this.poll();
	}

	/** The items of a poll for unread stories. The first poll has none. */
	async poll(): Promise<IDataObject[]> {
		const node = this.#node('newsReaderTrigger', {
			event: 'newUnreadStory',
			storyContent: 'none',
			filters: { unreadAgain: true },
		});
		const { items, staticData } = await this.#account.engine.poll({ node, staticData: this.#state });
		this.#state = staticData;
		return (items ?? []).map(({ json }) => json);
	}
}

/** The feed with which the writes are tried. */
interface Feed {
	id: number;
	address: string;
	website: string;
	/** Its newest story. */
	hash: string;
	title: string;
}

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const only = ({ id }: Feed) => ({ whichFeeds: 'feeds', feedIds: [id] });
const disliked = (opinion: string, { id, title }: Feed) => ({
	feedId: byId(id),
	classifiers: { entry: [{ kind: 'title', opinion, value: title }] },
});
const markAllRead = async (reader: Reader, feed: Feed) => {
	await reader.run('feed.markRead', only(feed));
	await reader.run('feed.getAll', { returnAll: true, filters: { updateCounts: true } });
};
const remove = async (reader: Reader, { id }: Feed) => {
	await reader.run('feed.delete', { feedId: byId(id) });
};

interface Write {
	name: string;
	/** Leaves the feed without unread stories, or unsubscribed. */
	before(reader: Reader, feed: Feed): Promise<void>;
	write(reader: Reader, feed: Feed): Promise<unknown>;
	/** Undoes what would disturb the next write. */
	after?(reader: Reader, feed: Feed): Promise<unknown>;
}

const writes: Write[] = [
	{
		name: 'Story: Mark as Unread',
		before: markAllRead,
		write: async (reader, { hash }) => await reader.run('story.markUnread', { storyHash: hash }),
	},
	{
		name: 'Feed: Delete, then Add',
		before: remove,
		write: async (reader, { address }) => await reader.run('feed.add', { feedUrl: address }),
	},
	{
		name: 'Subscription List: Import',
		before: remove,
		write: async (reader, { address, website }) => {
			const opmlText = `<opml version="2.0"><body><outline type="rss" text="Feed" xmlUrl="${address}" htmlUrl="${website}"/></body></opml>`;
			return await reader.run('subscriptionList.upload', { listSource: 'text', opmlText });
		},
	},
	{
		name: 'Classifier: Save, Remove Dislike',
		before: async (reader, feed) => {
			await markAllRead(reader, feed);
			await reader.run('classifier.save', disliked('dislike', feed));
			await reader.run('story.markUnread', { storyHash: feed.hash });
		},
		write: async (reader, feed) => {
			await reader.run('classifier.save', disliked('remove_dislike', feed));
			await reader.run('story.markUnread', { storyHash: feed.hash });
		},
	},
	{
		name: 'Feed: Unmute',
		before: async (reader, { id }) => {
			await reader.run('feed.mute', { feedId: byId(id) });
		},
		write: async (reader, { id }) => await reader.run('feed.unmute', { feedId: byId(id) }),
		after: async (reader, { hash }) => await reader.run('story.markUnread', { storyHash: hash }),
	},
	{
		name: 'Story: Mark as Unread by Days',
		before: markAllRead,
		write: async (reader, { id }) =>
			await reader.run('story.markUnreadByDays', {
				unreadStoriesOf: 'feed',
				feedId: byId(id),
				unreadDays: 7,
			}),
	},
];

/** Each read returns records that show the feed if it has unread stories. */
const reads: Record<string, (reader: Reader, feed: Feed) => Promise<IDataObject[]>> = {
	'Get Unread': async (reader) => await reader.run('story.getUnread', { returnAll: true }),
	'Get Unread of the feed': async (reader, feed) => await reader.run('story.getUnread', only(feed)),
	'Get Unread Hashes': async (reader) => await reader.run('story.getUnreadHashes', {}),
	River: async (reader) => await reader.run('river.getAll', { returnAll: true }),
	'Story: Get Many': async (reader, { id }) =>
		await reader.run('story.getAll', { feedId: byId(id), filters: { readFilter: 'unread' } }),
	'Feed: Get Many': async (reader) => {
		const feeds = await reader.run('feed.getAll', { returnAll: true });
		return feeds.filter(({ unread }) => Number(unread) > 0).map(({ id }) => ({ feedId: id }));
	},
	'New Unread Story': async (reader) => await reader.poll(),
};

export interface Row {
	write: string;
	/** The reads that don't show the write. */
	missing: string[];
	/** Why the write was not tried. */
	skipped?: string;
}

/** Tries every write and read. `feedAddress` is the address of a subscribed feed with a story of the last day. */
export async function readYourWrites(account: Account, feedAddress?: string): Promise<Row[]> {
	const reader = new Reader(account);
	const subscribed = await reader.run('feed.getAll', { returnAll: true });
	const chosen = subscribed.find(({ address }) => feedAddress === undefined || address === feedAddress);
	if (!chosen) throw new Error('The account is not subscribed to the feed');
	const [newest] = await reader.run('story.getAll', { feedId: byId(chosen.id), limit: 1 });
	if (!newest) throw new Error('The feed has no stories');
	const feed = { ...chosen, hash: newest.hash, title: newest.title } as unknown as Feed;
	const rows: Row[] = [];
	for (const { name, before, write, after } of writes) {
		try {
			await before(reader, feed);
			await reader.startTrigger();
			await write(reader, feed);
		} catch (error) {
			if (!(error as Error).message.includes('does not offer')) throw error;
			rows.push({ write: name, missing: [], skipped: 'not offered' });
			continue;
		}
		const missing: string[] = [];
		for (const [read, show] of Object.entries(reads)) {
			const records = await show(reader, feed);
			if (!records.some(({ feedId }) => feedId === feed.id)) missing.push(read);
		}
		rows.push({ write: name, missing });
		await after?.(reader, feed);
	}
	return rows;
}
