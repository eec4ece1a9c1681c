/** The News Reader in the sandbox with the code of 2026: rate limits, plan limits, and rejections. */
import type { RunResult } from '../../engine/index.ts';
import { readerTable } from '../../nodes/tables';
import type { Plan } from '../../sandbox/shared/options.ts';
import { controls, startReader, type ReaderClient } from '../support/clients/reader-client.ts';
import { DAY_MS, makeVirtual, NOON, type VirtualClock } from '../support/clock';
import { FakeHost } from '../support/hosts/fake-host';
import { clock } from '../support/nodes/built';
import { byId, PASSWORD, records, runReader, sessionCredential, USER } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

const BITWRIGHT = 3;
const LIVE_WIRE = 10;

let time: VirtualClock;
beforeEach(() => {
	time = makeVirtual(clock);
});
afterEach(() => time.restore());

interface Sandbox2026 {
	me: ReaderClient;
	host: FakeHost;
	run(name: string, parameters: object, items?: object[]): Promise<RunResult>;
}

/** Starts a sandbox of 2026 whose rate limits use the nodes' virtual clock. */
async function withSandbox2026(plan: Plan, check: (world: Sandbox2026) => Promise<void>): Promise<void> {
	const ticking = { now: () => NOON + time.elapsed() };
	const limits = { rateLimit: { count: 1, seconds: 1 }, clock: ticking };
	const { client, close } = await startReader({ variant: '2026', plan, ...limits });
	const host = await FakeHost.inFrontOf(client.origin);
	try {
		const credentials = sessionCredential(`${host.baseUrl}/reader-service`, {
			...{ username: USER, password: PASSWORD },
		});
		const run: Sandbox2026['run'] = async (name, parameters, items = [{}]) => {
			const [resource, operation] = name.split('.');
			return await runReader(engine, { resource, operation, ...parameters }, items, { credentials });
		};
		await check({ me: await client.as(USER, PASSWORD), host, run });
	} finally {
		await close();
	}
}

it('gets forty original texts under a limit of thirty in two minutes', async () =>
	await withSandbox2026('premium', async ({ me, host, run }) => {
		const pages = [1, 2, 3, 4, 5, 6, 7].map((page) => me.get('/reader/feed/1', { read_filter: 'all', page }));
		const stories = (await Promise.all(pages)).flatMap(({ body }) => body.stories);
		const hashes = stories.map(({ story_hash }) => story_hash).slice(0, 40);
		const result = await run(
			'story.getOriginalText',
			{ storyHash: '={{ $json.hash }}' },
			hashes.map((hash) => ({ hash })),
		);
		expect(records(result).map(({ hash }) => hash)).toEqual(hashes);
		const refused = host.requests.filter(({ reply }) => reply.status === 429);
		// The service does not report this limit: the requests in flight are refused.
		expect(refused.length).toBeLessThanOrEqual(5);
		expect(time.elapsed()).toBeGreaterThan(60_000);
		expect(time.elapsed()).toBeLessThan(180_000);
	}));

/** Publishes stories in a feed. @returns the feed's unread stories */
async function publishStories(me: ReaderClient, count: number): Promise<string[]> {
	await me.control(controls.bulk, { feed_id: LIVE_WIRE, count, seconds_apart: 1 });
	const query = { feeds: LIVE_WIRE, read_filter: 'all', limit: 100 };
	const hashes: string[] = [];
	for (let page = 1; hashes.length < count; page += 1) {
		const { stories } = (await me.get('/reader/river_stories', { ...query, page })).body;
		hashes.push(...stories.map(({ story_hash }) => story_hash));
	}
	return hashes.slice(0, count);
}

interface TimedResponse {
	path: string;
	query: URLSearchParams;
	/** When the request came and when the response was sent, in milliseconds of virtual time. */
	at: number;
	respondedAt: number;
	status: number;
	/** In seconds. */
	retryAfter: number;
	type: string;
}

/** Records the time and the status of each response; can shorten pages. */
function recordResponses(host: FakeHost, pageLength?: number): TimedResponse[] {
	const responses: TimedResponse[] = [];
	host.respond = async ({ path, url }, pass) => {
		const at = time.elapsed();
		const reply = await pass(pageLength ? url.replace(/\blimit=\d+/, `limit=${pageLength}`) : url);
		const headers = new Headers(
			Object.entries(reply.headers ?? {}).map(([name, value]) => [name, String(value)]),
		);
		responses.push({
			path,
			query: new URL(url, host.baseUrl).searchParams,
			at,
			respondedAt: time.elapsed(),
			status: reply.status ?? 200,
			retryAfter: Number(headers.get('retry-after')),
			type: String(headers.get('content-type')),
		});
		return reply;
	};
	return responses;
}

/** Requests that were sent after a rejection and before its Retry-After passed. */
const earlyRequests = (responses: TimedResponse[]): TimedResponse[] =>
	responses.filter(({ at, path }) =>
		responses.some(
			(before) =>
				before.status === 429 &&
				before.path === path &&
				at > before.respondedAt &&
				at < before.respondedAt + before.retryAfter * 1000,
		),
	);

it.each([
	['listed', 'getAll', {}],
	['found by hash, ten at a time', 'getByHash', { options: { batchSize: 10 } }],
] as const)(
	'hundreds of saved stories are %s under a limit of fifty requests in six minutes',
	async (_, operation, more) =>
		await withSandbox2026('premium', async ({ me, host, run }) => {
			const hashes = await publishStories(me, 620);
			for (let from = 0; from < hashes.length; from += 100) {
				await me.post('/reader/mark_story_hash_as_starred', { story_hash: hashes.slice(from, from + 100) });
			}
			const responses = recordResponses(host);
			const choice = operation === 'getAll' ? { returnAll: true } : { storyHash: hashes };
			const found = records(await run(`savedStory.${operation}`, { ...choice, ...more }));
			expect(new Set(found.map(({ hash }) => hash)).size).toBe(found.length);
			expect(found.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes));
			expect(responses.filter(({ path }) => path.endsWith('/starred_stories')).length).toBeGreaterThan(60);
			// The service does not report this limit: the requests in flight are refused.
			expect(responses.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(5);
			// They were sent before the first refusal arrived.
			expect(earlyRequests(responses).length).toBeLessThan(5);
			expect(time.elapsed()).toBeGreaterThan(300_000);
			expect(time.elapsed()).toBeLessThan(420_000);
		}),
);

it('waits for the Retry-After of a rejection in text or JSON, then continues', async () =>
	await withSandbox2026('premium', async ({ me, host, run }) => {
		const list = async (operation: string, more: object = {}) =>
			records(await run(operation, { limit: 5, ...more }));
		const saved = (await list('savedStory.getAll')).length;
		const { cookie = '' } = host.requests.at(-1)!.headers;
		const others = async (path: string, count: number) => {
			for (let n = 0; n < count; n += 1) await me.send(path, { headers: { cookie } });
		};
		const responses = recordResponses(host);
		await others('/reader/starred_stories', 49);
		expect(await list('savedStory.getAll')).toHaveLength(saved);

		await me.control(controls.settings, { address_limit: true });
		await others('/reader/read_stories', 300);
		expect(await list('story.getAll', { feedId: byId(BITWRIGHT) })).toHaveLength(5);

		const refused = responses.filter(({ status }) => status === 429);
		expect(refused.map(({ type }) => type.split(';')[0])).toEqual(['text/html', 'application/json']);
		expect(refused[0]?.retryAfter).toBeGreaterThan(300);
		expect(earlyRequests(responses)).toEqual([]);
		for (const { at, path, retryAfter } of refused) {
			const next = responses.find((later) => later.path === path && later.at > at);
			expect(next).toMatchObject({ status: 200 });
			expect(next!.at - at - retryAfter * 1000).toBeLessThan(5000);
		}
	}));

it.each(['free', 'premium'] as const)(
	'requests stories by hash without paging, at most a hundred, with the plan %s',
	async (plan) =>
		await withSandbox2026(plan, async ({ me, host, run }) => {
			await me.control(controls.bulk, { feed_id: LIVE_WIRE, count: 150, seconds_apart: 1 });
			const { body } = await me.get('/reader/unread_story_hashes', { feed_id: LIVE_WIRE });
			const hashes = (body.unread_feed_story_hashes[LIVE_WIRE] ?? []).map(String);
			const responses = recordResponses(host);
			const found = records(await run('story.getByHash', { storyHash: hashes }));
			expect(found.filter(({ missing }) => missing)).toEqual([]);
			const byHash = responses.filter(({ query }) => query.has('h'));
			expect(byHash.length).toBeGreaterThan(1);
			expect(byHash.every(({ query }) => !query.has('page') && query.getAll('h').length <= 100)).toBe(true);
		}),
);

it('mutes a feed for some days, after which its stories return', async () =>
	await withSandbox2026('premium', async ({ run }) => {
		const feed = async () =>
			records(await run('feed.getAll', { returnAll: true })).find(({ id }) => id === LIVE_WIRE);
		const river = { whichFeeds: 'feeds', feedIds: [LIVE_WIRE], filters: { readFilter: 'all' } };
		const muted = records(
			await run('feed.mute', { feedId: byId(LIVE_WIRE), additionalFields: { muteDays: 3 } }),
		);
		expect(muted).toMatchObject([{ muted: true, mutedUntil: new Date(NOON + 3 * DAY_MS).toISOString() }]);
		expect(await feed()).toMatchObject({ active: false, focus: null, unread: null, hidden: null });
		expect(records(await run('river.getAll', river))).toEqual([]);
		await clock.sleep(3 * DAY_MS);
		expect(await feed()).toMatchObject({ active: true, unread: expect.any(Number) as number });
		expect(records(await run('river.getAll', river))).not.toEqual([]);
	}));

it('reports that interactions of other users and replies to protected accounts are forbidden', async () =>
	await withSandbox2026('premium', async ({ me, run }) => {
		const { error } = await run('profile.getInteractions', { filters: { userId: byId(2) } });
		expect(error?.message).toContain('Access denied.');
		expect(readerTable.profile.operations.getInteractions.description).toContain('to you');
		const friend = await me.as('friend');
		const closed = { website: '', location: '', bio: '', photo_service: 'gravatar', protected: 'true' };
		await friend.post('/social/save_user_profile', closed);
		await me.post('/social/unfollow', { user_id: 2 });
		const { stories } = (await me.get('/social/stories/2/')).body;
		const story = stories.find(({ public_comments }) => public_comments.length > 0);
		const reply = await run('comment.saveReply', {
			...{ feedId: byId(story?.story_feed_id), storyId: byId(story?.id) },
			...{ commentUserId: byId(2), replyText: 'Hello' },
		});
		expect(reply.error?.message).toContain('You must be following friend to reply to them.');
		expect(reply.error?.description).not.toContain('may have carried out');
	}));
