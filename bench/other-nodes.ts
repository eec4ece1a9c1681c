/** The nodes that the benchmarks compare with: n8n's own, from the playground, and a minimal one. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, IExecuteFunctions, INodeType, IVersionedNodeType } from 'n8n-workflow';
import type { NodeJson } from '../engine/index.ts';

const folder = join(import.meta.dirname, '../playground/node_modules/n8n-nodes-base/dist/nodes');

/** A node type by its name in workflows; undefined if the playground is not installed. */
export function nodeOfN8n(type: string, path: string): Record<string, IVersionedNodeType> {
	const file = join(folder, `${path}.node.js`);
	if (!existsSync(file)) return {};
	const [Type] = Object.values(createRequire(file)(file) as Record<string, new () => IVersionedNodeType>);
	return { [type]: new Type!() };
}

export const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';

/** The node type; undefined if the playground is not installed. */
export const httpRequestNode = (): Record<string, IVersionedNodeType> =>
	nodeOfN8n(HTTP_REQUEST, 'HttpRequest/HttpRequest');

/** A GET with the key of the link service, five items at a time. Without n8n’s retry, which would read the `error: "0"` of every response as a failure. */
export const httpRequest = (url: string, options: object = {}): NodeJson => ({
	name: 'Node',
	type: HTTP_REQUEST,
	typeVersion: 4.2,
	parameters: {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'linkManagerApi',
		options: { batching: { batch: { batchSize: 5, batchInterval: 0 } }, ...options },
	},
	credentials: { linkManagerApi: { id: 'key', name: 'key' } },
});

/** Options that read all pages. */
export const allPages = {
	pagination: {
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
			paginationCompleteWhen: 'other',
			completeExpression: '={{ $response.body.data.currentpage >= $response.body.data.maxpage }}',
			limitPagesFetched: false,
		},
	},
};

/**
 * A minimal node: sends n8n's authenticated request for each item, some concurrently, and returns the unchanged response.
 * The difference from the Link Manager is the cost of its checks, rate limit and record shaping.
 */
export const plainNode = (concurrency: number): INodeType => ({
	description: {
		displayName: 'Plain',
		name: 'plain',
		group: ['input'],
		version: 1,
		description: 'Gets the account for each item',
		defaults: { name: 'Plain' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'linkManagerApi', required: true }],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const count = this.getInputData().length;
		const output = new Array<{ json: IDataObject; pairedItem: { item: number } }>(count);
		let next = 0;
		const work = async (): Promise<void> => {
			for (let item = next++; item < count; item = next++) {
				const { baseUrl } = await this.getCredentials('linkManagerApi', item);
				const url = `${String(baseUrl)}/api/account`;
				const json = (await this.helpers.httpRequestWithAuthentication.call(this, 'linkManagerApi', {
					url,
					json: true,
				})) as IDataObject;
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, work));
		return [output];
	},
});
