/** A node’s calls into n8n for each item: n8n copies, decrypts and checks each time, which costs more than the node's own work. */
import { core } from '../../engine/core.ts';
import { chain, type CredentialRecord, type Engine, type NodeJson } from '../../engine/index.ts';
import { linkManager } from '../support/nodes/link-node';
import { startEngine } from '../support/nodes/node';
import { newsReader } from '../support/nodes/reader-node';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime, releaseTime } from '../support/triggers/trigger-run';

const CALLS = ['getNode', '_getNodeParameter', '_getCredentials'] as const;
type HelperMethods = Record<(typeof CALLS)[number], (...args: unknown[]) => unknown>;
/** What all contexts of n8n inherit. */
const context = Object.getPrototypeOf(Object.getPrototypeOf(core.ExecuteContext.prototype)) as HelperMethods;

let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

/** How often each is called in a run of `count` items. */
async function callsIn(
	count: number,
	node: NodeJson,
	credentials: Record<string, CredentialRecord>,
): Promise<number[]> {
	const items = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
	const input = Array.from({ length: count }, (_, n) => ({ hash: `1:${n.toString(16).padStart(6, '0')}` }));
	const spies = CALLS.map((name) => jest.spyOn(context, name));
	const { error } = await engine.run({ workflow: chain(items, node), input, credentials });
	const calls = spies.map((spy) => spy.mock.calls.length);
	for (const spy of spies) spy.mockRestore();
	expect(error).toBeUndefined();
	return calls;
}

/** How many more calls forty items take than ten. */
async function thirtyMore(node: NodeJson, credentials: Record<string, CredentialRecord>): Promise<object> {
	// Once to be logged in.
	await callsIn(1, node, credentials);
	const few = await callsIn(10, node, credentials);
	const many = await callsIn(40, node, credentials);
	return Object.fromEntries(CALLS.map((name, call) => [name, many[call]! - few[call]!]));
}

it('a request reads the credential once, and no parameter without an expression', async () => {
	const links = await WatchedLinks.start(engine);
	try {
		const node = linkManager({ resource: 'account', operation: 'get', options: { concurrency: 5 } });
		expect(await thirtyMore(node, links.credentials())).toEqual({
			getNode: 0,
			_getNodeParameter: 0,
			_getCredentials: 30,
		});
	} finally {
		await links.stop();
	}
});

it('an item of a batch reads the credential once, and its own parameter', async () => {
	const reader = await WatchedReader.start(engine);
	try {
		const node = newsReader({ resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' });
		node.credentials = { newsReaderSessionApi: { id: 'reader', name: 'reader' } };
		expect(await thirtyMore(node, reader.credentials())).toEqual({
			getNode: 0,
			_getNodeParameter: 30,
			_getCredentials: 30,
		});
	} finally {
		await reader.stop();
	}
});
