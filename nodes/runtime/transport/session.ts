import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clock } from '../clock';
import { loginLimitOf } from '../credential';
import { LOGIN_TIMED_OUT, LOGIN_UNAVAILABLE } from '../errors/messages';
import { getOrCreate, isRecord, reasonOf, within } from '../values';
import type { NetworkError, Reply } from './http';

/** After a refused login, the same credential is not tried again for this long. */
const REFUSED_FOR_MS = 60_000;
/** After a login that didn't help its request, no login is tried for this long. Short: it may help other requests. */
const UNHELPFUL_FOR_MS = 5_000;

/** How a session sends a request. */
export interface SessionRequest {
	/** The credential as currently stored in n8n's database. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/** Sends the request with this credential. A login before it may change `data`. */
	send(data: ICredentialDataDecryptedObject): Promise<Reply>;
	/** Whether the response shows that the session expired. */
	expired(reply: Reply): boolean;
}

/** How the credential of a session is renewed. */
export interface Renewal {
	/** The session's token in a credential; empty if there is none. */
	token(data: ICredentialDataDecryptedObject): string;
	/** The same credential with another token. */
	withToken(data: ICredentialDataDecryptedObject, token: string): ICredentialDataDecryptedObject;
	/** Makes a new session, and sends the request with it. */
	renew(
		request: SessionRequest,
		data: ICredentialDataDecryptedObject,
	): Promise<{ reply: Reply; renewed: ICredentialDataDecryptedObject }>;
}

/**
 * The session of one credential in this process. The first request that finds it expired renews it; the others wait for
 * this renewal and use its result. After a renewal, each request is retried once.
 */
export class Session {
	private token: string | undefined;
	/** The renewal in progress. Resolves to the reason if its login failed, and never rejects. */
	private renewing: Promise<NetworkError | undefined> | undefined;
	/** The last login, if it was refused or did not help. It is not tried `until` then, on the monotonic clock. */
	private lastFailure: { reply: Reply; until: number; login: string } | undefined;

	/** Sends a request in the session. If the reply is still `expired`, the renewal didn't help. */
	async send(
		request: SessionRequest,
		renewal: Renewal,
		data: ICredentialDataDecryptedObject,
	): Promise<Reply> {
		const token = this.token ?? renewal.token(data);
		if (token !== '') {
			const reply = await request.send(renewal.withToken(data, token));
			if (!request.expired(reply)) return reply;
		}
		return await this.sendRenewed(request, renewal, token);
	}

	/** Sends a request whose token has expired: with a newer token that others obtained, or after a renewal. */
	private async sendRenewed(request: SessionRequest, renewal: Renewal, expiredToken: string): Promise<Reply> {
		while (this.renewing) {
			const failure = await this.renewing;
			if (failure) return failure;
		}
		const data = await request.readCredential();
		// Another request may have begun a renewal while the credential was read.
		if (this.renewing) return await this.sendRenewed(request, renewal, expiredToken);
		const failure = this.recentFailure(loginOf(renewal, data));
		if (failure) return failure;
		const newerToken = [this.token, renewal.token(data)].find((token) => token && token !== expiredToken);
		if (newerToken) {
			const reply = await request.send(renewal.withToken(data, newerToken));
			if (!request.expired(reply)) {
				this.token = newerToken;
				return reply;
			}
			if (this.renewing) return await this.sendRenewed(request, renewal, newerToken);
		}
		return await this.renew(request, renewal, renewal.withToken(data, ''));
	}

	/** The reply of the last login, if it failed recently with the same credential. */
	private recentFailure(login: string): Reply | undefined {
		const { lastFailure } = this;
		const isRecent = lastFailure !== undefined && lastFailure.until > clock.uptime();
		return isRecent && lastFailure.login === login ? lastFailure.reply : undefined;
	}

	/** Renews the session and sends the request with it. Others wait for `renewing` meanwhile. */
	private async renew(
		request: SessionRequest,
		renewal: Renewal,
		data: ICredentialDataDecryptedObject,
	): Promise<Reply> {
		let finish: (failure?: NetworkError) => void = () => {};
		this.renewing = new Promise((resolve) => (finish = resolve));
		let failure: NetworkError | undefined;
		try {
			const { reply, renewed } = await renewal.renew(request, data);
			if (isFailedLogin(reply)) failure = reply;
			this.token = renewal.token(renewed) || undefined;
			const isRefused = 'refusedLogin' in reply;
			const until = clock.uptime() + (isRefused ? REFUSED_FOR_MS : UNHELPFUL_FOR_MS);
			const hasFailed = isRefused || request.expired(reply);
			this.lastFailure = hasFailed ? { reply, until, login: loginOf(renewal, renewed) } : undefined;
			return reply;
		} finally {
			this.renewing = undefined;
			finish(failure);
		}
	}
}

/** Whether a request was not sent because the login failed for now. */
const isFailedLogin = (reply: Reply): reply is NetworkError =>
	'code' in reply && (reply.code === LOGIN_UNAVAILABLE || reply.code === LOGIN_TIMED_OUT);

/** Identifies the login of a credential. If the user changes a value of it, the login is tried again at once. */
const loginOf = (renewal: Renewal, data: ICredentialDataDecryptedObject): string =>
	JSON.stringify(renewal.withToken(data, ''));

const sessions = new Map<string, Session>();

/** The session shared by everything in this process that uses the same host and credential. */
export const sessionOf = (key: string): Session => getOrCreate(sessions, key, () => new Session());

/**
 * Renews by n8n's own login: if the expirable field of a credential is empty, n8n calls its `preAuthentication`, stores
 * the result, and uses it for the request.
 */
export const loginBy = (field: string): Renewal => ({
	token: (data) => String(data[field] ?? ''),
	withToken: (data, token) => ({ ...data, [field]: token }),
	renew: async (request, data) => ({ reply: await request.send(data), renewed: data }),
});

/** Renews by n8n's OAuth 2.0 refresh, which stores the new token. */
export const refreshBy = (refresh: () => Promise<unknown>): Renewal => ({
	token: accessTokenIn,
	withToken: (data) => data,
	renew: async (request, data) => {
		const expired = accessTokenIn(data);
		if (expired === '') return { reply: { refusedLogin: NOT_CONNECTED }, renewed: data };
		const sendWith = async (renewed: ICredentialDataDecryptedObject) => ({
			reply: await request.send(renewed),
			renewed,
		});
		const failure = await refreshFailure(refresh, data);
		if (!failure) return await sendWith(await request.readCredential());
		const stored = 'refusedLogin' in failure ? await storedByOthers(request, expired) : undefined;
		return stored ? await sendWith(stored) : { reply: failure, renewed: data };
	},
});

const NOT_CONNECTED = 'the account is not connected';

const accessTokenIn = ({ oauthTokenData }: ICredentialDataDecryptedObject): string =>
	isRecord(oauthTokenData) ? String(oauthTokenData.access_token ?? '') : '';

/**
 * The pauses before the stored credential is read again, in milliseconds. A refresh token may be valid only once: if
 * another process used it, that process stores the new tokens a moment later.
 */
const REREAD_AFTER_MS = [0, 500, 1500];

/** The credential with a token that another process stored; undefined if there is none. */
async function storedByOthers(
	request: SessionRequest,
	expired: string,
): Promise<ICredentialDataDecryptedObject | undefined> {
	for (const wait of REREAD_AFTER_MS) {
		await clock.sleep(wait);
		const stored = await request.readCredential();
		const token = accessTokenIn(stored);
		if (token !== '' && token !== expired) return stored;
	}
	return undefined;
}

/** The errors with which a token endpoint refuses (RFC 6749, 5.2). Any other failure may be temporary. */
const OAUTH_ERRORS = new Set([
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
]);

/** Why a refresh failed: refused, or unavailable for now; undefined if it succeeded. */
async function refreshFailure(
	refresh: () => Promise<unknown>,
	data: ICredentialDataDecryptedObject,
): Promise<{ refusedLogin: string } | NetworkError | undefined> {
	const limitMs = loginLimitOf(data);
	const tooLate = new Error(`no access token within ${limitMs / 1000} s`);
	try {
		await within(AbortSignal.timeout(limitMs), refresh(), () => tooLate);
		return undefined;
	} catch (error) {
		const reason = reasonOf(error);
		if (error === tooLate) return { code: LOGIN_TIMED_OUT, reason };
		const canRefresh = isRecord(data.oauthTokenData) && Boolean(data.oauthTokenData.refresh_token);
		return !canRefresh || isRefusedRefresh(error)
			? { refusedLogin: reason }
			: { code: LOGIN_UNAVAILABLE, reason };
	}
}

function isRefusedRefresh(error: unknown): boolean {
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		if (isRecord(cause.failure) && cause.failure.cause === 'credential-invalid') return true;
		if (isRecord(cause.body) && OAUTH_ERRORS.has(String(cause.body.error))) return true;
	}
	return false;
}
