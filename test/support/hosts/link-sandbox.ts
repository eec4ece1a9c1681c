import type { IDataObject } from 'n8n-workflow';
import { linkService } from '../../../sandbox/links/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { startServer, type RunningServer } from '../../../sandbox/shared/start-server.ts';
import { KEY } from '../nodes/link-node';

/** The local service, and what it says to a client that is not the node. */
export class LinkSandbox {
	private constructor(private readonly server: RunningServer) {}

	/** Starts one on a free port, without rate limit unless the options set one. */
	static async start(options: Partial<SandboxOptions> = {}): Promise<LinkSandbox> {
		return new LinkSandbox(await startServer([linkService], { port: 0, rateLimit: null, ...options }));
	}

	get baseUrl(): string {
		return this.server.url + linkService.prefix;
	}

	async stop(): Promise<void> {
		await this.server.close();
	}

	/** Sends a request as any client does. */
	async ask(method: string, path: string, body?: object, apiKey = KEY): Promise<IDataObject> {
		const response = await fetch(`${this.baseUrl}${path}`, {
			method,
			headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		return (await response.json()) as IDataObject;
	}

	/** One page of a list, at most 100 entries. */
	async list(path: string, collection: string, apiKey?: string): Promise<IDataObject[]> {
		const { data } = await this.ask('GET', `${path}?limit=100`, undefined, apiKey);
		return Object.values((data as IDataObject)[collection] ?? []) as IDataObject[];
	}
}
