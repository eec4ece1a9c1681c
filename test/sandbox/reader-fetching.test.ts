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

test('contract: another guid is a new story, an edit changes the story', () =>
	asReader({ allowPrivate: true }, (client) =>
		publishing(client, [[{ guid: 'one' }], [{ guid: 'two' }, { guid: 'one', title: other }]], (stories) => {
			const titles = Object.fromEntries(stories.map(({ id, story_title }) => [id, story_title]));
			expect([{ one: usual }, { one: other, two: usual }]).toContainEqual(titles);
		}),
	));

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
