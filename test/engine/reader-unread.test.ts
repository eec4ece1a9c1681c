/** Unread stories where the service keeps some back, as the wild does: from the node and from the trigger. */
import type { Engine } from '../../engine/index.ts';
import { records, runReader, sessionCredential, startEngine } from '../support/reader-node';
import { titlesOf, WatchedReader } from '../support/trigger-reader';
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
