import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import type { CredentialRecord, Engine } from '../../../engine/index.ts';
import { controls, startReader, type ReaderClient, type Story } from '../clients/reader-client';
import { undoneAfterwards } from '../afterwards';
import { FakeHost } from '../hosts/fake-host';
import { TriggerRun, type Json, type StateStorage } from './trigger-run';

let names = 0;

/** A news reader service that triggers watch. It fetches feeds only on request. */
export class WatchedReader {
	/** Is called after the test or suite that started the service. */
	readonly stop = undoneAfterwards(async () => {
		await this.host.stop();
		await this.close();
	});

	private constructor(
		private readonly engine: Engine,
		readonly anonymous: ReaderClient,
		readonly reader: ReaderClient,
		readonly friend: ReaderClient,
		readonly host: FakeHost,
		private readonly close: () => Promise<void>,
	) {}

	static async start(engine: Engine, options: Partial<SandboxOptions> = {}): Promise<WatchedReader> {
		const { client: anonymous, close } = await startReader(options);
		const host = await FakeHost.inFrontOf(anonymous.origin);
		const [reader, friend] = [await anonymous.as('reader'), await anonymous.as('friend')];
		return new WatchedReader(engine, anonymous, reader, friend, host, close);
	}

	/** A trigger node with a unique name. */
	trigger(parameters: object, storage: StateStorage = 'legacy'): TriggerRun {
		names += 1;
		return new TriggerRun(
			this.engine,
			{
				name: `Trigger ${names}`,
				type: 'n8n-nodes-newslink.newsReaderTrigger',
				parameters,
				credentials: { newsReaderSessionApi: { id: 'reader', name: 'reader' } },
			},
			this.credentials(),
			storage,
		);
	}

	/** The credential that its triggers use. */
	credentials(username = 'reader', password = 'sandbox-password'): Record<string, CredentialRecord> {
		const data = {
			baseUrl: `${this.host.baseUrl}/reader-service`,
			username,
			password,
			sessionToken: '',
			allowedHttpRequestDomains: 'all',
		};
		return { reader: { type: 'newsReaderSessionApi', data } };
	}

	/** Publishes stories one second apart, then makes the service fetch its feeds. */
	async publish(
		slug: string,
		...stories: Array<string | { title: string; [key: string]: unknown }>
	): Promise<void> {
		for (const story of stories) {
			this.reader.clock.advance(1000);
			const fields = typeof story === 'string' ? { title: story } : story;
			await this.anonymous.control(`/sandbox/feeds/${slug}/publish`, fields);
		}
		await this.anonymous.control(controls.fetch);
	}

	/** The newest story of a feed. */
	async newest(feed: string): Promise<Story> {
		const id = await this.reader.feedId(feed);
		return (await this.reader.get(`/reader/feed/${id}`)).body.stories[0]!;
	}

	async markRead(...hashes: unknown[]): Promise<void> {
		await this.reader.post('/reader/mark_story_hashes_as_read', { story_hash: hashes.map(String) });
	}

	async markUnread(hash: unknown): Promise<void> {
		await this.reader.post('/reader/mark_story_hash_as_unread', { story_hash: String(hash) });
	}
}

export const titlesOf = (items: Json[]): unknown[] => items.map(({ title }) => title);
