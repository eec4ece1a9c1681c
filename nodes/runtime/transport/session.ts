import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Sent } from './http';
import { isRecord } from '../values';
import { clock } from './rateLimit';

/** Code of a request that was not sent, as nobody could be logged in; the credentials use it, too. */
export const NO_LOGIN_NOW = 'LOGIN_UNAVAILABLE';
/** A refused login is not tried again with the same credential before this has passed. */
const REFUSED_FOR_MS = 60_000;
/** A login that didn't help with one request may help with the next. */
const UNHELPFUL_FOR_MS = 5_000;

/** What a session needs to know of one request's way to the service. */
export interface Transport {
	/** The credential as n8n's database holds it now. */
	read(): Promise<ICredentialDataDecryptedObject>;
	/** Sends the request with this credential; a login that goes before it may change `data`. */
	send(data: ICredentialDataDecryptedObject): Promise<Sent>;
	/** Whether an answer tells that the session is gone. */
	gone(sent: Sent): boolean;
}

/** How the credential of a session is renewed. */
export interface Renewal {
	/** What identifies the session that a credential holds; empty if it holds none. */
	token(data: ICredentialDataDecryptedObject): string;
	/** The same credential with another session. */
	with(data: ICredentialDataDecryptedObject, token: string): ICredentialDataDecryptedObject;
	/** Makes a new session and sends the request with it; tells what came of it, and the renewed credential. */
	renew(
		transport: Transport,
		data: ICredentialDataDecryptedObject,
	): Promise<{ sent: Sent; renewed: ICredentialDataDecryptedObject }>;
}

/**
 * One credential's session in this process. Whoever finds it gone renews it; everybody else waits for
 * that one renewal and goes on with what it brought. A request is sent once more after a renewal, no more.
 */
export class Session {
	private fresh: string | undefined;
	private renewing: Promise<void> | undefined;
	private refused: { sent: Sent; until: number; by: string } | undefined;

	/** Sends a request inside the session; an answer that still says `gone` means that renewing didn't help. */
	async send(transport: Transport, renewal: Renewal, data: ICredentialDataDecryptedObject): Promise<Sent> {
		const token = this.fresh ?? renewal.token(data);
		if (token !== '') {
			const sent = await transport.send(renewal.with(data, token));
			if (!transport.gone(sent)) return sent;
		}
		return await this.afterRenewal(transport, renewal, token);
	}

	private async afterRenewal(transport: Transport, renewal: Renewal, dead: string): Promise<Sent> {
		while (this.renewing) await this.renewing;
		const data = await transport.read();
		if (this.renewing) return await this.afterRenewal(transport, renewal, dead);
		const { refused } = this;
		if (refused && refused.until > clock.now() && refused.by === loginOf(renewal, data)) return refused.sent;
		const known = [this.fresh, renewal.token(data)].find((token) => token && token !== dead);
		if (known) {
			const sent = await transport.send(renewal.with(data, known));
			if (!transport.gone(sent)) {
				this.fresh = known;
				return sent;
			}
			if (this.renewing) return await this.afterRenewal(transport, renewal, known);
		}
		return await this.lead(transport, renewal, renewal.with(data, ''));
	}

	private async lead(
		transport: Transport,
		renewal: Renewal,
		data: ICredentialDataDecryptedObject,
	): Promise<Sent> {
		let finished = (): void => {};
		this.renewing = new Promise((resolve) => (finished = resolve));
		try {
			const { sent, renewed } = await renewal.renew(transport, data);
			this.fresh = renewal.token(renewed) || undefined;
			this.refused = undefined;
			const by = loginOf(renewal, renewed);
			if ('refusedLogin' in sent) this.refused = { sent, until: clock.now() + REFUSED_FOR_MS, by };
			else if (transport.gone(sent)) this.refused = { sent, until: clock.now() + UNHELPFUL_FOR_MS, by };
			return sent;
		} finally {
			this.renewing = undefined;
			finished();
		}
	}
}

/** All that a credential logs in with: once the user corrects it, a refused login is tried at once. */
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
	renew: async (transport, data) => ({ sent: await transport.send(data), renewed: data }),
});

/** Renewal by n8n's OAuth 2.0 refresh, which stores the new token itself. */
export const refreshBy = (refresh: () => Promise<unknown>): Renewal => ({
	token: (data) => (isRecord(data.oauthTokenData) ? String(data.oauthTokenData.access_token ?? '') : ''),
	with: (data) => data,
	renew: async (transport, data) => {
		try {
			await refresh();
		} catch (error) {
			return { sent: refreshFailure(error), renewed: data };
		}
		const renewed = await transport.read();
		return { sent: await transport.send(renewed), renewed };
	},
});

/** Why no new token came: the token's host said no, or it is away for the moment, which says nothing of the credential. */
function refreshFailure(error: unknown): Sent {
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		const status = Number(cause.status ?? cause.httpCode ?? NaN);
		const isAway = Number.isNaN(status) && /^E[A-Z_]+$/.test(String(cause.code));
		if (isAway || status === 429 || status >= 500) return { code: NO_LOGIN_NOW };
	}
	return { refusedLogin: error instanceof Error ? error.message : String(error) };
}
