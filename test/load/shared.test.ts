/** Tests that a node and its trigger, which n8n loads separately, share rate limits and sessions. */
import { linkManager } from '../support/nodes/link-node';
import { runBetween } from '../support/nodes/node';
import { newsReader } from '../support/nodes/reader-node';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, time } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

beforeEach(holdTime);

it('a trigger waits for the rate limit window that its node has used up', async () => {
	const links = await WatchedLinks.start(engine, { rateLimit: { count: 1, seconds: 5 } });
	const requestedAt: number[] = [];
	links.host.respond = () => void requestedAt.push(time.now);

	const node = linkManager({ resource: 'account', operation: 'get' });
	const { error } = await runBetween(engine, node, [{}], { credentials: links.credentials() });
	await links.trigger({ event: 'newCampaign' }).activate();

	expect(error).toBeUndefined();
	// The time only passes while something waits.
	const [byNode, byTrigger, ...more] = requestedAt;
	expect(byTrigger! - byNode!).toBeGreaterThan(0);
	expect(more).toEqual([]);
});

it('a trigger uses the session of its node', async () => {
	const reader = await WatchedReader.start(engine);
	const credentials = reader.credentials();

	const node = newsReader({ resource: 'folder', operation: 'getAll' });
	node.credentials = { newsReaderSessionApi: { id: 'reader', name: 'reader' } };
	const { error } = await runBetween(engine, node, [{}], { credentials });
	// This credential has no session, so the trigger can know it only from the process.
	await reader.trigger({ event: 'newUnreadStory' }).activate();

	expect(error).toBeUndefined();
	expect(reader.host.requestsTo('/api/login')).toHaveLength(1);
	expect(reader.host.requests.length).toBeGreaterThan(2);
});
