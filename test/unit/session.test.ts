import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INode } from 'n8n-workflow';
import { newsReader } from '../../nodes/NewsReader/service';
import type { ApiResponse, FailureClass } from '../../nodes/runtime/api-types';
import { clock } from '../../nodes/runtime/clock';
import { LOGIN_FAILED } from '../../nodes/runtime/errors/messages';
import { loginBy, refreshBy, type Renewal } from '../../nodes/runtime/transport/login';
import type { Reply } from '../../nodes/runtime/transport/send';
import { inSession } from '../../nodes/runtime/transport/session';
import { makeVirtual } from '../support/clock';
import { NewsReaderSessionApi } from '../../credentials/NewsReaderSessionApi.credentials';
import { cookiesIn, storedSession } from '../../nodes/NewsReader/stored-session';

/** Each test uses a new host, because all requests with the same credential share its session. */
let hosts = 0;
const freshHost = (): string => `https://host-${(hosts += 1)}.test`;

describe('a session', () => {
	/** n8n's login, whose session is in the member `token`. */
	const byLogin = loginBy('token', ({ token }) => token !== '');

	const failing = (failureClass: FailureClass, code?: string): Reply => ({
		failure: { message: 'No', class: failureClass, code },
	});
	const EXPIRED = failing('sessionExpired');
	const REJECTED = failing('loginRefused', LOGIN_FAILED);
	const response: Reply = { response: { status: 200 } as ApiResponse };

	/** n8n with one stored credential, and a service whose response depends on the request's credential. */
	function world(
		stored: ICredentialDataDecryptedObject,
		respond: (data: ICredentialDataDecryptedObject) => Reply,
	) {
		const state = { stored, sent: 0 };
		const baseUrl = freshHost();
		const send = async (renewal: Renewal): Promise<Reply> => {
			const readCredential = async () => await Promise.resolve({ ...state.stored, baseUrl });
			const rules = { ...newsReader.session!, needsSessionCheck: () => false };
			const next = inSession({ rules, renewal, readCredential }, async ({ credential }) => {
				state.sent += 1;
				await Promise.resolve();
				return respond(credential);
			});
			return await next({ method: 'GET', path: '/', credential: await readCredential() });
		};
		return { state, send };
	}

	it.each([
		[{ authenticated: true, user_id: 5 }, '5'],
		[{ authenticated: false, user_id: 5 }, undefined],
		[{ authenticated: true }, undefined],
		[[], undefined],
	])('belongs to the user in the response: %j', (json, user) => {
		expect(newsReader.user!({ json } as ApiResponse)).toBe(user);
	});

	it('belongs to one account per credential, even with the same OAuth client', () => {
		const identity = (id: string | null): string => {
			const credentials = { newsReaderOAuth2Api: { id, name: 'News Reader' } };
			return JSON.stringify(newsReader.identity({ clientId: 'client' }, { credentials } as unknown as INode));
		};
		expect(new Set(['1', '2', null].map(identity)).size).toBe(3);
		expect(identity('1')).toBe(identity('1'));
	});

	it('is not renewed with a rejected credential, but immediately with a corrected one', async () => {
		const { state, send } = world({ token: '', cookieName: 'wrong' }, ({ cookieName }) =>
			cookieName === 'wrong' ? REJECTED : response,
		);
		expect(await send(byLogin)).toBe(REJECTED);
		expect(await send(byLogin)).toEqual(REJECTED);
		expect(state.sent).toBe(1);
		state.stored = { token: '', cookieName: 'right' };
		expect(await send(byLogin)).toBe(response);
	});

	it('counts a rejected login for the credential that was sent, not for the one before a change', async () => {
		const { state, send } = world({ token: 'old', cookieName: 'right' }, ({ token, cookieName }) => {
			if (token !== 'old') return cookieName === 'wrong' ? REJECTED : response;
			state.stored = { token: '', cookieName: 'wrong' };
			return EXPIRED;
		});
		expect(await send(byLogin)).toBe(REJECTED);
		expect(await send(byLogin)).toEqual(REJECTED);
		expect(state.sent).toBe(2);
		state.stored = { token: '', cookieName: 'right' };
		expect(await send(byLogin)).toBe(response);
	});

	it('uses the new account immediately after the credential is reconnected', async () => {
		const credentialWith = (token: string) => ({ oauthTokenData: { access_token: token } });
		const { state, send } = world(credentialWith('first'), ({ oauthTokenData }) =>
			Object(oauthTokenData).access_token === 'anew' ? response : EXPIRED,
		);
		let refreshes = 0;
		const renewal = refreshBy('the service', async () => {
			refreshes += 1;
			if (refreshes > 1) throw new Error('invalid_grant');
			state.stored = credentialWith('second');
		});
		await send(renewal);
		state.stored = credentialWith('third');
		expect(await send(renewal)).toMatchObject({ failure: { class: 'loginRefused' } });
		expect(await send(renewal)).toMatchObject({ failure: { class: 'loginRefused' } });
		expect(refreshes).toBe(2);
		state.stored = credentialWith('anew');
		expect(await send(renewal)).toBe(response);
	});

	describe('in time', () => {
		beforeEach(() => void makeVirtual(clock));

		it.each([
			['was refused', REJECTED],
			['did not help', EXPIRED],
		])('is renewed again a minute after a login that %s, and not before', async (_, reply) => {
			const { state, send } = world({ token: '' }, () => reply);
			await send(byLogin);
			await clock.sleep(60_000 - 1);
			expect(await send(byLogin)).toEqual(reply);
			expect(state.sent).toBe(1);
			await clock.sleep(1);
			await send(byLogin);
			expect(state.sent).toBe(2);
		});
	});

	describe('a stored session belongs to one host, user and password: it', () => {
		const account = { baseUrl: 'https://reader.test', username: 'ada', password: 'secret' };
		const stored = { ...account, sessionToken: storedSession(account, 'sessionid=a-session') };
		const authenticate = new NewsReaderSessionApi().authenticate as (
			credential: ICredentialDataDecryptedObject,
			request: IHttpRequestOptions,
		) => Promise<IHttpRequestOptions>;
		const request = { url: 'https://reader.test/reader/feeds' };

		it('is used with its host, user and password', async () => {
			expect(cookiesIn(stored)).toBe('sessionid=a-session');
			const sent = await authenticate(stored, request);
			expect(sent.headers).toEqual({ Cookie: 'sessionid=a-session' });
			expect(newsReader.secrets(stored)).toEqual(['secret', 'a-session']);
		});

		it.each([
			['another host', { baseUrl: 'https://other.test' }],
			['another user', { username: 'bob' }],
			['another password', { password: 'changed' }],
			['a session without an owner', { sessionToken: 'sessionid=a-session' }],
		])('is not sent with %s: n8n logs in first', async (_, changed) => {
			const credential = { ...stored, ...changed };
			expect(
				newsReader.session!.renewal({} as never, 'newsReaderSessionApi').token(credential),
			).toBeUndefined();
			await expect(authenticate(credential, request)).rejects.toMatchObject({
				response: { status: 401 },
			});
		});
	});
});

describe('the refresh of an OAuth 2.0 session', () => {
	const EXPIRED: Reply = { failure: { message: 'Expired', class: 'sessionExpired' } };
	const SUCCESS: Reply = { response: { status: 200 } as ApiResponse };

	const credentialWith = (token: string, refreshToken?: string): ICredentialDataDecryptedObject => ({
		oauthTokenData: { access_token: token, ...(refreshToken && { refresh_token: refreshToken }) },
	});

	/** n8n with one stored credential; the service accepts only the token `valid`. */
	class Account {
		stored: ICredentialDataDecryptedObject;
		refreshes = 0;

		constructor(
			token: string,
			private readonly refresh: () => unknown,
		) {
			this.stored = { ...credentialWith(token, 'refresh token'), baseUrl: freshHost() };
		}

		async send(): Promise<Reply> {
			const access = {
				rules: { ...newsReader.session!, needsSessionCheck: () => false },
				renewal: refreshBy('the service', async () => {
					this.refreshes += 1;
					await this.refresh();
				}),
				readCredential: async () => await Promise.resolve(this.stored),
			};
			const send = inSession(
				access,
				async ({ credential }) =>
					await Promise.resolve(
						Object(credential.oauthTokenData).access_token === 'valid' ? SUCCESS : EXPIRED,
					),
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
		expect(await new Account('old', throwing(error)).send()).toEqual(
			failed('loginRefused', 'refresh failed'),
		);
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
});
