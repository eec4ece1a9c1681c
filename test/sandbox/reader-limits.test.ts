/** Rate limits, and the ban of newer servers. The clock stays at a full minute until a test moves it. */
import {
	addStories,
	asReader,
	controls,
	LIVE_WIRE,
	withReader,
	type ReaderClient,
	type ReaderResponse,
} from '../support/clients/reader-client.ts';

test('wild: one counter for all limited endpoints, over this minute and the last', () =>
	asReader({ variant: 'wild', rateLimit: { count: 1, seconds: 1 } }, async (client) => {
		const status = async (path: string) => (await client.get(path)).status;
		const rss = '/social/rss/2/friend';
		for (let n = 0; n < 4; n++) expect(await status('/reader/feeds')).toBe(200);
		expect([await status(rss), await status(rss), await status('/reader/feeds')]).toEqual([200, 429, 200]);
		const refused = await client.get(rss);
		expect([refused.text, refused.headers.get('retry-after')]).toEqual(['Rate limit exceeded', null]);
		for (let n = 0; n < 30; n++) expect(await status('/reader/starred_stories')).toBe(200);
		client.clock.advance(60_000);
		expect(await status(rss)).toBe(429);
		for (let n = 0; n < 30; n++) await client.get('/rss_feeds/statistics/1');
		expect(await status('/reader/refresh_feeds')).toBe(429);
		expect((await client.post('/reader/refresh_feeds', { feed_id: 1 })).status).toBe(200);
		client.clock.advance(120_000);
		expect(await status(rss)).toBe(200);
	}));

const limited = { variant: '2026', rateLimit: { count: 1, seconds: 1 } } as const;
const text = '/rss_feeds/original_text?story_hash=10:nothing';

async function repeat(client: ReaderClient, path: string, times: number): Promise<number[]> {
	const statuses = [];
	for (let n = 0; n < times; n++) statuses.push((await client.get(path)).status);
	return statuses;
}

const waitOf = ({ headers }: ReaderResponse): number => Number(headers.get('retry-after'));

test('original texts: the 31st request is rejected until exactly the time in Retry-After', () =>
	asReader(limited, async (client) => {
		client.clock.advance(20_000);
		expect(new Set(await repeat(client, text, 30))).toEqual(new Set([200]));
		const refused = await client.get(text);
		expect([refused.status, refused.text, waitOf(refused)]).toEqual([429, 'Rate limit exceeded', 100]);
		client.clock.advance(99_000);
		expect((await client.get(text)).status).toBe(429);
		client.clock.advance(1000);
		expect((await client.get(text)).status).toBe(200);
	}));

test.each([
	['/reader/feeds', 60],
	['/rss_feeds/statistics/1', 30],
	['/social/load_user_friends', 100],
	['/social/rss/2/friend', 5],
])('%s: %i in two minutes', (path, count) =>
	asReader(limited, async (client) => {
		expect(await repeat(client, path, count)).not.toContain(429);
		expect(await repeat(client, path, 1)).toEqual([429]);
	}),
);

describe('a text that looks like an attack', () => {
	const day = 86_400_000;

	test('returns 403 with JSON, and bans the IP address for a day', () =>
		asReader({ variant: '2026' }, async (client) => {
			const attack = await client.get('/reader/river_stories', { query: 'JavaScript: The Good Parts' });
			expect([attack.status, attack.text]).toEqual([403, '{"error":"Forbidden","code":-1}']);
			expect(attack.headers.get('content-type')).toContain('text/json');
			client.clock.advance(day - 1000);
			const later = await client.post('/api/login', { username: 'reader', password: 'sandbox-password' });
			expect([later.status, later.text]).toEqual([403, '{"error":"Forbidden","code":-1}']);
			expect((await client.get('/oauth/authorize')).status).toBe(403);
			client.clock.advance(1000);
			expect((await client.get('/reader/feeds')).status).toBe(200);
		}));

	const texts = [
		'${x}',
		'< SCRIPT',
		'a onerror = b',
		'union all  select',
		`' or '1'='1`,
		'; drop table',
		'../../etc',
	];

	test.each(texts)('is found in a query and in a form: %j', (query) =>
		withReader({ variant: '2026' }, async (client) => {
			expect((await client.get('/reader/river_stories', { query })).status).toBe(403);
			await client.control(controls.settings, { reset_limits: true });
			expect((await client.post('/api/login', { username: 'reader', password: query })).status).toBe(403);
		}),
	);

	test('is ignored by hosts without that check', () =>
		asReader({ variant: 'wild' }, async (client) => {
			expect((await client.get('/reader/river_stories', { query: '<script>' })).status).toBe(200);
		}));
});

test.each([
	['free', 2, 'Only premium users can share multiple stories per day from the same site.'],
	['premium', 101, 'You can only share up to 100 stories per day.'],
] as const)('wild: a %s account may not share %d stories of a feed in a day', (plan, count, message) =>
	asReader({ variant: 'wild', plan }, async (client) => {
		const replies = [];
		// The sample data have a share of today.
		client.clock.advance(86_400_000);
		for (const hash of (await addStories(client, count)).slice(0, count)) {
			const { body } = await client.post('/social/share_story', { feed_id: LIVE_WIRE, story_id: hash });
			replies.push(body);
		}
		expect(replies.map(({ code }) => code)).toEqual([...Array<number>(count - 1).fill(1), -1]);
		expect(replies.at(-1)).toMatchObject({ message });
	}),
);
