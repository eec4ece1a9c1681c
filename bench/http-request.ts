/** n8n's HTTP Request node with options for good performance. */
import type { IVersionedNodeType } from 'n8n-workflow';
import type { NodeJson } from '../engine/index.ts';
import { nodeOfN8n } from './nodes-of-n8n.ts';

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
