/** The local reader behind a host that records all requests, and the ways in which its sessions end. */
import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../../../engine/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { application, consent } from '../clients/consent.ts';
import { controls, startReader, type ReaderClient } from '../clients/reader-client.ts';
import { PASSWORD, USER, type Tokens } from '../nodes/reader-node';
import { FakeHost } from './fake-host';

/** The responses after the end of a session: 401, 403 without a body, or 200 with another account's data. */
export const endings: Array<[name: string, options: Partial<SandboxOptions>]> = [
	['401', {}],
	['403 with an empty body', { wild: ['anonymous-403'] }],
	['200 with the demo account’s data', { wild: ['anonymous-demo'] }],
	['everything seen on real hosts', { variant: 'wild' }],
];

export class ReaderSandbox {
	private constructor(
		readonly client: ReaderClient,
		public host: FakeHost,
		private readonly close: () => Promise<void>,
	) {}

	static async start(options: Partial<SandboxOptions> = {}): Promise<ReaderSandbox> {
		const { client, close } = await startReader(options);
		return new ReaderSandbox(client, await FakeHost.inFrontOf(client.origin), close);
	}

	async stop(): Promise<void> {
		await this.host.stop();
		await this.close();
	}

	/** Moves to a host with another address, for which the node remembers no session. */
	async move(): Promise<void> {
		await this.host.stop();
		this.host = await FakeHost.inFrontOf(this.client.origin);
	}

	/** The Base URL for the credential. */
	get baseUrl(): string {
		return `${this.host.baseUrl}/reader-service`;
	}

	/** Another client of the same account, past the watched host. */
	async loggedIn(): Promise<ReaderClient> {
		// A run keeps this process busy; connections that became idle meanwhile are noticed as closed first.
		for (let turns = 0; turns < 5; turns += 1) await setImmediate();
		return await this.client.as(USER, PASSWORD);
	}

	/** The account's unread stories of a feed. */
	async unreadHashes(feedId: number): Promise<string[]> {
		const { body } = await (await this.loggedIn()).get('/reader/unread_story_hashes', { feed_id: feedId });
		return (body.unread_feed_story_hashes[String(feedId)] ?? []).map(String);
	}

	get logins(): number {
		return this.host.requestsTo('/api/login').length;
	}

	get refreshes(): number {
		return this.host.requestsTo('/oauth/token').length;
	}

	async revokeSessions(): Promise<void> {
		await this.client.control(controls.revokeSessions, { username: USER });
	}

	async expireTokens(): Promise<void> {
		await this.client.control(controls.expireTokens, { username: USER });
	}

	/** Tokens for the account. */
	async connect(): Promise<Tokens> {
		return await connect(this.client);
	}
}

/** Logs in and allows access as a person does, and exchanges the code for tokens. */
export async function connect(client: ReaderClient): Promise<Tokens> {
	const back = await consent(client, { state: 'state-of-this-test', scope: 'read write' });
	const { body } = await client.post('/oauth/token', {
		...application,
		grant_type: 'authorization_code',
		code: back.searchParams.get('code') ?? '',
		client_secret: 'sandbox-secret',
	});
	return { access_token: String(body.access_token), refresh_token: String(body.refresh_token) };
}

/** The session that n8n's store holds for the credential now. */
export const storedSession = (engine: Engine): unknown => engine.credentials.data('session').sessionToken;

/** The tokens that n8n's store holds for the credential now. */
export const storedTokens = (engine: Engine): Tokens =>
	engine.credentials.data('oAuth2').oauthTokenData as unknown as Tokens;
