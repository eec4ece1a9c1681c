import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { undoneAfterwards } from '../afterwards';
import { LinkClient, startLinks, type LinkServer } from '../clients/link-client.ts';

/** The link service on a free port, with a client that shares no code with the node. */
export class LinkSandbox {
	readonly client: LinkClient;

	private constructor(private readonly server: LinkServer) {
		this.client = new LinkClient(server.linksUrl);
	}

	/** Starts the service until the end of the test or suite; by default without a rate limit. */
	static async start(options: Partial<SandboxOptions> = {}): Promise<LinkSandbox> {
		const server = await startLinks(options);
		undoneAfterwards(() => server.close());
		return new LinkSandbox(server);
	}

	get baseUrl(): string {
		return this.server.linksUrl;
	}
}
