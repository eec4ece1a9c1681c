import type { ApiResponse, ApiRequest, FailureDetails } from '../runtime/api-types';
import type { Service } from '../runtime/transport/service';
import type { Member } from '../runtime/errors/secrets';
import { accessTokenIn, loginBy, refreshBy } from '../runtime/transport/login';
import { encodeForm } from '../runtime/transport/encoding';
import { isOn } from '../runtime/credential';
import { asRecord, inSentence, isBlank, isRecord, textsIn, toText } from '../runtime/values';
import { classOfStatus, refusal, unexpectedResponse, withoutAnswer } from '../runtime/errors/messages';
import { attackFailure, BANNED, bannedAdvice } from './attack-texts';
import { table } from './resources';
import { sourceOf } from './model/responses';
import { COUNTS_INTERVAL_MS } from './model/unread-counts';
import { cookiesIn } from './stored-session';

const BY_COOKIE = 'newsReaderSessionApi';
const BY_BEARER = 'newsReaderOAuth2Api';

/** Calls that fail with 500 without a session (seen in the wild). */
const FAIL_WITHOUT_SESSION = new Set(['/reader/save_search', '/reader/delete_search']);

const UNKNOWN_CALL = new Set([404, 405]);

/** Calls whose `authenticated` doesn't say whether the session has expired. */
const SESSION_CALLS = new Set(['/api/login', '/api/logout', '/api/signup']);

/** The session, and other cookies that are too long to be ordinary words. */
const cookieSecrets = (cookies: string): string[] =>
	cookies
		.split('; ')
		.map((cookie) => /^(?:([^=]*)=)?(.*)$/.exec(cookie) ?? [])
		.flatMap(([, name = '', value = '']) =>
			name.endsWith('sessionid') || value.length >= 16 ? [value] : [],
		);

/** Other responses without an envelope don't say whose data they have. */
const SAME_FOR_ALL_ACCOUNTS = /^\/(?:reader\/page\/|rss_feeds\/original_story|social\/rss\/)/;

/**
 * The news reader service: requests are forms, responses JSON. Failures have status 200 and a `code` below zero or
 * `errors`. An expired session shows as 401, as 403 without a body, or as 200 with `authenticated: false` and another
 * account's data (seen in the wild).
 */
export const newsReader: Service = {
	name: 'the news reader service',
	table,
	// The service loads, changes and rewrites whole lists: of two changes at once, one is lost (seen in the wild).
	writesOneAtATime: true,
	credentialType: ({ parameters }) => (parameters.authentication === 'oAuth2' ? BY_BEARER : BY_COOKIE),
	secrets: ({ clientId, clientSecret, ...credential }) =>
		[
			credential.password,
			...cookieSecrets(cookiesIn(credential)),
			clientSecret,
			// As n8n sends them for an access token: a page of an error may repeat the header.
			clientSecret && Buffer.from(`${String(clientId)}:${String(clientSecret)}`).toString('base64'),
			accessTokenIn(credential),
			asRecord(credential.oauthTokenData).refresh_token,
		].flatMap((secret) => (isBlank(secret) ? [] : [String(secret)])),
	// An OAuth2 credential may be connected again as another user: then only its token differs.
	identity: ({ username, password, clientId, ...others }, node) => ({
		names: [username, clientId, clientId && node.credentials?.[BY_BEARER]?.id].filter(Boolean).map(String),
		secrets: [String(password ?? ''), accessTokenIn(others)],
	}),
	encode: (body) => {
		if (!body) return { headers: {} };
		if (Object.values(body).some((value) => value instanceof File)) {
			const form = new FormData();
			for (const [name, value] of Object.entries(body)) {
				form.append(name, value instanceof File ? value : String(value));
			}
			return { headers: {}, body: form };
		}
		return {
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: encodeForm(body).toString(),
		};
	},
	limitedApart: [
		{ path: '/reader/feeds' },
		{ path: '/reader/refresh_feeds', intervalMs: COUNTS_INTERVAL_MS },
		{ path: '/reader/starred_stories' },
		{ path: '/rss_feeds/statistics/' },
		{ path: '/rss_feeds/exception_retry' },
		{ path: '/rss_feeds/original_text' },
		{ path: '/social/load_user_friends' },
		{ path: '/social/rss/' },
	],
	rejects: (request, { sendSuspiciousTexts }) =>
		isOn(sendSuspiciousTexts) ? undefined : attackFailure(request),
	isSecretMember,
	errorIn,
	redirected,
	user: ({ json }) => {
		const { authenticated, user_id: id } = asRecord(json);
		return authenticated === true && id !== undefined ? toText(id) : undefined;
	},
	session: {
		expired: isSessionExpired,
		needsSessionCheck: hidesSession,
		sessionCheck: { method: 'GET', path: '/social/load_user_profile' },
		renewal: (context, credentialType) =>
			credentialType === BY_BEARER
				? refreshBy(
						newsReader.name,
						async () => await context.helpers.refreshOAuth2Token.call(context, BY_BEARER),
					)
				: loginBy('sessionToken', (credential) => cookiesIn(credential) !== ''),
	},
};

/** Whether a response doesn't say to which session it belongs. */
function hidesSession({ status, json }: ApiResponse, { method, path }: ApiRequest): boolean {
	if (FAIL_WITHOUT_SESSION.has(path)) return status === 500;
	const isList = method === 'GET' && status < 300 && !isRecord(json);
	return isList && !SESSION_CALLS.has(path) && !SAME_FOR_ALL_ACCOUNTS.test(path);
}

function isSessionExpired({ status, text, json }: ApiResponse, { path }: ApiRequest): boolean {
	if (SESSION_CALLS.has(path) || isPrivateRss(status, path)) return false;
	const isRefused = status === 401 || (status === 403 && text.trim() === '');
	return isRefused || asRecord(json).authenticated === false;
}

/** Hosts redirect calls that they don't know to a page of another host, with status 302 (seen in the wild). */
function redirected(response: ApiResponse, request: ApiRequest): FailureDetails | undefined {
	if (response.status !== 302 || request.redirectAdvice || !response.redirect) return undefined;
	const { host, pathname, origin } = response.redirect;
	const isSameSite = sourceOf({ ...response, host }) === sourceOf(response);
	const hasMoved = isSameSite || pathname.endsWith(request.path);
	return hasMoved ? undefined : unknownCall(request, `it redirects to ${origin}`);
}

const unknownCall = ({ path, action, labels = {}, isCustom }: ApiRequest, why: string): FailureDetails => ({
	message:
		isCustom || action === undefined
			? `The news reader service does not know the path ${path}: ${why}`
			: `The news reader service refused to ${inSentence(action)}: ${why}`,
	description: isCustom
		? 'Check the Path, and whether a login page answers.'
		: `Check ${[...Object.values(labels).slice(0, 1), 'the Base URL of the credential'].join(', and ')}. If that is right, this server does not offer the operation, or a login page answers.`,
	unclear: true,
	class: 'notOffered',
});

function errorIn(response: ApiResponse, request: ApiRequest): FailureDetails | undefined {
	const { json, status } = response;
	if (status === 403 && isRecord(json) && 'error' in json)
		return { message: BANNED, description: bannedAdvice(), class: 'banned' };
	if (isRecord(json)) return refusalOf(json, status, request);
	if (isPrivateRss(status, request.path)) {
		return {
			message: 'The share feed is private: nobody can read its RSS, not even followers',
			description: 'Get Many returns its stories if you follow the user.',
		};
	}
	if (UNKNOWN_CALL.has(status)) return unknownCall(request, 'not found');
	const isExpected =
		status < 300 && ((request.accepts ?? 'json') !== 'json' || isListResponse(json, request));
	return isExpected ? undefined : withoutAnswer(newsReader.name, request, response);
}

/** Lists have no envelope. Responses to batches have none, either, but are never empty lists (seen in the wild). */
const isListResponse = (json: unknown, { method, partial = false }: ApiRequest): boolean =>
	Array.isArray(json) && (method === 'GET' || (partial && json.some(isRecord)));

function refusalOf(
	json: Record<string, unknown>,
	status: number,
	request: ApiRequest,
): FailureDetails | undefined {
	const errors = textsIn(json.errors);
	// If every entry of a batch failed, the code is negative, too: then `results` has the reason for each entry.
	const hasEntries = request.partial === true && [json.results].flat().some(isRecord);
	const isRefusal = (Number(toText(json.code)) < 0 && !hasEntries) || errors.length > 0;
	if (isRefusal || json.result === 'error' || status >= 400) {
		// The errors of a form come by its fields.
		const named = Object.keys(asRecord(json.errors)).flatMap((field) => request.labels?.[field] ?? []);
		// Of several feeds, the service has done those before the one that it refuses (seen in the wild).
		const areSeveral = Object.keys(asRecord(request.body?.feeds_stories)).length > 1;
		const texts = [...errors, ...textsIn([json.message, json.error, json.text])];
		return {
			...refusal(newsReader.name, request, {
				words: [...new Set(texts)].join(' '),
				class: !isRefusal && UNKNOWN_CALL.has(status) ? 'notOffered' : classOfStatus(status),
				named,
			}),
			// The result is also 'error' after a write whose result the service could not return (seen in the wild).
			unclear: isRefusal ? areSeveral : json.result === 'error',
		};
	}
	const saysSuccess = 'authenticated' in json || 'code' in json || json.result === 'ok';
	if (saysSuccess || request.method === 'GET') return undefined;
	return unexpectedResponse(newsReader.name, request, 'JSON in an unexpected format');
}

/** The RSS of a private user is refused like an expired session (seen in the wild). */
const isPrivateRss = (status: number, path: string): boolean =>
	status === 403 && path.startsWith('/social/rss/');

/** The service's names and ours differ only in case and underscores. */
const comparableName = (name: string): string => name.replaceAll('_', '').toLowerCase();
/** Lists whose records have private addresses: they contain the account's token. */
const PRIVATE_LISTS = new Set(['starredcounts', 'savedsearches']);

/** Whether a member gives access to the account without a password (seen in the wild). */
function isSecretMember(
	{ name, text, enclosing }: Member,
	{ includeSecrets = [] }: { includeSecrets?: string[] },
): boolean {
	if (text === '') return false;
	switch (comparableName(name)) {
		case 'shareexttoken':
			return !includeSecrets.includes('share_ext_token');
		case 'secrettoken':
			return true;
		case 'privateaddress':
			return !includeSecrets.includes('feed_address');
		case 'address':
		case 'feedaddress':
			return isPrivate(text, enclosing) && !includeSecrets.includes('feed_address');
		default:
			return false;
	}
}

const isPrivate = (address: string, enclosing: readonly string[]): boolean =>
	enclosing.some((outer) => PRIVATE_LISTS.has(comparableName(outer))) ||
	/\/(?:reader\/)?(?:starred_rss|folder_rss|saved_search(?:_rss)?)\/|[?&]secret_token=/.test(address);
