import { setTimeout as sleep } from 'node:timers/promises';
import { linkService } from '../../../sandbox/links/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { startServer, type RunningServer } from '../../../sandbox/shared/start-server.ts';

/** The `data` of a response: the envelope of a page, or any other object. */
export interface Data {
	[key: string]: unknown;
	result: unknown;
	perpage: unknown;
	currentpage: unknown;
	nextpage: unknown;
	maxpage: unknown;
}

export interface LinkBody {
	[key: string]: unknown;
	error: unknown;
	message: string;
	id: number;
	data: Data;
}

export interface LinkResponse {
	status: number;
	headers: Headers;
	text: string;
	body: LinkBody;
}

/**
 * A client of the link service that shares no code with the node. `call` returns any response; the other methods return
 * the content of a successful one. Every request has the API key and a content type, even without a body.
 */
export class LinkClient {
	readonly #url: string;
	readonly #key: string;

	constructor(linksUrl: string, key = 'sandbox-api-key') {
		this.#url = linksUrl;
		this.#key = key;
	}

	/** Sends a request to a path below `/api`, and returns any response. */
	async call(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<LinkResponse> {
		const response = await fetch(`${this.#url}/api${path}`, {
			method,
			headers: {
				authorization: `Bearer ${this.#key}`,
				'content-type': 'application/json',
				...headers,
			},
			body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
		});
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
		return {
			status: response.status,
			headers: response.headers,
			text,
			body: (isJson ? JSON.parse(text) : {}) as LinkBody,
		};
	}

	/** The body of any response. */
	async get(path: string): Promise<LinkBody> {
		return (await this.call('GET', path)).body;
	}

	/** The entries of one page of a list. */
	async entries(path: string, collection: string): Promise<Record<string, unknown>[]> {
		return entriesOf((await this.send('GET', path)).data, collection);
	}

	/** The entries of all pages of a list. */
	async allEntries(path: string, collection: string): Promise<Record<string, unknown>[]> {
		const entries: Record<string, unknown>[] = [];
		for (let page = 1; ; page++) {
			const { data } = await this.send('GET', `${path}?limit=100&page=${page}`);
			entries.push(...entriesOf(data, collection));
			if (page >= Number(data.maxpage ?? 1)) return entries;
		}
	}

	/** Creates a record. @returns the body of the response. @throws if the service returns an error */
	async add(path: string, body: unknown): Promise<LinkBody> {
		return await this.send('POST', path, body);
	}

	/** How many requests the service has served and refused since its start. */
	async requests(): Promise<{ served: number; refused: number }> {
		const response = await fetch(`${this.#url}/sandbox/requests`);
		return (await response.json()) as { served: number; refused: number };
	}

	/** A control call of the sandbox, such as `visits`. @throws if it is refused */
	async control(path: string, body: object): Promise<void> {
		const response = await fetch(`${this.#url}/sandbox/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	}

	/** Returns the body of a successful response; waits after status 429. @throws if the service returns an error */
	private async send(method: string, path: string, body?: unknown): Promise<LinkBody> {
		const response = await this.call(method, path, body);
		if (response.status === 429) {
			await sleep(Number(response.headers.get('retry-after')) * 1000);
			return await this.send(method, path, body);
		}
		if (Number(response.body.error) !== 0) throw new Error(`${path} was refused: ${response.text}`);
		return response.body;
	}
}

const entriesOf = (data: Data, collection: string): Record<string, unknown>[] =>
	Object.values((data[collection] ?? []) as Record<string, unknown>[]);

/** The link service on a free port. */
export interface LinkServer extends RunningServer {
	linksUrl: string;
}

/** Starts the link service; by default without a rate limit. */
export async function startLinks(options: Partial<SandboxOptions> = {}): Promise<LinkServer> {
	const server = await startServer([linkService], { port: 0, rateLimit: null, ...options });
	return { ...server, linksUrl: server.url + linkService.prefix };
}

/** Starts a link service, runs `work` with it, and stops it. */
export async function withLinks(
	options: Partial<SandboxOptions>,
	work: (api: LinkClient, server: LinkServer) => Promise<void>,
): Promise<void> {
	const server = await startLinks(options);
	try {
		await work(new LinkClient(server.linksUrl), server);
	} finally {
		await server.close();
	}
}

/** Opens an address as a visitor, without following redirects. */
export function openAsVisitor(address: string, headers: Record<string, string> = {}): Promise<Response> {
	return fetch(address, { redirect: 'manual', headers });
}

export const userAgents = {
	iphone:
		'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
	windows:
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
};
