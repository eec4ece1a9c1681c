import { setTimeout as sleep } from 'node:timers/promises';
import { readerService } from '../../../sandbox/reader/index.ts';
import { builtInFeedsService } from '../../../sandbox/feeds/builtin/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { startServer } from '../../../sandbox/shared/start-server.ts';
import { ManualClock } from '../clock.ts';
import {
	copyDatabase,
	fillDatabase,
	onDatabaseOpen,
	startWithDatabase,
	type DatabaseCopy,
} from '../hosts/database.ts';

export interface Feed {
	[key: string]: unknown;
	id: number;
	feed_title: string;
	feed_address: string;
	ps: number;
	nt: number;
	ng: number;
}

export interface Comment {
	[key: string]: unknown;
	id: string;
	user_id: number;
	comments: string;
	replies: { reply_id: string; user_id: number; comments: string }[];
	liking_users: number[];
}

export interface Story {
	[key: string]: unknown;
	story_hash: string;
	id: string;
	story_feed_id: number;
	story_title: string;
	story_permalink: string;
	score: number;
	read_status: number;
	user_tags: string[];
	friend_comments: Comment[];
	public_comments: Comment[];
}

/** The members of responses that tests read. */
export interface ReaderBody {
	[key: string]: unknown;
	code: number;
	message: string;
	stories: Story[];
	feeds: Record<string, Feed>;
	folders: unknown[];
	comment: Comment;
	user_profile: Record<string, unknown>;
	interactions: Record<string, unknown>[];
	activities: Record<string, unknown>[];
	unread_feed_story_hashes: Record<string, (string | [string, number])[]>;
	starred_story_hashes: (string | [string, number | string])[];
	starred_counts: {
		tag: string | null;
		feed_id: number | null;
		count: number;
		feed_address: string | null;
	}[];
	share_ext_token: string;
}

/** Paths of the reader's control calls. */
export const controls = {
	fetch: '/reader-service/sandbox/fetch',
	bulk: '/reader-service/sandbox/bulk',
	cluster: '/reader-service/sandbox/cluster',
	settings: '/reader-service/sandbox/settings',
	revokeSessions: '/reader-service/sandbox/revoke-sessions',
	expireTokens: '/reader-service/sandbox/expire-tokens',
};

export interface ReaderResponse {
	status: number;
	text: string;
	/** The body if it is a JSON object, otherwise {}. */
	body: ReaderBody;
	/** The body if it is a JSON array, otherwise []. */
	rows: ReaderBody[];
	headers: Headers;
}

type Fields = Record<string, string | number | boolean | readonly (string | number)[]>;

function encode(fields: Fields): URLSearchParams {
	const encoded = new URLSearchParams();
	for (const [name, value] of Object.entries(fields)) {
		for (const entry of Array.isArray(value) ? value : [value]) encoded.append(name, String(entry));
	}
	return encoded;
}

/**
 * A client of a sandbox's news reader service that shares no code with the node. It may be logged in. `get` and `post`
 * return any response; `read` and `write` return the JSON of a successful one, and throw otherwise.
 */
export class ReaderClient {
	readonly origin: string;
	headers: Record<string, string> = {};
	readonly #clock: ManualClock | undefined;

	/** @param clock the sandbox's clock, if the sandbox runs in this process */
	constructor(origin: string, clock?: ManualClock) {
		this.origin = origin;
		this.#clock = clock;
	}

	/** A client of the service at this address, logged in as an account. */
	static async logIn(readerUrl: string, username: string): Promise<ReaderClient> {
		return await new ReaderClient(new URL(readerUrl).origin).as(username);
	}

	get clock(): ManualClock {
		if (!this.#clock) throw new Error('The tests cannot move the clock of this sandbox');
		return this.#clock;
	}

	get url(): string {
		return `${this.origin}/reader-service`;
	}

	async send(path: string, init: RequestInit = {}): Promise<ReaderResponse> {
		const response = await fetch(this.url + path, {
			redirect: 'manual',
			...init,
			headers: { ...this.headers, ...init.headers },
		});
		const text = await response.text();
		const json: unknown = /^[[{]/.test(text) ? JSON.parse(text) : {};
		return {
			status: response.status,
			text,
			body: (Array.isArray(json) ? {} : json) as ReaderBody,
			rows: (Array.isArray(json) ? json : []) as ReaderBody[],
			headers: response.headers,
		};
	}

	get(path: string, query: Fields = {}): Promise<ReaderResponse> {
		const search = encode(query).toString();
		return this.send(search ? `${path}?${search}` : path);
	}

	post(path: string, fields: Fields = {}): Promise<ReaderResponse> {
		return this.send(path, { method: 'POST', body: encode(fields) });
	}

	async read(path: string, query: Fields = {}): Promise<ReaderBody> {
		return successBody(path, await this.get(path, query));
	}

	async write(path: string, fields: Fields): Promise<ReaderBody> {
		return successBody(path, await this.post(path, fields));
	}

	/** A control call of the reader (`/reader-service/sandbox/…`), or of a built-in feed (`/sandbox/feeds/…`). */
	async control(path: string, body: object = {}): Promise<ReaderBody> {
		const response = await fetch(this.origin + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
		return JSON.parse(text) as ReaderBody;
	}

	/** A client logged in as an account. */
	async as(username: string, password = 'sandbox-password'): Promise<ReaderClient> {
		const client = new ReaderClient(this.origin, this.#clock);
		const { headers } = await client.post('/api/login', { username, password });
		const cookie = headers.get('set-cookie')?.split(';', 1)[0];
		if (cookie === undefined) throw new Error(`${username} could not log in.`);
		client.headers = { cookie };
		return client;
	}

	/** Publishes stories in a built-in feed, then makes the service fetch its feeds. */
	async publish(slug: string, ...stories: object[]): Promise<void> {
		for (const story of stories) await this.control(`/sandbox/feeds/${slug}/publish`, story);
		await this.control(controls.fetch);
	}

	async feedId(title: string): Promise<number> {
		const { body } = await this.get('/reader/feeds');
		const found = Object.values(body.feeds).find((feed) => feed.feed_title === title);
		if (!found) throw new Error(`No feed ${title}.`);
		return found.id;
	}

	/** The hashes of unread stories by feed, as soon as the service has fetched the feeds of a new account. */
	async unreadOfFetchedFeeds(): Promise<Map<number, string[]>> {
		for (let attempt = 0; attempt < 100; attempt++) {
			const { unread_feed_story_hashes: unread } = await this.read('/reader/unread_story_hashes');
			const feeds = Object.entries(unread).filter(([, hashes]) => hashes.length > 0);
			if (feeds.length >= FEEDS_WITH_STORIES) {
				return new Map(feeds.map(([id, hashes]) => [Number(id), hashes.map(String)]));
			}
			await sleep(100);
		}
		throw new Error('The sandbox has fetched no feeds');
	}
}

/** The number of feeds with stories in a new account, after the first fetch. */
const FEEDS_WITH_STORIES = 6;

function successBody(path: string, { status, text, body }: ReaderResponse): ReaderBody {
	if (status >= 300 || Number(body.code) < 0) throw new Error(`${path}: ${status} ${text}`);
	return body;
}

const services = [readerService, builtInFeedsService];

/** The database after a first start. All tests of a file start with copies of it, so that feeds are fetched only once. */
let preparedCopy: Promise<DatabaseCopy> | undefined;

async function prepareCopy(): Promise<DatabaseCopy> {
	const { server, db } = await startWithDatabase(services, { clock: new ManualClock() });
	const copy = copyDatabase(db);
	await server.close();
	return copy;
}

/**
 * Starts a sandbox with a stopped clock; the client is not logged in. The service fetches feeds only when a test or a
 * request makes it fetch them: its schedule uses a real timer, so new stories would come at random moments.
 */
export async function startReader(
	options: Partial<SandboxOptions> = {},
): Promise<{ client: ReaderClient; close: () => Promise<void> }> {
	const copy = options.data === undefined ? await (preparedCopy ??= prepareCopy()) : undefined;
	const filled = copy ? onDatabaseOpen(services, (db) => fillDatabase(db, copy)) : services;
	const clock = new ManualClock();
	const { url, close } = await startServer(filled, { port: 0, clock, rateLimit: null, ...options });
	const client = new ReaderClient(url, clock);
	await client.control(controls.settings, { fetch_seconds: 0 });
	return { client, close };
}

/** Runs a sandbox with a stopped clock; the client is not logged in. */
export async function withReader(
	options: Partial<SandboxOptions>,
	run: (client: ReaderClient) => Promise<void>,
): Promise<void> {
	const { client, close } = await startReader(options);
	try {
		await run(client);
	} finally {
		await close();
	}
}

/** Runs a sandbox with a stopped clock; the client is logged in as `reader`. */
export function asReader(
	options: Partial<SandboxOptions>,
	run: (client: ReaderClient) => Promise<void>,
): Promise<void> {
	return withReader(options, async (anonymous) => run(await anonymous.as('reader')));
}

/** The feed to which tests add stories. */
export const LIVE_WIRE = 10;

/** Adds stories to the feed. @returns the hashes of its unread stories, newest first */
export async function addStories(client: ReaderClient, count: number): Promise<string[]> {
	await client.control(controls.bulk, { feed_id: LIVE_WIRE, count });
	return unreadOf(client, LIVE_WIRE);
}

/** The hashes of a feed's unread stories, newest first. */
export async function unreadOf(client: ReaderClient, feedId: number): Promise<string[]> {
	const { body } = await client.get('/reader/unread_story_hashes', { feed_id: feedId });
	return (body.unread_feed_story_hashes[feedId] ?? []).map(String);
}

export async function storiesOf(client: ReaderClient, feedId: number): Promise<ReaderBody['stories']> {
	return (await client.get(`/reader/feed/${feedId}`)).body.stories;
}
