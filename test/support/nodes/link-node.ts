import type { IDataObject } from 'n8n-workflow';
import type { CredentialRecord, Engine, NodeJson, RunResult } from '../../../engine/index.ts';
import { recordsOf, runBetween, type RunNode } from './node';

export { byId, byUrl, from, startEngine } from './node';

export const NODE = 'n8n-nodes-newslink.linkManager';
export const KEY = 'sandbox-api-key';

/** The data of a credential. */
export interface Account {
	baseUrl: string;
	apiKey?: string;
	scheme?: 'Bearer' | 'Token' | 'None';
	/** Seconds. */
	timeout?: number;
	readOnly?: boolean;
	/** The time zone of the host's clock. */
	timeZone?: string;
	allowedHttpRequestDomains?: 'all' | 'domains' | 'none';
	allowedDomains?: string;
}

/** The node of a workflow, with its own credential. */
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
	scheme = 'Bearer',
	timeZone = 'UTC',
	allowedHttpRequestDomains = 'all',
	allowedDomains = '',
	timeout,
	readOnly,
}: Account): Record<string, CredentialRecord> => ({
	key: {
		type: 'linkManagerApi',
		data: {
			...{ baseUrl, apiKey, scheme, timeZone, allowedHttpRequestDomains, allowedDomains },
			...(timeout !== undefined && { timeout }),
			...(readOnly !== undefined && { readOnly }),
		},
	},
});

/** Runs Items → Link Manager → After. */
export const runNode = async (
	engine: Engine,
	account: Account,
	parameters: object,
	inputs: object[] = [{}],
	options: Omit<RunNode, 'credentials'> = {},
): Promise<RunResult> =>
	await runBetween(engine, linkManager(parameters), inputs, {
		...options,
		credentials: credentialsFor(account),
	});

/** The records that the Link Manager returned. */
export const records = (result: RunResult): IDataObject[] => recordsOf(result, 'Link Manager');
