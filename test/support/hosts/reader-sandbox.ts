/** The sandbox's news reader behind a fake host that records requests. */
import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../../../engine/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { application, consent } from '../clients/consent.ts';
import { controls, startReader, unreadOf, type ReaderClient } from '../clients/reader-client.ts';
import { PASSWORD, USER, type Tokens } from '../nodes/reader-node';
import { undoneAfterwards } from '../afterwards';
import { FakeHost } from './fake-host';
import { cookiesIn } from '../../../nodes/NewsReader/stored-session';

/** What hosts respond when the session is no longer valid. */
export const expiredSessionResponses: Array<[name: string, options: Partial<SandboxOptions>]> = [
	['401', {}],
	['403 with an empty body', { wild: ['anonymous-403'] }],
	['200 with the demo account’s data', { variant: 'wild' }],
];

export class ReaderSandbox {
	private constructor(
		readonly client: ReaderClient,
		readonly host: FakeHost,
	) {}

	/** Starts the service until the end of the test or suite. */
	static async start(options: Partial<SandboxOptions> = {}): Promise<ReaderSandbox> {
		const { client, close } = await startReader(options);
		undoneAfterwards(close);
		return new ReaderSandbox(client, await FakeHost.inFrontOf(client.origin));
	}

	/** Changes the address of the host. The node has no session for the new address. */
	async changeAddress(): Promise<void> {
		this.host.reset();
		await this.host.changeAddress();
	}

	/** The Base URL for the credential. */
	get baseUrl(): string {
		return `${this.host.baseUrl}/reader-service`;
	}

	/** A client that is logged in to the same account and bypasses the fake host. */
	async logIn(): Promise<ReaderClient> {
		// During a run, the service may have closed idle connections. Let Node process these events before fetch reuses one.
		for (let tick = 0; tick < 5; tick += 1) await setImmediate();
		return await this.client.as(USER, PASSWORD);
	}

	/** The account's unread stories of a feed. */
	async unreadHashes(feedId: number): Promise<string[]> {
		return await unreadOf(await this.logIn(), feedId);
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

	/** Connects the account. @returns its tokens */
	async connect(): Promise<Tokens> {
		return await connect(this.client);
	}
}

/** Authorizes the application and exchanges the code for tokens. */
export async function connect(client: ReaderClient): Promise<Tokens> {
	const redirect = await consent(client, { state: 'state-of-this-test', scope: 'read write' });
	const { body } = await client.post('/oauth/token', {
		...application,
		grant_type: 'authorization_code',
		code: redirect.searchParams.get('code') ?? '',
		client_secret: 'sandbox-secret',
	});
	return { access_token: String(body.access_token), refresh_token: String(body.refresh_token) };
}

/** The session that n8n has stored for the credential. */
export const storedSession = (engine: Engine): string => cookiesIn(engine.credentials.data('session'));

/** The tokens that n8n has stored for the credential. */
export const storedTokens = (engine: Engine): Tokens =>
	engine.credentials.data('oAuth2').oauthTokenData as unknown as Tokens;
