/** The refresh of an OAuth 2.0 session: what its failures mean. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { newsReader } from '../../nodes/NewsReader/service';
import type { ApiResponse } from '../../nodes/runtime/api-types';
import { refreshBy } from '../../nodes/runtime/transport/login';
import type { Reply } from '../../nodes/runtime/transport/pipeline';
import { inSession, Session } from '../../nodes/runtime/transport/session';

const EXPIRED: Reply = { failure: { message: 'Expired', class: 'sessionExpired' } };
const SUCCESS: Reply = { response: { status: 200 } as ApiResponse };

const credentialWith = (token: string, refreshToken?: string): ICredentialDataDecryptedObject => ({
	oauthTokenData: { access_token: token, ...(refreshToken && { refresh_token: refreshToken }) },
});

/** n8n with one stored credential; the service accepts only the token `valid`. */
class Account {
	stored: ICredentialDataDecryptedObject;
	refreshes = 0;
	private readonly session = new Session('account');

	constructor(
		token: string,
		private readonly refresh: () => unknown,
	) {
		this.stored = credentialWith(token, 'refresh token');
	}

	async send(): Promise<Reply> {
		const login = {
			session: this.session,
			rules: { ...newsReader.session!, needsSessionCheck: () => false },
			renewal: refreshBy('the service', async () => {
				this.refreshes += 1;
				await this.refresh();
			}),
			readCredential: async () => await Promise.resolve(this.stored),
		};
		const send = inSession(
			login,
			async ({ credential }) =>
				await Promise.resolve(Object(credential.oauthTokenData).access_token === 'valid' ? SUCCESS : EXPIRED),
		);
		return await send({ method: 'GET', path: '/', credential: this.stored });
	}
}

/** The reply if the login failed. */
const failed = (failureClass: string, reason: string): unknown => ({
	failure: expect.objectContaining({
		class: failureClass,
		message: expect.stringMatching(`: ${reason}$`) as string,
	}) as unknown,
});

const throwing = (error: unknown) => () => {
	throw error as Error;
};

const causedBy = (...causes: object[]): Error => {
	const [first, ...others] = causes;
	return Object.assign(
		new Error('refresh failed'),
		first,
		others.length > 0 && { cause: causedBy(...others) },
	);
};

it.each([
	['an OAuth error in the body', causedBy({ body: { error: 'invalid_grant' } })],
	['an OAuth error of a cause', causedBy({}, {}, { body: { error: 'invalid_client' } })],
	['a credential that n8n found invalid', causedBy({}, { failure: { cause: 'credential-invalid' } })],
])('counts %s as a refusal', async (_, error) => {
	expect(await new Account('old', throwing(error)).send()).toEqual(failed('loginRefused', 'refresh failed'));
});

it.each([
	['a body without an OAuth error', causedBy({ body: { error: 'maintenance' } })],
	['a text as body', causedBy({ body: 'invalid_grant' })],
	['another failure of n8n', causedBy({ failure: { cause: 'other' } })],
	['an error without details', new Error('refresh failed')],
])('counts %s as temporary', async (_, error) => {
	expect(await new Account('old', throwing(error)).send()).toEqual(failed('unavailable', 'refresh failed'));
});

it('needs a new connection if there is no refresh token or no token at all', async () => {
	const failing = new Account('old', throwing(new Error('no refresh token')));
	failing.stored = credentialWith('old');
	expect(await failing.send()).toEqual(failed('loginRefused', 'no refresh token'));
	const unconnected = new Account('', () => undefined);
	expect(await unconnected.send()).toEqual(failed('loginRefused', 'the account is not connected'));
	expect(unconnected.refreshes).toBe(0);
});

it('ends a refresh that takes longer than the time limit of the credential', async () => {
	const account = new Account('old', async () => await new Promise(() => undefined));
	account.stored = { ...account.stored, timeout: 1 };
	const limit = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		expect(ms).toBe(1000);
		setImmediate(() => controller.abort());
		return controller.signal;
	});
	expect(await account.send()).toEqual(failed('unavailable', 'no access token within 1 s'));
	limit.mockRestore();
});
