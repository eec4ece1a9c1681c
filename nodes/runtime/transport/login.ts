/** The two ways to renew a session: n8n's own login, and its OAuth 2.0 refresh. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { loginLimitOf } from '../credential';
import type { FailureDetails } from '../api-types';
import { LOGIN_TIMED_OUT, loginRefused, loginUnavailable } from '../errors/messages';
import { causesOf, isRecord, reasonOf, within } from '../values';

/** The credential with which the next request has a new session, or why there is none. */
type Renewed =
	| { credential: ICredentialDataDecryptedObject; logsIn?: true; failure?: undefined }
	| { failure: FailureDetails };

/** How the session of a credential is renewed. */
export interface Renewal {
	/** The session's token in a credential, if there is one. */
	token(data: ICredentialDataDecryptedObject): string | undefined;
	/** The credential to send in the session of this token. With OAuth2, n8n itself sends the token that it has stored. */
	withToken(data: ICredentialDataDecryptedObject, token: string): ICredentialDataDecryptedObject;
	/** With `logsIn`, n8n logs in before the next request, and writes the new token into the credential. */
	renew(
		stored: ICredentialDataDecryptedObject,
		readCredential: () => Promise<ICredentialDataDecryptedObject>,
	): Promise<Renewed>;
}

/**
 * Renews by n8n's own login: if the expirable field of a credential is empty, n8n calls its `preAuthentication`, stores
 * the result, and uses it for the request. `isUsable` says whether the field holds a session of this credential.
 */
export const loginBy = (
	field: string,
	isUsable: (data: ICredentialDataDecryptedObject) => boolean,
): Renewal => ({
	token: (data) => (isUsable(data) ? String(data[field]) : undefined),
	withToken: (data, token) => ({ ...data, [field]: token }),
	renew: async (stored) => ({ credential: { ...stored, [field]: '' }, logsIn: true }),
});

/** Renews by n8n's OAuth 2.0 refresh, which stores the new token. */
export const refreshBy = (service: string, refresh: () => Promise<unknown>): Renewal => ({
	token: (data) => accessTokenIn(data) || undefined,
	withToken: (data) => data,
	renew: async (stored, readCredential) => {
		if (accessTokenIn(stored) === '')
			return { failure: loginRefused(service, 'the account is not connected') };
		const failure = await refreshFailure(service, refresh, stored);
		const credential = await readCredential();
		// Another process may have refreshed it at the same time: a refresh token works once.
		const isNew = accessTokenIn(credential) !== accessTokenIn(stored);
		return failure && !isNew ? { failure } : { credential };
	},
});

/** The access token of an OAuth2 credential; empty if there is none. */
export const accessTokenIn = ({ oauthTokenData }: ICredentialDataDecryptedObject): string =>
	isRecord(oauthTokenData) ? String(oauthTokenData.access_token ?? '') : '';

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
	service: string,
	refresh: () => Promise<unknown>,
	data: ICredentialDataDecryptedObject,
): Promise<FailureDetails | undefined> {
	const limitMs = loginLimitOf(data);
	const tooLate = new Error(`no access token within ${limitMs / 1000} s`);
	try {
		await within(AbortSignal.timeout(limitMs), refresh(), () => tooLate);
		return undefined;
	} catch (error) {
		const reason = reasonOf(error);
		if (error === tooLate) return loginUnavailable(service, reason, LOGIN_TIMED_OUT);
		const canRefresh = isRecord(data.oauthTokenData) && Boolean(data.oauthTokenData.refresh_token);
		return !canRefresh || isRefusedRefresh(error)
			? loginRefused(service, reason)
			: loginUnavailable(service, reason);
	}
}

const isRefusedRefresh = (error: unknown): boolean =>
	causesOf(error).some(
		({ failure, body }) =>
			(isRecord(failure) && failure.cause === 'credential-invalid') ||
			(isRecord(body) && OAUTH_ERRORS.has(String(body.error))),
	);
