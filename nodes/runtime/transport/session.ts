import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { loginLimitOf } from '../credential';
import { isRecord, within } from '../values';
import { LOGIN_TIMED_OUT, LOGIN_UNAVAILABLE, type NetworkError, type Sent } from './http';
import { clock } from './throttle';

/** After a refused login, the same credential is not tried again for this long. */
const REFUSED_FOR_MS = 60_000;
/** After a login that didn't help with one request; it may help with the next. */
const UNHELPFUL_FOR_MS = 5_000;

/** How a session sends one request. */
export interface SessionRequest {
	/** The credential as n8n's database holds it now. */
	read(): Promise<ICredentialDataDecryptedObject>;
	/** Sends the request with this credential; a login that goes before it may change `data`. */
	send(data: ICredentialDataDecryptedObject): Promise<Sent>;
	/** Whether the response says that the session has ended. */
	expired(sent: Sent): boolean;
}

/** How the credential of a session is renewed. */
export interface Renewal {
	/** Identifies the session in a credential; empty if there is none. */
	token(data: ICredentialDataDecryptedObject): string;
	/** The same credential with another session. */
	with(data: ICredentialDataDecryptedObject, token: string): ICredentialDataDecryptedObject;
	/** Makes a new session and sends the request with it. */
	renew(
		request: SessionRequest,
		data: ICredentialDataDecryptedObject,
	): Promise<{ sent: Sent; renewed: ICredentialDataDecryptedObject }>;
}

/**
 * One credential's session in this process. The first request that finds it expired renews it; all others wait for
 * that renewal and use its result. A request is sent once more after a renewal, not more often.
 */
export class Session {
	private token: string | undefined;
	/** Resolves to the reason if no login was possible. */
	private renewing: Promise<NetworkError | undefined> | undefined;
	private refused: { sent: Sent; until: number; by: string } | undefined;

	/** Sends a request inside the session; a response that still says `expired` means that renewing didn't help. */
	async send(request: SessionRequest, renewal: Renewal, data: ICredentialDataDecryptedObject): Promise<Sent> {
		const token = this.token ?? renewal.token(data);
		if (token !== '') {
			const sent = await request.send(renewal.with(data, token));
			if (!request.expired(sent)) return sent;
		}
		return await this.sendRenewed(request, renewal, token);
	}

	private async sendRenewed(request: SessionRequest, renewal: Renewal, expired: string): Promise<Sent> {
		while (this.renewing) {
			const failure = await this.renewing;
			if (failure) return failure;
		}
		const data = await request.read();
		if (this.renewing) return await this.sendRenewed(request, renewal, expired);
		const { refused } = this;
		if (refused && refused.until > clock.uptime() && refused.by === loginOf(renewal, data))
			return refused.sent;
		const other = [this.token, renewal.token(data)].find((token) => token && token !== expired);
		if (other) {
			const sent = await request.send(renewal.with(data, other));
			if (!request.expired(sent)) {
				this.token = other;
				return sent;
			}
			if (this.renewing) return await this.sendRenewed(request, renewal, other);
		}
		return await this.renew(request, renewal, renewal.with(data, ''));
	}

	private async renew(
		request: SessionRequest,
		renewal: Renewal,
		data: ICredentialDataDecryptedObject,
	): Promise<Sent> {
		let finish: (failure?: NetworkError) => void = () => {};
		this.renewing = new Promise((resolve) => (finish = resolve));
		let failure: NetworkError | undefined;
		try {
			const { sent, renewed } = await renewal.renew(request, data);
			if (isWithoutLogin(sent)) failure = sent;
			this.token = renewal.token(renewed) || undefined;
			this.refused = undefined;
			const by = loginOf(renewal, renewed);
			if ('refusedLogin' in sent) this.refused = { sent, until: clock.uptime() + REFUSED_FOR_MS, by };
			else if (request.expired(sent)) this.refused = { sent, until: clock.uptime() + UNHELPFUL_FOR_MS, by };
			return sent;
		} finally {
			this.renewing = undefined;
			finish(failure);
		}
	}
}

/** Whether a request was not sent because nobody could be logged in. */
const isWithoutLogin = (sent: Sent): sent is NetworkError =>
	'code' in sent && (sent.code === LOGIN_UNAVAILABLE || sent.code === LOGIN_TIMED_OUT);

/** Everything a credential logs in with: after the user corrects it, a refused login is tried again at once. */
const loginOf = (renewal: Renewal, data: ICredentialDataDecryptedObject): string =>
	JSON.stringify(renewal.with(data, ''));

const sessions = new Map<string, Session>();

/** The session shared by everything in this process that uses the same host and credential. */
export function sessionOf(key: string): Session {
	const existing = sessions.get(key);
	if (existing) return existing;
	const made = new Session();
	sessions.set(key, made);
	return made;
}

/**
 * Renewal by n8n's own login: a credential whose expirable field is empty makes n8n call the
 * credential's `preAuthentication`, store what it returns, and use it for the request.
 */
export const loginBy = (field: string): Renewal => ({
	token: (data) => String(data[field] ?? ''),
	with: (data, token) => ({ ...data, [field]: token }),
	renew: async (request, data) => ({ sent: await request.send(data), renewed: data }),
});

/** Renewal by n8n's OAuth 2.0 refresh, which stores the new token. */
export const refreshBy = (refresh: () => Promise<unknown>): Renewal => ({
	token: accessTokenIn,
	with: (data) => data,
	renew: async (request, data) => {
		if (accessTokenIn(data) === '') return { sent: { refusedLogin: NOT_CONNECTED }, renewed: data };
		const failure = await refreshFailure(refresh, data);
		const renewed = failure
			? 'refusedLogin' in failure && (await storedByOthers(request, accessTokenIn(data)))
			: await request.read();
		if (failure && !renewed) return { sent: failure, renewed: data };
		return { sent: await request.send(renewed || data), renewed: renewed || data };
	},
});

const NOT_CONNECTED = 'the account is not connected';

const accessTokenIn = ({ oauthTokenData }: ICredentialDataDecryptedObject): string =>
	isRecord(oauthTokenData) ? String(oauthTokenData.access_token ?? '') : '';

/** Another process may have used up a rotating refresh token, and stores the new ones a moment later. */
const STORED_WITHIN_MS = [0, 500, 1500];

/** The credential with the token that another process stored; undefined if none did. */
async function storedByOthers(
	request: SessionRequest,
	expired: string,
): Promise<ICredentialDataDecryptedObject | undefined> {
	for (const wait of STORED_WITHIN_MS) {
		await clock.sleep(wait);
		const stored = await request.read();
		const token = accessTokenIn(stored);
		if (token !== '' && token !== expired) return stored;
	}
	return undefined;
}

/** The errors by which a token endpoint refuses (RFC 6749, 5.2). Everything else may be over the next time. */
const OAUTH_ERRORS = new Set([
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
]);

/** Why a refresh failed: refused, or unavailable for the moment; undefined if it worked. */
async function refreshFailure(
	refresh: () => Promise<unknown>,
	data: ICredentialDataDecryptedObject,
): Promise<{ refusedLogin: string } | NetworkError | undefined> {
	const limitMs = loginLimitOf(data);
	const seconds = `no access token within ${limitMs / 1000} s`;
	let hasTimedOut = false;
	try {
		await within(limitMs, refresh(), () => {
			hasTimedOut = true;
			return new Error(seconds);
		});
		return undefined;
	} catch (error) {
		if (hasTimedOut) return { code: LOGIN_TIMED_OUT, reason: seconds };
		const message = error instanceof Error ? error.message : String(error);
		const canRefresh = isRecord(data.oauthTokenData) && Boolean(data.oauthTokenData.refresh_token);
		return !canRefresh || isRefusedRefresh(error)
			? { refusedLogin: message }
			: { code: LOGIN_UNAVAILABLE, reason: message };
	}
}

function isRefusedRefresh(error: unknown): boolean {
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		if (isRecord(cause.failure) && cause.failure.cause === 'credential-invalid') return true;
		if (isRecord(cause.body) && OAUTH_ERRORS.has(String(cause.body.error))) return true;
	}
	return false;
}
