/** Tests that the News Reader sends writes sequentially and reads concurrently. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeHost, type HostRequest, type Reply } from '../support/hosts/fake-host';
import { byId, records, runReader, sessionCredential, SESSION } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

/** How long the host takes for a write, so that concurrent writes would overlap. */
const WRITING_MS = 20;

const OK = { result: 'ok', code: 1, authenticated: true, user_id: 1 };

/** Reads the whole list of followed users, adds one and writes the list back, as the real service does. */
class ReadModifyWriteHost {
	followed: string[] = [];
	/** Reads wait until this many have arrived. */
	concurrentReads = 1;
	private readonly waiting: Array<() => void> = [];
	host!: FakeHost;

	static async start(): Promise<ReadModifyWriteHost> {
		const instance = new ReadModifyWriteHost();
		instance.host = await FakeHost.start((request) =>
			request.method === 'GET' ? instance.read() : instance.follow(request),
		);
		return instance;
	}

	private async read(): Promise<Reply> {
		await new Promise<void>((resolve) => {
			this.waiting.push(resolve);
			if (this.waiting.length >= this.concurrentReads) this.waiting.splice(0).forEach((resume) => resume());
		});
		return { body: { ...OK, payload: {} } };
	}

	private async follow({ body }: HostRequest): Promise<Reply> {
		const user = new URLSearchParams(body).get('user_id') ?? '';
		const followedBefore = [...this.followed];
		await sleep(WRITING_MS);
		this.followed = [...followedBefore, user];
		const following_user_ids = this.followed.map(Number);
		return { body: { ...OK, user_profile: { user_id: 1, following_user_ids } } };
	}
}

describe('concurrent items and executions', () => {
	let service: ReadModifyWriteHost;
	beforeAll(async () => {
		service = await ReadModifyWriteHost.start();
		const credentials = sessionCredential(service.host.baseUrl, { sessionToken: SESSION });
		engine.credentials.setAll(credentials);
	});

	const follow = { resource: 'user', operation: 'follow', userId: byId('={{ $json.user }}') };

	it('send writes sequentially', async () => {
		const users = (from: number): Array<{ user: number }> => [0, 1, 2].map((n) => ({ user: from + n }));
		const runs = await Promise.all([
			runReader(engine, follow, users(10)),
			runReader(engine, follow, users(20)),
		]);
		expect(runs.flatMap(records)).toHaveLength(6);
		expect([...service.followed].sort()).toEqual(['10', '11', '12', '20', '21', '22']);
	});

	it('send reads concurrently', async () => {
		service.concurrentReads = 3;
		const feeds = [{ feed: 1 }, { feed: 2 }, { feed: 3 }];
		const result = await runReader(
			engine,
			{ resource: 'classifier', operation: 'get', feedId: byId('={{ $json.feed }}') },
			feeds,
		);
		expect(records(result)).toHaveLength(3);
	});
});
