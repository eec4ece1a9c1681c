import type { IDataObject } from 'n8n-workflow';
import { KEY } from './link-node';
import { end, startProcess, type SandboxProcess } from './sandboxProcess';

/** The local service in a process of its own, and what it says to a client that is not the node. */
export class LinkSandbox {
	private constructor(private readonly process: SandboxProcess) {}

	/** Starts one on a free port, without rate limit unless the arguments set one. */
	static async start(...args: string[]): Promise<LinkSandbox> {
		const limit = args.includes('--rate-limit') ? [] : ['--rate-limit', 'none'];
		return new LinkSandbox(await startProcess(...limit, ...args));
	}

	get baseUrl(): string {
		return this.process.linksUrl;
	}

	async stop(): Promise<void> {
		await end(this.process, 'SIGTERM');
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
