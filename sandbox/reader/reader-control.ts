import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { revokeSessions, userByName } from './accounts.ts';
import { feedById } from './fetching/fetcher.ts';
import { addStory } from './fetching/keep-stories.ts';
import type { AddressBans, CallLimits } from './http/limits.ts';
import { expireTokens } from './oauth/model.ts';
import type { Reader } from './reader.ts';
import { largestCluster, makeCluster } from './stories/clusters.ts';
import { storiesByHash } from './stories/find.ts';
import { countAfterFetch } from './stories/stored-counts.ts';

const largestBulk = 1_000_000;

const account = z.strictObject({ username: z.string() });
const bulk = z.strictObject({
	feed_id: z.int(),
	count: z.int().min(1).max(largestBulk),
	/** Seconds between two stories; the newest is published now. Default: all within one day. */
	seconds_apart: z.number().min(0).optional(),
});
const cluster = z.strictObject({
	story_hashes: z.array(z.string()).min(2).max(largestCluster),
	tier: z.enum(['title', 'related']).default('related'),
	/** The id of a cluster to replace. Default: a new id. */
	id: z.string().min(1).optional(),
});
const settings = z.strictObject({
	/** Plan of the account `username`, or of all accounts without their own plan. */
	plan: z.enum(['free', 'premium', 'archive']).optional(),
	username: z.string().optional(),
	fetch_seconds: z.number().min(0).optional(),
	foreign_fetch_seconds: z.number().min(0).optional(),
	/** Clears the rate limit counts and the bans. */
	reset_limits: z.boolean().optional(),
	address_limit: z.boolean().optional(),
	cookie_name: z
		.string()
		.regex(/^[\w-]+$/)
		.optional(),
});

/** Control endpoints for tests and demos: POST with a JSON body, under `/reader-service/sandbox`. */
export function serveControl(
	app: FastifyInstance,
	reader: Reader,
	limits: CallLimits,
	bans: AddressBans,
): void {
	const post = <Body>(path: string, schema: z.ZodType<Body>, run: (body: Body) => object | Promise<object>) =>
		app.post(path, async (request, reply) => {
			const body = schema.safeParse(request.body ?? {});
			if (!body.success) return reply.code(400).send({ message: z.prettifyError(body.error) });
			try {
				return await run(body.data);
			} catch (error) {
				if (!(error instanceof Unknown)) throw error;
				return reply.code(404).send({ message: error.message });
			}
		});

	post('/revoke-sessions', account, ({ username }) => ({
		revoked: revokeSessions(reader, needUser(reader, username)),
	}));
	post('/expire-tokens', account, ({ username }) => ({
		expired: expireTokens(reader, needUser(reader, username)),
	}));
	/** Fetches all feeds, then responds. */
	post('/fetch', z.strictObject({}), async () => ({ fetched: await reader.fetcher.fetchAll() }));
	post('/bulk', bulk, (given) => addBulk(reader, given));
	post('/cluster', cluster, (given) => addCluster(reader, given));
	post('/settings', settings, (given) => {
		change(reader, given);
		if (given.reset_limits) {
			limits.reset();
			bans.lift();
		}
		return { ...reader.settings };
	});
}

class Unknown extends Error {}

function needUser(reader: Reader, username: string) {
	const user = userByName(reader.db, username);
	if (user === undefined) throw new Unknown(`There is no account ${username}.`);
	return user;
}

/** Creates a cluster of similar stories from at least two feeds. */
function addCluster(reader: Reader, { story_hashes, tier, id }: z.infer<typeof cluster>): object {
	const stories = storiesByHash(reader, story_hashes);
	const missing = story_hashes.filter((hash) => !stories.some(({ story_hash }) => story_hash === hash));
	if (missing.length > 0) throw new Unknown(`There is no story ${missing.join(', ')}.`);
	if (new Set(stories.map(({ feed_id }) => feed_id)).size < 2) {
		throw new Unknown('Similar stories must be of two feeds at least.');
	}
	const clusterId = id ?? randomUUID();
	makeCluster(reader, { id: clusterId, tier, members: stories.map((story) => story.id) });
	return { id: clusterId, tier, story_hashes };
}

/** Adds synthetic stories to a feed; the newest is published now. */
function addBulk(reader: Reader, given: z.infer<typeof bulk>): object {
	const { feed_id: feedId, count } = given;
	if (feedById(reader.db, feedId) === undefined) throw new Unknown(`There is no feed ${feedId}.`);
	const stepMs = (given.seconds_apart ?? 86_400 / count) * 1000;
	const now = reader.now();
	const first = reader.db.count('SELECT COUNT(*) FROM reader_stories WHERE feed_id = ?', feedId);
	reader.db.transaction(() => {
		for (let index = 0; index < count; index++) {
			const number = first + index;
			addStory(reader.db, feedId, {
				guid: `urn:bulk:${feedId}:${number}`,
				title: `Synthetic story ${number}`,
				link: `${reader.origin}/feeds/bulk/${number}`,
				authors: `Author ${number % 10}`,
				publishedAt: Math.round(now - (count - 1 - index) * stepMs),
				content: `<p>Content of synthetic story ${number}.</p>`,
				tags: [`tag-${number % 20}`],
				imageUrls: [],
			});
		}
		countAfterFetch(reader, feedId);
	});
	return { feed_id: feedId, added: count };
}

function change(reader: Reader, given: z.infer<typeof settings>): void {
	const { settings } = reader;
	if (given.plan !== undefined && given.username !== undefined) {
		const { id } = needUser(reader, given.username);
		reader.db.run('UPDATE reader_users SET plan = ? WHERE id = ?', given.plan, id);
	} else if (given.plan !== undefined) {
		settings.plan = given.plan;
	}
	settings.fetchSeconds = given.fetch_seconds ?? settings.fetchSeconds;
	settings.foreignFetchSeconds = given.foreign_fetch_seconds ?? settings.foreignFetchSeconds;
	settings.addressLimit = given.address_limit ?? settings.addressLimit;
	settings.cookieName = given.cookie_name ?? settings.cookieName;
}
