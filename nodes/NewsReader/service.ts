import type { IDataObject } from 'n8n-workflow';
import type { Answer, Request } from '../runtime/exchange';
import { severalOf } from '../runtime/fields/kinds';
import type { Service } from '../runtime/transport/service';
import type { ApiFailure } from '../runtime/errors/errors';
import { loginBy, refreshBy } from '../runtime/transport/session';
import { encodeForm } from '../runtime/transport/http';
import { isRecord, toText } from '../runtime/values';
import { looksLike, unexpectedAnswer } from '../runtime/errors/messages';
import { table } from './resources';

/** The two kinds of credential: a cookie, or a bearer. */
const BY_COOKIE = 'newsReaderSessionApi';
const BY_BEARER = 'newsReaderOAuth2Api';

/** Calls that fail with 500 where nobody is logged in (seen in the wild). */
const FAIL_WITHOUT_SESSION = new Set(['/reader/save_search', '/reader/delete_search']);

/** The calls that are about sessions themselves: theirs says nothing. */
const SESSION_CALLS = new Set(['/api/login', '/api/logout', '/api/signup']);

/** What is secret of a session: the values of its cookies, not their names. */
const cookieValues = (session: unknown): string[] =>
	String(session ?? '')
		.split('; ')
		.map((cookie) => cookie.slice(cookie.indexOf('=') + 1));

/** Pages that are the same whoever asks. Other lists and pages don't tell whose they are (seen in the wild). */
const ALIKE_FOR_ALL = /^\/(?:reader\/page\/|rss_feeds\/original_story|social\/(?:rss|page)\/)/;

/** What answers may carry that reads the account without a password; masked unless it is asked for. */
const options = {
	includeSecrets: severalOf(
		'Include Secrets',
		{ feed_address: 'Private RSS Addresses', share_ext_token: 'Share Token' },
		{ description: 'What to leave unmasked in the output although whoever has it can read your account' },
	),
};

/**
 * How the news reader service speaks: forms in, JSON out, and failures told with status 200 by `code`
 * below zero or by `errors`. A session that is gone shows as 401, as 403 without a body, or as 200 with
 * `authenticated: false` and then the data of somebody else (seen in the wild).
 */
export const newsReader: Service = {
	name: 'the news reader service',
	table,
	wholeRecordsSince: 1.1,
	// It loads whole lists, changes them and writes them back: of two changes at once one is lost (seen in the wild).
	writesOneAtATime: true,
	credentialType: ({ parameters }) => (parameters.authentication === 'oAuth2' ? BY_BEARER : BY_COOKIE),
	secrets: (credential) => {
		const tokens = isRecord(credential.oauthTokenData) ? credential.oauthTokenData : {};
		return [
			credential.password,
			...cookieValues(credential.sessionToken),
			credential.clientSecret,
			tokens.access_token,
			tokens.refresh_token,
		]
			.filter((secret) => typeof secret === 'string' && secret !== '')
			.map(String);
	},
	identity: (credential, node) => [
		String(credential.username ?? ''),
		String(credential.password ?? ''),
		String(credential.clientId ?? ''),
		credential.clientId ? String(node.credentials?.[BY_BEARER]?.id ?? '') : '',
	],
	encode: (body) => {
		if (!body) return { headers: {} };
		if (Object.values(body).some((value) => value instanceof Blob))
			return { headers: {}, body: multipart(body) };
		return {
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: encodeForm(body).toString(),
		};
	},
	options,
	mask,
	refusal,
	user: ({ json }) =>
		isRecord(json) && json.authenticated === true && json.user_id !== undefined
			? toText(json.user_id)
			: undefined,
	session: {
		gone: isGone,
		silent: isSilent,
		proof: { method: 'GET', path: '/social/load_user_profile' },
		renewal: (context, credentialType) =>
			credentialType === BY_BEARER
				? refreshBy(async () => await context.helpers.refreshOAuth2Token.call(context, BY_BEARER))
				: loginBy('sessionToken'),
	},
};

/** Whether an answer doesn't tell whose session it belongs to, if any. */
function isSilent({ status, json }: Answer, { method, path }: Request): boolean {
	if (FAIL_WITHOUT_SESSION.has(path)) return status === 500;
	const isList = method === 'GET' && status < 300 && !isRecord(json);
	return isList && !SESSION_CALLS.has(path) && !ALIKE_FOR_ALL.test(path);
}

function isGone({ status, text, json }: Answer, { path }: Request): boolean {
	if (SESSION_CALLS.has(path) || isPrivateRss(status, path)) return false;
	if (status === 401) return true;
	if (status === 403 && text.trim() === '') return true;
	return isRecord(json) && json.authenticated === false;
}

function multipart(body: Record<string, unknown>): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(body)) {
		if (value instanceof File) form.append(name, value, value.name);
		else if (value !== undefined) form.append(name, String(value));
	}
	return form;
}

function refusal(answer: Answer, request: Request): ApiFailure | undefined {
	const { json, status } = answer;
	if (isRecord(json)) return refusalOf(json, status, request);
	if (isPrivateRss(status, request.path)) {
		return {
			message: 'The share feed is private: its RSS is for nobody, not even for followers',
			description: 'Get Many gives its stories to those who may follow the user.',
		};
	}
	if (status === 404) {
		return {
			message: `The news reader service knows nothing at ${request.path}`,
			description: 'Check the ID, and the Base URL of the credential.',
		};
	}
	const isExpected = status < 300 && ((request.accepts ?? 'json') !== 'json' || isList(json, request));
	return isExpected ? undefined : unexpectedAnswer(newsReader.name, request.path, looksLike(answer));
}

/** Lists come bare, and so do the outcomes of the entries of a batch: then not none (seen in the wild). */
const isList = (json: unknown, { method, partial = false }: Request): boolean =>
	Array.isArray(json) && (method === 'GET' || (partial && json.some(isRecord)));

function refusalOf(json: Record<string, unknown>, status: number, request: Request): ApiFailure | undefined {
	const code = Number(toText(json.code));
	const complaints = textsOf(json.errors);
	const isRefusal = code < 0 || complaints.length > 0;
	const isFailure = isRefusal || json.result === 'error' || status >= 400;
	if (isFailure) {
		const words = [...complaints, ...textsOf(json.message), ...textsOf(json.error), ...textsOf(json.text)];
		return {
			message: [...new Set(words)].join(' ') || `The service refused ${request.path} and gave no reason`,
			description: `The service refused ${request.method} ${request.path} (status ${status}).`,
			// This it says, too, of what it did but could not tell of (seen in the wild).
			unclear: !isRefusal && json.result === 'error',
		};
	}
	const says = 'authenticated' in json || 'code' in json || json.result === 'ok';
	return says || request.method === 'GET'
		? undefined
		: unexpectedAnswer(newsReader.name, request.path, `JSON of another shape (status ${status})`);
}

/** The RSS of a private user is refused like a session that is gone (seen in the wild). */
const isPrivateRss = (status: number, path: string): boolean =>
	status === 403 && path.startsWith('/social/rss/');

/** All texts in a message, a list of messages, or messages by field. */
function textsOf(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value];
	if (Array.isArray(value)) return value.flatMap(textsOf);
	return isRecord(value) ? Object.values(value).flatMap(textsOf) : [];
}

const MASKED = '***';
/** A member's name as the service or we write it. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
/** Records whose address is private: it carries the account's token. */
const PRIVATE_LISTS = new Set(['starredcounts', 'savedsearches']);
const TOKENS = new Set(['shareexttoken', 'secrettoken']);

/** Masks the account's long-lived token wherever an answer brings it (seen in the wild). */
function mask(json: IDataObject, { includeSecrets = [] }: { includeSecrets?: string[] }): IDataObject {
	const wanted = new Set(includeSecrets.map(plain));
	const told = json.share_ext_token ?? json.shareExtToken;
	const token = typeof told === 'string' ? told : '';
	const clean = (value: unknown, name: string, isPrivate: boolean): unknown => {
		const key = plain(name);
		if (Array.isArray(value))
			return value.map((entry) => clean(entry, key, PRIVATE_LISTS.has(key) || isPrivate));
		if (isRecord(value)) {
			return Object.fromEntries(
				Object.entries(value).map(([inner, member]) => [
					inner,
					clean(member, inner, isPrivate || PRIVATE_LISTS.has(key)),
				]),
			);
		}
		if (typeof value !== 'string' || value === '' || wanted.has(key)) return value;
		if (TOKENS.has(key)) return MASKED;
		if (key === 'privateaddress') return wanted.has('feedaddress') ? value : MASKED;
		const isAddress = key === 'feedaddress' && (isPrivate || isPrivateAddress(value));
		if (isAddress) return MASKED;
		return token && value.includes(token) ? value.split(token).join(MASKED) : value;
	};
	return clean(json, '', false) as IDataObject;
}

const isPrivateAddress = (address: string): boolean =>
	/\/(?:reader\/)?(?:starred_rss|folder_rss|saved_search_rss)\/|[?&]secret_token=/.test(address);
