import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { undoneAfterwards } from '../afterwards';
import { LinkClient, startLinks, type LinkServer } from '../clients/link-client.ts';

/** The link service on a free port, with a client that shares no code with the node. */
export class LinkSandbox {
	readonly client: LinkClient;
	/** Is called after the test or suite that started the sandbox. */
	readonly stop = undoneAfterwards(() => this.server.close());

	private constructor(private readonly server: LinkServer) {
		this.client = new LinkClient(server.linksUrl);
	}

	/** Starts the service; by default without a rate limit. */
	static async start(options: Partial<SandboxOptions> = {}): Promise<LinkSandbox> {
		return new LinkSandbox(await startLinks(options));
	}

	get baseUrl(): string {
		return this.server.linksUrl;
	}
}
