import type { IDataObject } from 'n8n-workflow';
import {
	chain,
	createEngine,
	type CredentialRecord,
	type Engine,
	type NodeJson,
	type RunResult,
} from '../../demo/engine.ts';
import { root } from '../built';

export const NODE = 'n8n-nodes-newslink.linkManager';
export const KEY = 'sandbox-api-key';

/** n8n's engine with the package as it is built. */
export const startEngine = (): Promise<Engine> => createEngine({ packageDirs: [root] });

/** What a credential holds. */
export interface Account {
	baseUrl: string;
	apiKey?: string;
	allowedHttpRequestDomains?: 'all' | 'domains' | 'none';
	allowedDomains?: string;
}

const items: NodeJson = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };

/** Takes the key of the input item that n8n finds for each item of the Link Manager. */
const after: NodeJson = {
	name: 'After',
	type: 'n8n-nodes-base.set',
	parameters: {
		assignments: {
			assignments: [{ id: '1', name: 'from', type: 'string', value: "={{ $('Items').item.json.key }}" }],
		},
		includeOtherFields: true,
	},
};

/** The node as it stands in a workflow, with a credential of its own. */
export const linkManager = (parameters: object, more: Partial<NodeJson> = {}): NodeJson => ({
	name: 'Link Manager',
	type: NODE,
	parameters,
	credentials: { linkManagerApi: { id: 'key', name: 'key' } },
	...more,
});

/** The credential that `linkManager` refers to. */
export const credentialsFor = ({
	baseUrl,
	apiKey = KEY,
	allowedHttpRequestDomains = 'all',
	allowedDomains = '',
}: Account): Record<string, CredentialRecord> => ({
	key: { type: 'linkManagerApi', data: { baseUrl, apiKey, allowedHttpRequestDomains, allowedDomains } },
});

/** Runs Items → Link Manager → After; the n-th input item has `key: "item n"` beside its own fields. */
export async function runNode(
	engine: Engine,
	account: Account,
	parameters: object,
	inputs: object[] = [{}],
	{ onError, signal }: { onError?: NodeJson['onError']; signal?: AbortSignal } = {},
): Promise<RunResult> {
	return await engine.run({
		workflow: chain(items, linkManager(parameters, { onError }), after),
		input: inputs.map((input, n) => ({ key: `item ${n}`, ...input }) as IDataObject),
		credentials: credentialsFor(account),
		signal,
	});
}

/** What the node after the Link Manager sees of its n-th item's record. */
export const from = (record: object, n: number): object => ({ ...record, from: `item ${n}` });

/** The records that the Link Manager put out. */
export const records = (result: RunResult): IDataObject[] => {
	if (result.error) throw result.error;
	return result.json('Link Manager');
};

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
export const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });
