import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clock } from '../clock';
import type { FailureDetails } from '../api-types';
import { LOGIN_FAILED, LOGIN_TIMED_OUT } from '../errors/messages';
import { getOrCreate, inSequence } from '../values';
import type { Renewal } from './login';
import type { Outgoing, Reply, Send } from './send';
import type { SessionRules } from './service';

/** After a login that was refused, met a ban or did not help, the same login is not tried again for this long. */
const NO_LOGIN_FOR_MS = 60_000;

/** What a session needs of the service and of n8n. */
export interface SessionAccess {
	rules: SessionRules;
	renewal: Renewal;
	/** The credential as currently stored in n8n's database. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
}

/**
 * Sends a request in the session of its credential. If the reply shows that the session has expired, renews it and sends
 * the request once more. The response of an expired session is never used.
 */
export function inSession(access: SessionAccess, next: Send): Send {
	const checked = withSessionCheck(access.rules, next);
	return async (request) =>
		request.anonymous
			? await next(request)
			: await sessionOf(access.renewal, request.credential).send(request, access, checked);
}

/** If a response can't show whether the session has expired, sends a second request, whose response shows it. */
const withSessionCheck =
	({ needsSessionCheck, sessionCheck }: SessionRules, next: Send): Send =>
	async (request) => {
		const reply = await next(request);
		if (!reply.response || !needsSessionCheck(reply.response, request)) return reply;
		const check = await next({ ...sessionCheck, credential: request.credential });
		// A write stays in doubt if the check fails. Only an expired session shows that nothing was carried out.
		const isInDoubt = reply.failure?.inDoubt === true && !isExpired(check);
		return check.failure && !isInDoubt ? check : reply;
	};

/** A login that failed. It counts for sessions that expired before `until`, on the monotonic clock. */
interface FailedLogin {
	failure: FailureDetails;
	until: number;
}

/** The session of one credential in this process. Only one request at a time renews it; the others use its result. */
class Session {
	private token: string | undefined;
	/** The last login, if it failed. */
	private lastFailure: FailedLogin | undefined;

	/** Sends a request in the session. If the reply is still `sessionExpired`, no renewal helped. */
	async send(request: Outgoing, access: SessionAccess, next: Send): Promise<Reply> {
		const { renewal } = access;
		const token = this.token ?? renewal.token(request.credential);
		if (token !== undefined) {
			const credential = renewal.withToken(request.credential, token);
			const reply = await next({ ...request, credential });
			if (!isExpired(reply)) return reply;
		}
		const expired = { token, at: clock.uptime() };
		// If the credential was changed meanwhile, a login with it belongs to another session.
		const session = sessionOf(renewal, await access.readCredential());
		return await inSequence(session, () => session.sendRenewed(request, access, next, expired));
	}

	/** Sends a request whose session has expired: in a session that others began meanwhile, or in a new one. */
	private async sendRenewed(
		request: Outgoing,
		{ renewal, readCredential }: SessionAccess,
		next: Send,
		expired: { token?: string; at: number },
	): Promise<Reply> {
		const stored = await readCredential();
		const { lastFailure } = this;
		if (lastFailure && expired.at < lastFailure.until) {
			// The exchange belongs to the request that logged in.
			return { failure: { ...lastFailure.failure, exchange: undefined } };
		}
		const isNew = (token?: string) => token !== undefined && token !== expired.token;
		const newer = [this.token, renewal.token(stored)].find(isNew);
		if (newer !== undefined) {
			const reply = await next({ ...request, credential: renewal.withToken(stored, newer) });
			if (!isExpired(reply)) {
				this.token = newer;
				return reply;
			}
		}
		const renewed = await renewal.renew(stored, readCredential);
		const reply = renewed.failure ? renewed : await next({ ...request, ...renewed });
		// n8n wrote the token of its login into the credential.
		this.token = renewed.failure ? undefined : renewal.token(renewed.credential);
		const { failure } = reply;
		// If the service was down, the login counts only for requests that waited for it.
		const countsForMs = failure?.class === 'unavailable' ? 0 : NO_LOGIN_FOR_MS;
		this.lastFailure =
			failure && isFailedLogin(failure) ? { failure, until: clock.uptime() + countsForMs } : undefined;
		return reply;
	}
}

const isExpired = ({ failure }: Reply): boolean => failure?.class === 'sessionExpired';

const isFailedLogin = ({ class: failureClass, code = '' }: FailureDetails): boolean =>
	failureClass === 'sessionExpired' || [LOGIN_FAILED, LOGIN_TIMED_OUT].includes(code);

/** By the credential without its session (of OAuth2, with its token): a failed login does not hold up a changed credential. */
const sessions = new Map<string, Session>();

/** The session shared by everything in this process that uses the same credential. */
function sessionOf(renewal: Renewal, credential: ICredentialDataDecryptedObject): Session {
	const key = JSON.stringify(renewal.withToken(credential, ''));
	return getOrCreate(sessions, key, () => new Session());
}
