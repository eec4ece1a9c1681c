import type { DatabaseSync } from 'node:sqlite';
import { readerService } from '../../../sandbox/reader/index.ts';
import { ownFeedsService } from '../../../sandbox/reader/built-in-feeds.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { startServer } from '../../../sandbox/shared/start-server.ts';
import { ManualClock } from '../clock.ts';
import { copyOf, fill, withDatabase, type Copy } from '../hosts/database.ts';

export interface Feed {
	[key: string]: unknown;
	id: number;
	feed_title: string;
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
	score: number;
	read_status: number;
	user_tags: string[];
	friend_comments: Comment[];
	public_comments: Comment[];
}

/** What answers hold, as far as tests look into them. */
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
	/** The body where it is a JSON object, else {}. */
	body: ReaderBody;
	/** The body where it is a bare JSON array, else []. */
	rows: ReaderBody[];
	headers: Headers;
}

type Fields = Record<string, string | number | boolean | readonly (string | number)[]>;

function encode(fields: Fields): URLSearchParams {
	const encoded = new URLSearchParams();
	for (const [name, value] of Object.entries(fields)) {
		for (const one of Array.isArray(value) ? value : [value]) encoded.append(name, String(one));
	}
	return encoded;
}

/** Calls the news reader service of a sandbox as one account. */
export class ReaderClient {
	readonly origin: string;
	readonly clock: ManualClock;
	headers: Record<string, string> = {};

	constructor(origin: string, clock: ManualClock) {
		this.origin = origin;
		this.clock = clock;
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

	/** Of the reader: `/reader-service/sandbox/…`; of a built-in feed: `/sandbox/feeds/…`. */
	async control(path: string, body: object = {}): Promise<ReaderBody> {
		const response = await fetch(this.origin + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const answer = (await response.json()) as ReaderBody;
		if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
		return answer;
	}

	/** A client logged in as an account. */
	async as(username: string, password = 'sandbox-password'): Promise<ReaderClient> {
		const client = new ReaderClient(this.origin, this.clock);
		const { headers } = await client.post('/api/login', { username, password });
		const cookie = headers.get('set-cookie')?.split(';', 1)[0];
		if (cookie === undefined) throw new Error(`${username} could not log in.`);
		client.headers = { cookie };
		return client;
	}

	/** Publishes into a built-in feed and fetches it. */
	async publish(slug: string, story: object): Promise<ReaderBody> {
		const published = await this.control(`/sandbox/feeds/${slug}/publish`, story);
		await this.control(controls.fetch);
		return published;
	}

	async feedId(title: string): Promise<number> {
		const { body } = await this.get('/reader/feeds');
		const found = Object.values(body.feeds).find((feed) => feed.feed_title === title);
		if (!found) throw new Error(`No feed ${title}.`);
		return found.id;
	}
}

const services = [readerService, ownFeedsService];

/** What the first start leaves in the database: fetched once for all tests of a file, which start from copies. */
let prepared: Promise<Copy> | undefined;

async function prepare(): Promise<Copy> {
	let db: DatabaseSync | undefined;
	const watched = withDatabase(services, (opened) => (db = opened));
	const sandbox = await startServer(watched, { port: 0, clock: new ManualClock() });
	// The reader answers once its feeds are fetched for the first time.
	await fetch(`${sandbox.url}/reader-service/nothing`);
	const copy = copyOf(db!);
	await sandbox.close();
	return copy;
}

/** Starts a sandbox with a stopped clock; the client is not logged in. */
export async function startReader(
	given: Partial<SandboxOptions> = {},
): Promise<{ client: ReaderClient; close: () => Promise<void> }> {
	const copy = given.data === undefined ? await (prepared ??= prepare()) : undefined;
	const filled = copy ? withDatabase(services, (db) => fill(db, copy)) : services;
	const clock = new ManualClock();
	const { url, close } = await startServer(filled, { port: 0, clock, rateLimit: null, ...given });
	return { client: new ReaderClient(url, clock), close };
}

/** Runs a sandbox with a stopped clock; the client is not logged in. */
export async function withReader(
	given: Partial<SandboxOptions>,
	run: (client: ReaderClient) => Promise<void>,
): Promise<void> {
	const { client, close } = await startReader(given);
	try {
		await run(client);
	} finally {
		await close();
	}
}

/** The same, logged in as `reader`. */
export function asReader(
	given: Partial<SandboxOptions>,
	run: (client: ReaderClient) => Promise<void>,
): Promise<void> {
	return withReader(given, async (anybody) => run(await anybody.as('reader')));
}
