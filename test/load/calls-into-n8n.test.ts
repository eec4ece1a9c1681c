/** Tests how often a node calls n8n's expensive functions for each item. */
import { core } from '../../engine/core.ts';
import { chain, type CredentialRecord, type NodeJson } from '../../engine/index.ts';
import { linkManager } from '../support/nodes/link-node';
import { newsReader } from '../support/nodes/reader-node';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { WatchedReader } from '../support/triggers/trigger-reader';
import { holdTime } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const CALLS = ['getNode', '_getNodeParameter', '_getCredentials'] as const;
type HelperMethods = Record<(typeof CALLS)[number], (...args: unknown[]) => unknown>;
/** The class from which all contexts of n8n inherit. */
const context = Object.getPrototypeOf(Object.getPrototypeOf(core.ExecuteContext.prototype)) as HelperMethods;

beforeEach(holdTime);

/** Runs a node with `count` items. @returns the number of calls of each function */
async function countCalls(
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

/** The additional calls of a run with forty items, compared with ten. */
async function callsOfThirtyItems(
	node: NodeJson,
	credentials: Record<string, CredentialRecord>,
): Promise<object> {
	// The first run logs in.
	await countCalls(1, node, credentials);
	const few = await countCalls(10, node, credentials);
	const many = await countCalls(40, node, credentials);
	return Object.fromEntries(CALLS.map((name, call) => [name, many[call]! - few[call]!]));
}

it('reads the credential once per request, and no parameter without an expression', async () => {
	const links = await WatchedLinks.start(engine);
	const node = linkManager({ resource: 'account', operation: 'get', options: { concurrency: 5 } });
	expect(await callsOfThirtyItems(node, links.credentials())).toEqual({
		getNode: 0,
		_getNodeParameter: 0,
		_getCredentials: 30,
	});
});

it('reads the credential and the item’s own parameter once for each item of a batch', async () => {
	const reader = await WatchedReader.start(engine);
	const node = newsReader({ resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' });
	node.credentials = { newsReaderSessionApi: { id: 'reader', name: 'reader' } };
	expect(await callsOfThirtyItems(node, reader.credentials())).toEqual({
		getNode: 0,
		_getNodeParameter: 30,
		_getCredentials: 30,
	});
});
