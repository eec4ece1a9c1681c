import { linkService } from '../../../sandbox/links/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { startServer, type RunningServer } from '../../../sandbox/shared/start-server.ts';
import type { CredentialRecord, Engine } from '../../../engine/index.ts';
import { LinkClient } from '../clients/link-client';
import { undoneAfterwards } from '../afterwards';
import { FakeHost } from '../hosts/fake-host';
import { credentialsFor } from '../nodes/link-node';
import { time, TriggerRun, type StateStorage } from './trigger-run';

let names = 0;

/** Parameters of New QR Scan that return one item for each scan. */
export const eachScan = { event: 'newQrScan', scanItems: 'scan' };
/** The event ids of a code's scans with these numbers. */
export const scanIds = (id: number, ...numbers: number[]): string[] =>
	numbers.map((number) => `qr:${id}:scan:${number}`);

/** A link service that triggers watch. It uses the clock of the triggers. */
export class WatchedLinks {
	/** Is called after the test or suite that started the service. */
	readonly stop = undoneAfterwards(async () => {
		await this.host.stop();
		await this.server.close();
	});

	private constructor(
		private readonly engine: Engine,
		private readonly server: RunningServer,
		readonly host: FakeHost,
		readonly service: LinkClient,
	) {}

	static async start(engine: Engine, options: Partial<SandboxOptions> = {}): Promise<WatchedLinks> {
		const clock = { now: () => time.now };
		const server = await startServer([linkService], { port: 0, rateLimit: null, clock, ...options });
		const host = await FakeHost.inFrontOf(server.url);
		return new WatchedLinks(engine, server, host, new LinkClient(`${server.url}/links`));
	}

	/** A trigger node with a unique name. */
	trigger(parameters: object, storage: StateStorage = 'legacy', apiKey?: string): TriggerRun {
		names += 1;
		return new TriggerRun(
			this.engine,
			{
				name: `Trigger ${names}`,
				type: 'n8n-nodes-newslink.linkManagerTrigger',
				parameters,
				credentials: { linkManagerApi: { id: 'key', name: 'key' } },
			},
			this.credentials(apiKey),
			storage,
		);
	}

	/** The credential that its triggers use. */
	credentials(apiKey?: string): Record<string, CredentialRecord> {
		return credentialsFor({ baseUrl: `${this.host.baseUrl}/links`, ...(apiKey && { apiKey }) });
	}

	/** Creates a QR code. */
	async createCode(text = 'hello'): Promise<{ id: number; code: string }> {
		const { id, link } = await this.service.add('/qr/add', { type: 'text', data: text });
		return { id: Number(id), code: String(link).split('/').at(-1)! };
	}

	/** Creates a short link. */
	async createLink(): Promise<{ id: number; code: string }> {
		const { id, shorturl } = await this.service.add('/url/add', { url: 'https://example.com/' });
		return { id: Number(id), code: String(shorturl).split('/').at(-1)! };
	}

	/** Simulates visits of a QR code, or of a short link (`kind: 'url'`). */
	async visit(code: string, count = 1, more: object = {}): Promise<void> {
		await this.service.control('visits', { kind: 'qr', code, count, ...more });
	}

	/** Creates a custom splash page by a control call, because the API cannot create one. */
	async createSplash(name: string): Promise<void> {
		await this.service.control('splash', { name, key: 'sandbox-api-key' });
	}
}
