import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { LinkClient, startLinks, type LinkServer } from '../clients/link-client.ts';

/** The link service on a free port, and a client of it that is not the node. */
export class LinkSandbox {
	readonly client: LinkClient;

	private constructor(private readonly server: LinkServer) {
		this.client = new LinkClient(server.linksUrl);
	}

	/** Starts one, without rate limit unless the options set one. */
	static async start(options: Partial<SandboxOptions> = {}): Promise<LinkSandbox> {
		return new LinkSandbox(await startLinks(options));
	}

	get baseUrl(): string {
		return this.server.linksUrl;
	}

	async stop(): Promise<void> {
		await this.server.close();
	}
}
