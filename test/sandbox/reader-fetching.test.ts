import { asReader, controls, type ReaderClient, type Story } from '../support/clients/reader-client.ts';
import { NOON } from '../support/clock.ts';
import { FakeHost } from '../support/hosts/fake-host.ts';

/** How changes in a feed affect stored stories. All of this was observed with the service's public code. */

interface Item {
	guid: string;
	title?: string;
	link?: string;
	text?: string;
	/** Hours after the first of September, noon. */
	hours?: number;
	tags?: string[];
}

const usual = 'Harbour light repaired after the storm';
const other = 'Nothing at all of kin';
const short = 'A text of some forty characters, no more.';
const words =
	'harbour tide quay ship captain island storm gull rope anchor wind sail cargo light fog wave'.split(' ');
/** About 3,000 characters; `sentences` of the 60 sentences differ. */
const long = (sentences = 0) =>
	Array.from({ length: 60 }, (_, n) =>
		n < sentences
			? `sentence ${n} speaks of foxes, bees and hedgehogs`
			: `${n} ${words.slice(n % 8, (n % 8) + 8)}`,
	).join('. ');

const item = ({ guid, title = usual, link = 'a', text = long(), hours = -48, tags = [] }: Item) =>
	`<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><link>https://weekly.example/${link}</link>
	<pubDate>${new Date(NOON + hours * 3_600_000).toUTCString()}</pubDate><description>${text}</description>
	${tags.map((tag) => `<category>${tag}</category>`).join('')}</item>`;

const rss = (items: Item[]) =>
	`<?xml version="1.0"?><rss version="2.0"><channel><title>Weekly</title><link>https://weekly.example/</link><description>d</description>${items.map(item).join('')}</channel></rss>`;

/** Subscribes to a feed that serves these documents in sequence; calls `look` after each fetch. */
async function publishing(
	client: ReaderClient,
	documents: Item[][],
	look: (stories: Story[], document: number) => Promise<void> | void,
): Promise<void> {
	let current = 0;
	const site = await FakeHost.start(() => ({ body: rss(documents[current] ?? []) }));
	try {
		const { body } = await client.post('/reader/add_url', { url: `${site.baseUrl}/feed.xml` });
		const { id } = body['feed'] as { id: number };
		for (current = 0; current < documents.length; current++) {
			await client.control(controls.fetch);
			await look((await client.get(`/reader/feed/${id}`, { read_filter: 'all' })).body.stories, current);
		}
	} finally {
		await site.stop();
	}
}

const wild = { variant: 'wild', allowPrivate: true } as const;
const inNumber = (n: number, make: (index: number) => Item) =>
	Array.from({ length: n }, (_, index) => make(index));

describe('wild: a story under another guid', () => {
	const first = { guid: 'one' };
	const same = ['two'];
	const both = ['one', 'two'];
	test.each<[string, Item, Item[], string[]]>([
		['is the same story', first, [{ guid: 'two' }], same],
		['with another link', first, [{ guid: 'two', link: 'b' }], same],
		['with a title a little other', first, [{ guid: 'two', title: `${usual} today`, link: 'b' }], same],
		['with a word more', first, [{ guid: 'two', text: `${long()} again` }], same],
		['dated before', first, [{ guid: 'two', hours: -48 - 36 }], same],
		[
			'if short, with the same title and link',
			{ guid: 'one', text: short },
			[{ guid: 'two', text: short }],
			same,
		],
		[
			'but if short, not with another link',
			{ guid: 'one', text: short },
			[{ guid: 'two', text: short, link: 'b' }],
			both,
		],
		['but not with another title', first, [{ guid: 'two', title: other }], both],
		['but not with a text more than a little other', first, [{ guid: 'two', text: long(4) }], both],
		['but not dated a day and a half after', first, [{ guid: 'two', hours: -12 }], both],
		['but not in addition to the old one', first, [{ guid: 'two' }, first], both],
	])('%s', (_, before, after, guids) =>
		asReader(wild, (client) =>
			publishing(client, [[before], after], (stories, document) => {
				if (document === 1) expect(stories.map(({ id }) => id).sort()).toEqual(guids);
			}),
		),
	);

	test('stays read, and shared', () =>
		asReader(wild, (client) =>
			publishing(client, [[first], [{ guid: 'two' }]], async ([story], document) => {
				if (story === undefined) throw new Error('no story');
				if (document === 1) {
					expect(story).toMatchObject({ id: 'two', read_status: 1, share_count: 1 });
					return;
				}
				await client.post('/reader/mark_story_hashes_as_read', { story_hash: story.story_hash });
				await client.post('/social/share_story', {
					story_id: story.story_hash,
					feed_id: story.story_feed_id,
					comments: 'x',
				});
			}),
		));

	test('three of them per fetch, the others in the next', () =>
		asReader(wild, (client) => {
			const stories = (guid: string) =>
				inNumber(5, (n) => ({
					guid: `${guid}${n}`,
					title: `Report of office ${n}`,
					link: `${n}`,
					text: `${words.slice(n).join(' ')} ${long(n * 9)}`,
				}));
			const renamed = stories('b');
			return publishing(client, [stories('a'), renamed, renamed], (found, document) => {
				const count = found.filter(({ id }) => id.startsWith('b')).length;
				expect({ count, total: found.length }).toEqual({ count: [0, 3, 5][document], total: 5 });
			});
		}));
});

describe('wild: an edited story', () => {
	const before = { guid: 'one', text: short };
	const kept = { story_title: usual, story_content: short };
	test.each<[string, Item, object]>([
		['has the new text', { guid: 'one', text: 'Other words.' }, { story_content: 'Other words.' }],
		['has no new title alone, if it is short', { guid: 'one', title: `${usual} now`, text: short }, kept],
		['stays as it was under another title', { guid: 'one', title: other, text: 'Other words.' }, kept],
		['stays as it was under another date', { guid: 'one', text: 'Other words.', hours: 72 }, kept],
	])('%s', (_, after, expected) =>
		asReader(wild, (client) =>
			publishing(client, [[before], [after]], ([story], document) => {
				if (document === 1) expect(story).toMatchObject({ id: 'one', ...expected });
			}),
		),
	);
});

test('contract: another guid is a new story, an edit changes the story', () =>
	asReader({ allowPrivate: true }, (client) =>
		publishing(client, [[{ guid: 'one' }], [{ guid: 'two' }, { guid: 'one', title: other }]], (stories) => {
			const titles = Object.fromEntries(stories.map(({ id, story_title }) => [id, story_title]));
			expect([{ one: usual }, { one: other, two: usual }]).toContainEqual(titles);
		}),
	));

test.each([
	['contract', ['Travel, Sea', 'Big   Ships', 'Tides/Moon', 'SEA']],
	['wild', ['travel', 'sea', 'big ships', 'tides', 'moon', 'sea']],
] as const)('%s: tags', (variant, expected) =>
	asReader({ variant, allowPrivate: true }, (client) =>
		publishing(
			client,
			[[{ guid: 'one', tags: ['Travel, Sea', 'Big   Ships', 'Tides/Moon', 'SEA', ' '] }]],
			([story]) => expect(story?.['story_tags']).toEqual(expected),
		),
	),
);

test('wild: the date of a story is its last change before the first fetch', async () => {
	const feed = (changed: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>Dates</title><id>f</id>
		<entry><id>e</id><title>One</title><link href="http://x.example/"/><summary>x</summary>
		<published>2026-08-20T10:00:00Z</published><updated>${changed}</updated></entry></feed>`;
	for (const [wild, first] of [
		[['change-dates'], '2026-08-25 10:00:00'],
		[[], '2026-08-20 10:00:00'],
	] as const) {
		let document = feed('2026-08-25T10:00:00Z');
		const site = await FakeHost.start(() => ({ body: document }));
		await asReader({ allowPrivate: true, wild }, async (client) => {
			const { body } = await client.post('/reader/add_url', { url: `${site.baseUrl}/feed.xml` });
			const { id } = body['feed'] as { id: number };
			const date = async () => (await client.get(`/reader/feed/${id}`)).body.stories[0]?.['story_date'];
			expect(await date()).toBe(first);
			document = feed('2026-08-28T10:00:00Z');
			await client.control(controls.fetch);
			expect(await date()).toBe(first);
		}).finally(() => site.stop());
	}
});

test('wild: keeps at most twelve tags of 250 characters', () =>
	asReader(wild, (client) =>
		publishing(
			client,
			[
				[
					{
						guid: 'one',
						tags: ['x'.repeat(300), ...inNumber(20, (n) => ({ guid: `t${n}` })).map(({ guid }) => guid)],
					},
				],
			],
			([story]) => {
				const tags = story?.['story_tags'] as string[];
				expect(tags).toHaveLength(12);
				expect(tags[0]).toHaveLength(250);
			},
		),
	));

test.each([
	['contract', '2026-09-06 12:00:00', '1999-08-31 12:00:00'],
	['wild', '2026-09-01 12:00:00', '2026-09-01 12:00:00'],
] as const)('%s: dates in the future and in the last century', (variant, future, past) =>
	asReader({ variant, allowPrivate: true }, (client) => {
		const century = (Date.UTC(1999, 7, 31, 12) - NOON) / 3_600_000;
		const items = [
			{ guid: 'future', hours: 120 },
			{ guid: 'past', title: other, hours: century },
		];
		return publishing(client, [items], (stories) => {
			const dates = Object.fromEntries(stories.map((story) => [story.id, story['story_date']]));
			expect(dates).toEqual({ future, past });
		});
	}),
);
