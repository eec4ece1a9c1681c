/** Tests the node and the trigger with unread stories that real hosts omit from their lists. */
import type { IDataObject } from 'n8n-workflow';
import { records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { titlesOf, WatchedReader } from '../support/triggers/trigger-reader';
import { controls, unreadOf } from '../support/clients/reader-client';
import { holdTime, time } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

let world: WatchedReader;
/** The id of the only feed in which stories are published. */
let bitwright: number;
let chosen: object;
beforeEach(async () => {
	holdTime();
	world = await WatchedReader.start(engine, { variant: 'wild' });
	bitwright = await world.reader.feedId('Bitwright');
	chosen = { whichFeeds: 'feeds', feedIds: [bitwright] };
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

	it('are included in unread stories', async () => {
		await publishHidden();
		const stories = records(await run('getUnread', { ...chosen, limit: 2 }));
		expect(stories).toMatchObject([{ title: 'dull' }, { title: 'bright' }]);
	});

	it('are emitted by the trigger with Include Hidden, and otherwise cause no further requests', async () => {
		const event = { event: 'newUnreadStory', ...chosen };
		const withHidden = world.trigger({ ...event, filters: { includeHidden: true } });
		const withoutHidden = world.trigger(event);
		await withHidden.activate();
		await withoutHidden.activate();
		await publishHidden();
		expect(titlesOf(await withHidden.poll())).toEqual(['bright', 'dull']);
		const requested = await world.host.requestsDuring(async () =>
			expect(titlesOf(await withoutHidden.poll())).toEqual(['bright']),
		);
		// Hashes, stories, and the titles of feeds.
		expect(requested).toHaveLength(3);
		expect(
			await world.host.requestsDuring(async () => expect(await withoutHidden.poll()).toEqual([])),
		).toHaveLength(1);
	});
});

describe('a feed with more unread stories than the service returns', () => {
	/** Marks all stories of the feed as read, then adds unread ones. */
	const addUnread = async (count: number): Promise<void> => {
		await world.reader.post('/reader/mark_feed_as_read', { feed_id: bitwright });
		await world.anonymous.control(controls.bulk, { feed_id: bitwright, count });
	};
	const seconds = (stories: IDataObject[]) => stories.map(({ date }) => Date.parse(String(date)));

	it('is read completely with Return All, newest first', async () => {
		await addUnread(530);
		const stories = records(await run('getUnread', { ...chosen, returnAll: true }));
		expect(new Set(stories.map(({ hash }) => hash)).size).toBe(530);
		expect(seconds(stories)).toEqual(seconds(stories).sort((a, b) => b - a));
	});

	it('is read from the oldest story, up to the limit', async () => {
		await addUnread(600);
		const all = records(await run('getUnread', { ...chosen, returnAll: true }));
		const oldest = records(await run('getUnread', { ...chosen, options: { order: 'oldest' }, limit: 5 }));
		const hashesOf = (stories: IDataObject[]) => stories.map(({ hash }) => hash).sort();
		expect(hashesOf(oldest)).toEqual(hashesOf(all.slice(-5)));
	});

	it('is read in large pages, because newer servers have none above 400', async () => {
		await addUnread(900);
		const requested = await world.host.requestsDuring(async () =>
			expect(records(await run('getUnreadHashes', chosen))).toHaveLength(900),
		);
		expect(requested.filter((line) => line.includes('order=oldest'))).toHaveLength(3);
	});

	it('causes no further requests for the newest stories', async () => {
		await addUnread(530);
		const requested = await world.host.requestsDuring(async () =>
			expect(records(await run('getUnread', { ...chosen, limit: 5 }))).toHaveLength(5),
		);
		expect(requested.join()).not.toContain('order=oldest');
	});

	it('is not read any further, nor reported as incomplete, if Newer Than is after the oldest story in the list', async () => {
		await addUnread(530);
		const all = records(await run('getUnread', { ...chosen, returnAll: true }));
		const after = async (place: number) => {
			let result = await run('getUnread', { ...chosen, limit: 1 });
			const requested = await world.host.requestsDuring(async () => {
				const filters = { newerThan: all[place]!.date };
				result = await run('getUnread', { ...chosen, returnAll: true, filters });
			});
			return { found: records(result).length, isRiverRead: requested.join().includes('order=oldest') };
		};
		expect(await after(100)).toEqual({ found: 100, isRiverRead: false });
		expect(await after(520)).toEqual({ found: 520, isRiverRead: true });
	});

	it.each([true, false])('returns all hashes, with dates: %s', async (includeTimestamps) => {
		await addUnread(530);
		const hashes = records(await run('getUnreadHashes', { ...chosen, includeTimestamps }));
		expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(530);
		expect(hashes.every(({ date }) => (date !== null) === includeTimestamps)).toBe(true);
	});

	it('is reported as incomplete if the service does not list the others', async () => {
		await addUnread(530);
		world.host.respond = ({ url }) =>
			url.includes('order=oldest') ? { body: { authenticated: true, stories: [] } } : undefined;
		const result = await run('getUnreadHashes', chosen);
		expect(records(result)).toHaveLength(500);
		expect(result.hints('News Reader')).toMatchObject([
			{ message: expect.stringContaining('lists only the newest 500, and its river lacks some') as string },
		]);
	});
});

describe('an account that requests only hashes', () => {
	const MINUTE = 60_000;
	const DAY = 24 * 60 * MINUTE;
	const event = { event: 'newUnreadStory', storyContent: 'none', options: { maximum: 1000 } };
	const countRefreshes = (requested: string[]): number =>
		requested.filter((request) => request.includes('refresh_feeds')).length;

	/** Advances the clocks of the service and of n8n. */
	const advance = (milliseconds: number): void => {
		time.advance(milliseconds);
		world.reader.clock.advance(milliseconds);
	};
	/** Marks the feed as read, and makes the service update its counts. */
	const markReadAndCount = async (): Promise<void> => {
		await world.reader.post('/reader/mark_feed_as_read', { feed_id: bitwright });
		await world.reader.get('/reader/refresh_feeds');
	};

	it('finds new stories for weeks, with one more request every 15 minutes', async () => {
		const run = await world.trigger(event).activated();
		await markReadAndCount();
		for (let days = 0; days < 16; days += 4) {
			advance(4 * DAY);
			expect(countRefreshes(await world.host.requestsDuring(async () => await run.poll()))).toBe(1);
		}
		await world.publish('bitwright', 'after weeks');
		expect(titlesOf(await run.poll())).toContain('after weeks');
		advance(5 * MINUTE);
		expect(countRefreshes(await world.host.requestsDuring(async () => await run.poll()))).toBe(0);
	});

	it('finds uncounted stories in the first poll', async () => {
		await markReadAndCount();
		advance(8 * DAY);
		await world.publish('bitwright', 'unseen');
		const run = world.trigger({ ...event, firstPoll: 'everything' });
		expect(titlesOf(await run.activate())).toContain('unseen');
	});

	it('finds uncounted stories with the node', async () => {
		await markReadAndCount();
		advance(8 * DAY);
		await world.publish('bitwright', 'unseen');
		expect(records(await run('getUnread', { returnAll: true })).map(({ title }) => title)).toContain(
			'unseen',
		);
	});

	it('refreshes the counts once for all its triggers and operations', async () => {
		const requested = await world.host.requestsDuring(async () => {
			const runs = [world.trigger(event), world.trigger(event), world.trigger({ ...event, ...chosen })];
			await Promise.all(runs.map(async (trigger) => await trigger.activate()));
			await run('getUnreadHashes');
		});
		expect(countRefreshes(requested)).toBe(1);
	});

	it('finds uncounted stories after the service has failed to count', async () => {
		await markReadAndCount();
		advance(8 * DAY);
		await world.publish('bitwright', 'unseen');
		world.host.respond = ({ line }) => (line.includes('feed_unread_count') ? { status: 502 } : undefined);
		const run = world.trigger({ ...event, firstPoll: 'everything' });
		expect(titlesOf(await run.activate())).not.toContain('unseen');
		const requests = await world.host.requestsDuring(async () => await run.poll());
		expect(requests.join()).not.toContain('feed_unread_count');
		world.host.reset();
		advance(15 * MINUTE);
		expect(titlesOf(await run.poll())).toContain('unseen');
	});

	it('reports that stories may be missing if the service could not count them', async () => {
		await markReadAndCount();
		advance(8 * DAY);
		world.host.respond = ({ line }) => (line.includes('refresh_feeds') ? { status: 502 } : undefined);
		const result = await run('getUnreadHashes');
		expect(result.hints('News Reader')).toMatchObject([
			{ message: expect.stringContaining('some may be missing for 15 minutes') as string },
		]);
	});

	it.each(['refresh_feeds', 'feed_unread_count'])(
		'continues to poll if %s fails, and requests it again later',
		async (call) => {
			world.host.respond = ({ line }) => (line.includes(call) ? { status: 404 } : undefined);
			const run = await world.trigger(event).activated();
			await world.publish('bitwright', 'one');
			const requested = await world.host.requestsDuring(async () =>
				expect(titlesOf(await run.poll())).toEqual(['one']),
			);
			expect(requested.join()).not.toContain(call);
		},
	);
});
