import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clock } from '../clock';
import type { FailureDetails } from '../errors/errors';
import { LOGIN_BANNED, LOGIN_TIMED_OUT, LOGIN_UNAVAILABLE } from '../errors/messages';
import { getOrCreate } from '../values';
import type { Renewal } from './login';
import { alsoInDoubt, isSafe, type Outgoing, type Reply, type Send } from './pipeline';
import type { SessionRules } from './service';

/** After a refused login or a ban, the same credential is not tried again for this long. */
const REFUSED_FOR_MS = 60_000;
/** After a login that didn't help its request, no login is tried for this long. Short: it may help other requests. */
const UNHELPFUL_FOR_MS = 5_000;

/** A session, and what it needs of the service and of n8n. */
export interface Login {
	session: Session;
	rules: SessionRules;
	renewal: Renewal;
	/** The credential as currently stored in n8n's database. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
}

/**
 * Sends a request in the session of its credential. If the response shows that the session has expired, renews it and
 * sends the request once more. If a response can't show that, a second request checks the session. The response of an
 * expired session is never used. Without a `login`, the service has no sessions.
 */
export function inSession(login: Login | undefined, next: Send): Send {
	if (!login) return next;
	const { session, rules } = login;
	return async (request) => {
		if (request.anonymous) return await next(request);
		const first = await session.send(request, login, next);
		const { response } = first.reply;
		if (!response || !rules.needsSessionCheck(response, request)) return first.reply;
		const { credential } = request;
		const check = await session.send({ ...rules.sessionCheck, credential }, login, next);
		// A write may have been carried out, so it is not sent again. The check renewed the session for later requests.
		if (!isSafe(request) && !request.idempotent) return first.reply;
		const wasInDoubt = first.reply.failure?.inDoubt === true;
		if (showsNoSession(check)) return alsoInDoubt(check.reply, wasInDoubt);
		// The check renewed nothing: the first reply came from a valid session.
		if (check.token === first.token) return first.reply;
		return alsoInDoubt((await session.send(request, login, next)).reply, wasInDoubt);
	};
}

/** A reply, and the token of the session in which the request was sent. */
interface Exchange {
	reply: Reply;
	token: string;
}

/**
 * The session of one credential in this process. The first request that finds it expired renews it; the others wait for
 * this renewal and use its result. After a renewal, each request is sent once more.
 */
export class Session {
	private token: string | undefined;
	/** The renewal in progress. Resolves to the reason if its login failed for now, and never rejects. */
	private renewing: Promise<FailureDetails | undefined> | undefined;
	/** The last login, if it was refused or did not help. It is not tried `until` then, on the monotonic clock. */
	private lastFailure: { reply: Reply; until: number; login: string } | undefined;

	/** Sends a request in the session. If the reply is still `sessionExpired`, the renewal didn't help. */
	async send(request: Outgoing, login: Login, next: Send): Promise<Exchange> {
		const { renewal } = login;
		const token = this.token ?? renewal.token(request.credential);
		if (token !== '') {
			const exchange = await sendWith(renewal.withToken(request.credential, token), request, renewal, next);
			if (!isExpired(exchange)) return exchange;
		}
		return await this.sendRenewed(request, login, next, token);
	}

	/** Sends a request whose token has expired: with a newer token that others obtained, or after a renewal. */
	private async sendRenewed(
		request: Outgoing,
		login: Login,
		next: Send,
		expiredToken: string,
	): Promise<Exchange> {
		const { renewal } = login;
		while (this.renewing) {
			const failure = await this.renewing;
			if (failure) return { reply: { failure }, token: '' };
		}
		const stored = await login.readCredential();
		// Another request may have begun a renewal while the credential was read.
		if (this.renewing) return await this.sendRenewed(request, login, next, expiredToken);
		const failed = this.recentFailure(loginOf(renewal, stored));
		if (failed) return { reply: failed, token: '' };
		const newerToken = [this.token, renewal.token(stored)].find((token) => token && token !== expiredToken);
		if (newerToken) {
			const exchange = await sendWith(renewal.withToken(stored, newerToken), request, renewal, next);
			if (!isExpired(exchange)) {
				this.token = newerToken;
				return exchange;
			}
			if (this.renewing) return await this.sendRenewed(request, login, next, newerToken);
		}
		return await this.renew(stored, request, login, next);
	}

	/** The reply of the last login, if it failed recently with the same credential. */
	private recentFailure(login: string): Reply | undefined {
		const { lastFailure } = this;
		const isRecent = lastFailure !== undefined && lastFailure.until > clock.uptime();
		return isRecent && lastFailure.login === login ? lastFailure.reply : undefined;
	}

	/** Renews the session and sends the request with it. Others wait for `renewing` meanwhile. */
	private async renew(
		stored: ICredentialDataDecryptedObject,
		request: Outgoing,
		{ renewal, readCredential }: Login,
		next: Send,
	): Promise<Exchange> {
		let finish: (failure?: FailureDetails) => void = () => {};
		this.renewing = new Promise((resolve) => (finish = resolve));
		let failedForNow: FailureDetails | undefined;
		try {
			const renewed = await renewal.renew(stored, readCredential);
			const exchange: Exchange =
				'failure' in renewed
					? { reply: renewed, token: '' }
					: await sendWith(renewed.credential, request, renewal, next);
			const { failure } = exchange.reply;
			if (failure && FAILED_LOGINS.has(failure.code)) failedForNow = failure;
			this.token = exchange.token || undefined;
			const isRefused = failure?.class === 'loginRefused' || failure?.code === LOGIN_BANNED;
			const until = clock.uptime() + (isRefused ? REFUSED_FOR_MS : UNHELPFUL_FOR_MS);
			const credential = 'failure' in renewed ? stored : renewed.credential;
			this.lastFailure =
				isRefused || isExpired(exchange)
					? { reply: exchange.reply, until, login: loginOf(renewal, credential) }
					: undefined;
			return exchange;
		} finally {
			this.renewing = undefined;
			finish(failedForNow);
		}
	}
}

/** Codes of requests that were not sent because the login failed for now. */
const FAILED_LOGINS = new Set<string | undefined>([LOGIN_UNAVAILABLE, LOGIN_TIMED_OUT, LOGIN_BANNED]);

/** Whether the check of a session failed. A page with a status of success, as of a proxy, says nothing about the session. */
const showsNoSession = (check: Exchange): boolean =>
	isExpired(check) ||
	(check.reply.failure !== undefined && (check.reply.response?.status ?? Infinity) >= 300);

const isExpired = ({ reply }: Exchange): boolean => reply.failure?.class === 'sessionExpired';

/** Sends a request with this credential. If it has no token, n8n logs in before, and stores the token in `credential`. */
async function sendWith(
	credential: ICredentialDataDecryptedObject,
	request: Outgoing,
	renewal: Renewal,
	next: Send,
): Promise<Exchange> {
	const logsIn = renewal.token(credential) === '';
	const reply = await next({ ...request, credential, logsIn });
	return { reply, token: renewal.token(credential) };
}

/** Identifies the login of a credential. If the user changes a value of it, the login is tried again at once. */
const loginOf = (renewal: Renewal, data: ICredentialDataDecryptedObject): string =>
	JSON.stringify(renewal.withToken(data, ''));

const sessions = new Map<string, Session>();

/** The session shared by everything in this process that uses the same host and credential. */
export const sessionOf = (key: string): Session => getOrCreate(sessions, key, () => new Session());
