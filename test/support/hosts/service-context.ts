import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';
import { Client } from '../../../nodes/runtime/transport/client';
import { linkManager } from '../../../nodes/LinkManager/service';

export interface FakeReply {
	status?: number;
	headers?: Record<string, unknown>;
	/** An object is sent as JSON. */
	body?: unknown;
}

/** A request that the code passed to n8n's helper. */
export interface SentRequest {
	method: string;
	url: URL;
	body: unknown;
	headers: Record<string, unknown>;
}

type FakeResponder = (request: SentRequest) => FakeReply | Promise<FakeReply> | Error;

const node: INode = {
	id: '1',
	name: 'Link Manager',
	type: 'n8n-nodes-newslink.linkManager',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export const credential = { baseUrl: 'https://links.test', apiKey: 'the-secret-key' };

/** The part of n8n's context that sends requests; `respond` returns the service's response. */
export function contextOf(
	respond: FakeResponder,
	data: ICredentialDataDecryptedObject = credential,
	signal?: AbortSignal,
): { context: IExecuteFunctions; sent: SentRequest[] } {
	const sent: SentRequest[] = [];
	const httpRequestWithAuthentication = async (_type: string, options: IHttpRequestOptions) => {
		const request: SentRequest = {
			method: String(options.method),
			url: new URL(options.url),
			body: typeof options.body === 'string' ? (JSON.parse(options.body) as unknown) : options.body,
			headers: { ...options.headers },
		};
		sent.push(request);
		const reply = await respond(request);
		if (reply instanceof Error) throw reply;
		const { status = 200, headers = {}, body } = reply;
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? { error: 0 });
		return { statusCode: status, headers, body: Buffer.from(text) };
	};
	const context = {
		getNode: () => node,
		getCredentials: async () => data,
		getExecutionCancelSignal: () => signal,
		sendMessageToUI: () => undefined,
		logger: undefined,
		helpers: { httpRequestWithAuthentication },
	};
	return { context: context as unknown as IExecuteFunctions, sent };
}

/** A client of the link service with such a context. */
export function clientOf(
	respond: FakeResponder,
	data?: ICredentialDataDecryptedObject,
	signal?: AbortSignal,
) {
	const { context, sent } = contextOf(respond, data, signal);
	return { client: new Client(context, linkManager, { maxWaitMs: 60_000 }), sent };
}

/** A network error as n8n's helper throws it. */
export const networkError = (code: string): Error => Object.assign(new Error(code), { code });
