/**
 * Tests that events emit each entry once, oldest first, after n8n was off for thirty days and a list grew by more entries
 * than one poll can read, while entries are added and requests fail. `npm run test:faults` uses 20,000 entries.
 */
import type { Engine } from '../../engine/index.ts';
import { FakeHost, type Reply } from '../support/hosts/fake-host';
import { sessionCredential, SESSION, startEngine } from '../support/nodes/reader-node';
import { holdTime, releaseTime, time, TriggerRun } from '../support/triggers/trigger-run';

const NEW_ENTRIES = process.env.RANDOM_TIMES ? 20_000 : 1_200;
const DAY = 24 * 3_600_000;
/** The maximum number of requests in one poll. */
const MAX_REQUESTS = 300;

let engine: Engine;
let host: FakeHost;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(async () => {
	holdTime();
	host = await FakeHost.start();
});
afterEach(async () => {
	releaseTime();
	await host.stop();
});

interface Entry {
	number: number;
	at: number;
}

/** A list of the service, newest first, which is read in pages. */
interface List {
	event: string;
	path: string;
	page(entries: Entry[], pageOf: (size: number) => Entry[]): object;
	/** The number of the entry of an item. */
	numberOf(item: Record<string, unknown>): number;
}

const dateOf = ({ at }: Entry): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const events = (event: string, path: string, member: string, category: string): List => ({
	event,
	path,
	page: (all, pageOf) => {
		const shown = pageOf(4);
		return {
			[member]: shown.map((entry) => ({
				...{ date: dateOf(entry), category, with_user_id: 2, feed_id: 'social:2', story_feed_id: 1 },
				...{ title: null, content: String(entry.number), content_id: String(entry.number), story_hash: null },
				...{ photo_url: '', with_user: { user_id: 2, username: 'friend' }, time_since: '', is_new: true },
			})),
			has_next_page: shown.at(-1) !== all.at(-1),
		};
	},
	numberOf: ({ content_id: number }) => Number(number),
});

const lists: List[] = [
	events('newInteraction', '/social/interactions', 'interactions', 'comment_reply'),
	events('newActivity', '/social/activities', 'activities', 'star'),
	{
		event: 'newSharedStory',
		path: '/social/river_stories',
		page: (_, pageOf) => ({
			stories: pageOf(50).map(({ number }) => ({
				...{ id: `story ${number}`, story_hash: `1:${String(number).padStart(6, '0')}`, story_feed_id: 1 },
				...{ story_title: '', story_permalink: '', story_authors: '', story_tags: [], story_content: '' },
				...{ share_user_ids: [2], shared_by_friends: [2], friend_user_ids: [2] },
			})),
		}),
		numberOf: ({ story_hash: hash }) => Number(String(hash).slice(2)),
	},
];

it.each(lists.map((list): [string, List] => [list.event, list]))(
	'%s',
	async (event, { path, page, numberOf }) => {
		const entries: Entry[] = [];
		const add = (at = time.now): void => void entries.unshift({ number: entries.length, at });
		let requests = 0;
		let failingRequest = -1;
		host.respond = ({ path: requested, url }): Reply => {
			const envelope = { authenticated: true, code: 1, user_id: 1 };
			if (requested === '/social/load_user_friends') {
				const profiles = { following_profiles: [{ user_id: 2 }], follower_profiles: [] };
				return { body: { ...envelope, ...profiles, user_profile: { user_id: 1 } } };
			}
			if (requested !== path) return { body: { ...envelope, feeds: {} } };
			requests += 1;
			if (requests === failingRequest) return { status: 502 };
			const { searchParams } = new URL(url, host.baseUrl);
			const number = Number(searchParams.get('page'));
			const pageOf = (size: number): Entry[] => entries.slice((number - 1) * size, number * size);
			return { body: { ...envelope, ...page(entries, pageOf) } };
		};
		const run = new TriggerRun(
			engine,
			{
				name: `Trigger of ${event}`,
				type: 'n8n-nodes-newslink.newsReaderTrigger',
				parameters: { event, simplify: false, storyContent: 'none', options: { maximum: 1000 } },
				credentials: { newsReaderSessionApi: { id: 'session', name: 'session' } },
			},
			sessionCredential(host.baseUrl, { sessionToken: SESSION }),
			'cursors',
		);
		for (let n = 0; n < 60; n += 1) add(time.now - (60 - n) * DAY);
		const before = entries.length;
		await run.activate();
		expect(await run.poll()).toEqual([]);

		run.restart(30 * DAY);
		for (let n = NEW_ENTRIES; n > 0; n -= 1) add(time.now - (n / NEW_ENTRIES) * 30 * DAY);
		const emitted: number[] = [];
		for (let polls = 0; emitted.length < entries.length - before; polls += 1) {
			if (polls % 9 === 4) add();
			requests = 0;
			failingRequest = polls % 7 === 3 ? 5 : -1;
			const items = await run.poll().catch((error: unknown) => {
				if (failingRequest < 0) throw error;
				return [];
			});
			emitted.push(...items.map(numberOf));
			expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
			expect(polls).toBeLessThan(NEW_ENTRIES / 10);
		}
		expect(emitted).toEqual(Array.from({ length: entries.length - before }, (_, n) => before + n));
		expect(await run.poll()).toEqual([]);
	},
);
