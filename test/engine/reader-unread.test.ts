/** Unread stories where the service keeps some back, as the wild does: from the node and from the trigger. */
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { records, runReader, sessionCredential, startEngine } from '../support/reader-node';
import { titlesOf, WatchedReader } from '../support/trigger-reader';
import { controls } from '../support/readerClient';
import { unreadOf } from '../support/wild-checks/check';
import { holdTime, releaseTime } from '../support/trigger-run';

let engine: Engine;
let world: WatchedReader;
/** The feed that stories are published in, alone. */
let bitwright: number;
let chosen: object;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(async () => {
	holdTime();
	world = await WatchedReader.start(engine, { variant: 'wild' });
	bitwright = await world.reader.feedId('Bitwright');
	chosen = { whichFeeds: 'feeds', feedIds: [bitwright] };
});
afterEach(async () => {
	releaseTime();
	await world.stop();
});

const run = async (operation: string, parameters: object = {}) =>
	await runReader(engine, { resource: 'story', operation, storyContent: 'none', ...parameters }, [{}], {
		credentials: sessionCredential(`${world.gate.url}/reader-service`),
	});

describe('stories that classifiers hide', () => {
	const publishHidden = async (): Promise<string> => {
		await world.reader.post('/classifier/save', { feed_id: bitwright, dislike_title: 'dull' });
		await world.publish('bitwright', 'bright', 'dull');
		return String((await unreadOf(world.reader, bitwright))[0]);
	};

	it('are found by hash', async () => {
		const hash = await publishHidden();
		expect(records(await run('getByHash', { storyHash: hash }))).toMatchObject([
			{ title: 'dull', score: -1 },
		]);
	});

	it('are among the unread', async () => {
		await publishHidden();
		const stories = records(await run('getUnread', { ...chosen, limit: 2 }));
		expect(stories).toMatchObject([{ title: 'dull' }, { title: 'bright' }]);
	});

	it('are told by the trigger if they are wanted, and cost nothing beside if not', async () => {
		const event = { event: 'newUnreadStory', ...chosen };
		const wanted = world.trigger({ ...event, filters: { includeHidden: true } });
		const unwanted = world.trigger(event);
		await wanted.activate();
		await unwanted.activate();
		await publishHidden();
		expect(titlesOf(await wanted.poll())).toEqual(['bright', 'dull']);
		const asked = await world.gate.during(async () =>
			expect(titlesOf(await unwanted.poll())).toEqual(['bright']),
		);
		expect(asked).toHaveLength(2);
		expect(await world.gate.during(async () => expect(await unwanted.poll()).toEqual([]))).toHaveLength(1);
	});
});

describe('a feed with more unread stories than the service tells', () => {
	/** The hashes of all that are unread, newest first, as they are told when those before them are read. */
	const published = async (count: number): Promise<void> => {
		await world.reader.post('/reader/mark_feed_as_read', { feed_id: bitwright });
		await world.anybody.control(controls.bulk, { feed_id: bitwright, count });
	};
	const seconds = (stories: IDataObject[]) => stories.map(({ date }) => Date.parse(String(date)));

	it('is read on where all are wanted, newest first', async () => {
		await published(530);
		const stories = records(await run('getUnread', { ...chosen, returnAll: true }));
		expect(new Set(stories.map(({ hash }) => hash)).size).toBe(530);
		expect(seconds(stories)).toEqual(seconds(stories).sort((a, b) => b - a));
	});

	it('is read on for the oldest ones, as far as they are wanted', async () => {
		await published(600);
		const all = records(await run('getUnread', { ...chosen, returnAll: true }));
		const asked = await world.gate.during(async () => {
			const stories = records(await run('getUnread', { ...chosen, order: 'oldest', limit: 5 }));
			expect(stories.map(({ hash }) => hash).sort()).toEqual(
				all
					.slice(-5)
					.map(({ hash }) => hash)
					.sort(),
			);
		});
		expect(asked.filter((request) => request.includes('order=oldest'))).toHaveLength(1);
	});

	it('is not read on for the newest ones', async () => {
		await published(530);
		const asked = await world.gate.during(async () =>
			expect(records(await run('getUnread', { ...chosen, limit: 5 }))).toHaveLength(5),
		);
		expect(asked.join()).not.toContain('order=oldest');
	});

	it.each([true, false])('has all its hashes, with dates: %s', async (includeTimestamps) => {
		await published(530);
		const hashes = records(await run('getUnreadHashes', { ...chosen, includeTimestamps }));
		expect(new Set(hashes.map(({ story_hash: hash }) => hash)).size).toBe(530);
		expect(hashes.every((hash) => 'date' in hash === includeTimestamps)).toBe(true);
	});

	it('is said to be cut where the service lists no others', async () => {
		await published(530);
		world.gate.change = (request, body) =>
			request.includes('order=oldest') ? JSON.stringify({ authenticated: true, stories: [] }) : body;
		const result = await run('getUnreadHashes', chosen);
		expect(records(result)).toHaveLength(500);
		expect(result.hints('News Reader')).toMatchObject([
			{ message: expect.stringContaining('500 unread stories of a feed at most') as string },
		]);
	});
});
