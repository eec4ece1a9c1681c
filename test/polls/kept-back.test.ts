/** Unread stories where the service keeps some back, as real hosts do: from the node and from the trigger. */
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { records, runReader, sessionCredential, startEngine } from '../support/nodes/reader-node';
import { titlesOf, WatchedReader } from '../support/triggers/trigger-reader';
import { controls } from '../support/clients/reader-client';
import { unreadOf } from '../support/cases/wild-checks/check';
import { holdTime, releaseTime, time } from '../support/triggers/trigger-run';

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
		credentials: sessionCredential(`${world.host.baseUrl}/reader-service`),
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

	it('are emitted by the trigger if they are wanted, and otherwise cost nothing', async () => {
		const event = { event: 'newUnreadStory', ...chosen };
		const wanted = world.trigger({ ...event, filters: { includeHidden: true } });
		const unwanted = world.trigger(event);
		await wanted.activate();
		await unwanted.activate();
		await publishHidden();
		expect(titlesOf(await wanted.poll())).toEqual(['bright', 'dull']);
		const requested = await world.host.requestsDuring(async () =>
			expect(titlesOf(await unwanted.poll())).toEqual(['bright']),
		);
		// Hashes, stories, and the titles of feeds.
		expect(requested).toHaveLength(3);
		expect(
			await world.host.requestsDuring(async () => expect(await unwanted.poll()).toEqual([])),
		).toHaveLength(1);
	});
});

describe('a feed with more unread stories than the service returns', () => {
	/** The hashes of all unread stories, newest first, as the service returns them when newer ones are read. */
	const published = async (count: number): Promise<void> => {
		await world.reader.post('/reader/mark_feed_as_read', { feed_id: bitwright });
		await world.anybody.control(controls.bulk, { feed_id: bitwright, count });
	};
	const seconds = (stories: IDataObject[]) => stories.map(({ date }) => Date.parse(String(date)));

	it('is read further if all are wanted, newest first', async () => {
		await published(530);
		const stories = records(await run('getUnread', { ...chosen, returnAll: true }));
		expect(new Set(stories.map(({ hash }) => hash)).size).toBe(530);
		expect(seconds(stories)).toEqual(seconds(stories).sort((a, b) => b - a));
	});

	it('is read further for the oldest ones, as far as they are wanted', async () => {
		await published(600);
		const all = records(await run('getUnread', { ...chosen, returnAll: true }));
		const requested = await world.host.requestsDuring(async () => {
			const stories = records(await run('getUnread', { ...chosen, options: { order: 'oldest' }, limit: 5 }));
			expect(stories.map(({ hash }) => hash).sort()).toEqual(
				all
					.slice(-5)
					.map(({ hash }) => hash)
					.sort(),
			);
		});
		expect(requested.filter((request) => request.includes('order=oldest'))).toHaveLength(1);
	});

	it('is not read further for the newest ones', async () => {
		await published(530);
		const requested = await world.host.requestsDuring(async () =>
			expect(records(await run('getUnread', { ...chosen, limit: 5 }))).toHaveLength(5),
		);
		expect(requested.join()).not.toContain('order=oldest');
	});

	it.each([true, false])('has all its hashes, with dates: %s', async (includeTimestamps) => {
		await published(530);
		const hashes = records(await run('getUnreadHashes', { ...chosen, includeTimestamps }));
		expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(530);
		expect(hashes.every(({ date }) => (date !== null) === includeTimestamps)).toBe(true);
	});

	it('is reported as incomplete if the service lists no others', async () => {
		await published(530);
		world.host.respond = ({ url }) =>
			url.includes('order=oldest') ? { body: { authenticated: true, stories: [] } } : undefined;
		const result = await run('getUnreadHashes', chosen);
		expect(records(result)).toHaveLength(500);
		expect(result.hints('News Reader')).toMatchObject([
			{ message: expect.stringContaining('at most 500 unread stories of a feed') as string },
		]);
	});
});

describe('an account that requests only hashes', () => {
	const HOUR = 3_600_000;
	const DAY = 24 * HOUR;
	const event = { event: 'newUnreadStory', storyContent: 'none', options: { maximum: 1000 } };
	const refreshed = (requested: string[]): number =>
		requested.filter((request) => request.includes('refresh_feeds')).length;

	/** Time passes for the service and for n8n. */
	const passes = (milliseconds: number): void => {
		time.advance(milliseconds);
		world.reader.clock.advance(milliseconds);
	};
	/** All of the feed is read, and the service counted that. */
	const readAndCounted = async (): Promise<void> => {
		await world.reader.post('/reader/mark_feed_as_read', { feed_id: bitwright });
		await world.reader.get('/reader/refresh_feeds');
	};

	it('gets new stories for weeks, with one more request every six hours', async () => {
		const run = world.trigger(event);
		await run.activate();
		await readAndCounted();
		for (let days = 0; days < 16; days += 4) {
			passes(4 * DAY);
			expect(refreshed(await world.host.requestsDuring(async () => await run.poll()))).toBe(1);
		}
		await world.publish('bitwright', 'after weeks');
		expect(titlesOf(await run.poll())).toContain('after weeks');
		passes(5 * HOUR);
		expect(refreshed(await world.host.requestsDuring(async () => await run.poll()))).toBe(0);
	});

	it('gets the stories that it missed before the trigger started', async () => {
		await readAndCounted();
		passes(8 * DAY);
		await world.publish('bitwright', 'unseen');
		const run = world.trigger({ ...event, firstPoll: 'everything' });
		expect(titlesOf(await run.activate())).toContain('unseen');
	});

	it('also finds unread stories with the node', async () => {
		await readAndCounted();
		passes(8 * DAY);
		await world.publish('bitwright', 'unseen');
		expect(records(await run('getUnread', { returnAll: true })).map(({ title }) => title)).toContain(
			'unseen',
		);
	});

	it('sends one request for all of its triggers and operations', async () => {
		const requested = await world.host.requestsDuring(async () => {
			const runs = [world.trigger(event), world.trigger(event), world.trigger({ ...event, ...chosen })];
			await Promise.all(runs.map(async (one) => await one.activate()));
			await run('getUnreadHashes');
		});
		expect(refreshed(requested)).toBe(1);
	});

	it('finds what is unread once the service can count again', async () => {
		await readAndCounted();
		passes(8 * DAY);
		await world.publish('bitwright', 'unseen');
		world.host.respond = ({ line }) => (line.includes('feed_unread_count') ? { status: 502 } : undefined);
		const run = world.trigger({ ...event, firstPoll: 'everything' });
		expect(titlesOf(await run.activate())).not.toContain('unseen');
		const requests = await world.host.requestsDuring(async () => await run.poll());
		expect(requests.join()).not.toContain('feed_unread_count');
		world.host.reset();
		passes(HOUR);
		expect(titlesOf(await run.poll())).toContain('unseen');
	});

	it('counts at the next poll where the rate limit refused it', async () => {
		await readAndCounted();
		passes(8 * DAY);
		const refused = { status: 429, headers: { 'retry-after': '30' } };
		world.host.respond = ({ line }) => (line.includes('feed_unread_count') ? refused : undefined);
		const run = world.trigger(event);
		await run.activate();
		const lines = await world.host.requestsDuring(async () => await run.poll());
		expect(lines.join()).toContain('feed_unread_count');
	});

	it('says that stories may be missing where the service could not count them', async () => {
		await readAndCounted();
		passes(8 * DAY);
		world.host.respond = ({ line }) => (line.includes('refresh_feeds') ? { status: 502 } : undefined);
		const result = await run('getUnreadHashes');
		expect(result.hints('News Reader')).toMatchObject([
			{ message: expect.stringContaining('some unread stories may be missing') as string },
		]);
	});

	it.each(['refresh_feeds', 'feed_unread_count'])(
		'polls on where %s fails, and asks again later',
		async (call) => {
			world.host.respond = ({ line }) => (line.includes(call) ? { status: 404 } : undefined);
			const run = world.trigger(event);
			await run.activate();
			await world.publish('bitwright', 'one');
			const requested = await world.host.requestsDuring(async () =>
				expect(titlesOf(await run.poll())).toEqual(['one']),
			);
			expect(requested.join()).not.toContain(call);
		},
	);
});
