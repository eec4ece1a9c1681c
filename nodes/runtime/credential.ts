/** Shared by all credentials: the address, how to connect to it, and the sentences of their tests. */
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { name, repository, version } from '../../package.json';
import { noZone, unreachable } from './errors/messages';

/**
 * Names the package to the services, which otherwise see all users of n8n as one client. A function, so that the bundler
 * leaves it out of files that send nothing.
 */
export const userAgent = (): string =>
	`${name}/${version} (+${repository.url.replace(/^git\+|\.git$/g, '')})`;

// These two match the place before an address without a scheme, so that `replace` inserts one there.

/** This machine: nothing leaves it, and nothing on it is encrypted. */
const LOOPBACK = /^(?=(localhost|127(\.\d{1,3}){3}|\[::1\])([:/]|$))/i;
/** A domain name with an optional port or path. Secrets are sent there encrypted or not at all. */
const DOMAIN = /^(?=([\p{L}\p{N}-]+\.)+\p{L}{2,}(:\d+)?(\/|$))/iu;
const ADDRESS = /^https?:\/\/[^@?#]+$/i;

/**
 * Appended to a text in an expression, gives the web address in it without slashes at its end; an empty text if it holds
 * more than an address. A missing scheme is added to this machine and to domain names; other hosts may use either.
 */
export const PLAIN_ADDRESS = `.trim().replace(${LOOPBACK}, "http://").replace(${DOMAIN}, "https://").match(${ADDRESS})?.[0].replace(/\\/+$/, "") ?? ""`;

/** The Base URLs that were parsed last, by their text: every request parses one. */
const addresses = new Map<string, string | undefined>();
const MOST_ADDRESSES = 100;

/** The Base URL of a credential as `PLAIN_ADDRESS` gives it; undefined if it is invalid or holds more than an address. */
export function baseUrlOf({ baseUrl }: ICredentialDataDecryptedObject): string | undefined {
	const written = String(baseUrl ?? '');
	if (!addresses.has(written)) {
		if (addresses.size >= MOST_ADDRESSES) addresses.clear();
		addresses.set(written, plainAddress(written));
	}
	return addresses.get(written);
}

function plainAddress(text: string): string | undefined {
	const written = text.trim().replace(LOOPBACK, 'http://').replace(DOMAIN, 'https://');
	if (!ADDRESS.test(written) || !URL.canParse(written)) return undefined;
	const { origin, pathname } = new URL(written);
	return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Time zones known to exist: to check one takes a tenth of the time of a request. */
const zones = new Set<string>();

/** Whether a time zone of this name exists. */
export function isZone(name: string): boolean {
	if (zones.has(name)) return true;
	try {
		Intl.DateTimeFormat('en', { timeZone: name });
		zones.add(name);
		return true;
	} catch {
		return false;
	}
}

/** The zone of the clock by which a host writes dates. */
export const zoneOf = ({ timeZone }: ICredentialDataDecryptedObject): string =>
	String(timeZone ?? '').trim() || 'UTC';

/** Fields of all credentials. n8n's OAuth 2.0 reads `ignoreSSLIssues` as well. */
export const connectionFields: INodeProperties[] = [
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'ignoreSSLIssues',
		type: 'boolean',
		default: false,
		description: 'Whether to connect even if SSL certificate validation is not possible',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		default: 300,
		description: 'How long a request may take, until the end of its response',
	},
	{
		displayName: 'Read Only',
		name: 'readOnly',
		type: 'boolean',
		default: false,
		description:
			'Whether nodes may only read with this credential: requests that change something fail before they are sent. Useful where an AI agent uses it.',
	},
];

const DEFAULT_TIMEOUT_MS = 300_000;
/** A login takes a second or two. Requests of the whole account wait for it. */
const LONGEST_LOGIN_MS = 30_000;
/** The longest timer of Node.js, less a login, which has time of its own. Node.js fires longer timers immediately. */
const LONGEST_REQUEST_MS = 2 ** 31 - 1 - LONGEST_LOGIN_MS;

/** How long one request may take, in whole milliseconds, its response included. */
export const timeLimitOf = ({ timeout }: ICredentialDataDecryptedObject): number =>
	Math.min(Number(timeout) > 0 ? Math.ceil(Number(timeout) * 1000) : DEFAULT_TIMEOUT_MS, LONGEST_REQUEST_MS);

/** How long a login may take, in milliseconds. */
export const loginLimitOf = (credentials: ICredentialDataDecryptedObject): number =>
	Math.min(timeLimitOf(credentials), LONGEST_LOGIN_MS);

/** Options of n8n's HTTP helper. */
export const connectionOf = (credentials: ICredentialDataDecryptedObject) => ({
	...(credentials.ignoreSSLIssues === true && { skipSslCertificateValidation: true }),
	timeout: timeLimitOf(credentials),
});

/** Whether a credential may only be used for reading. */
export const isReadOnly = ({ readOnly }: ICredentialDataDecryptedObject): boolean => readOnly === true;

// The sentences of credential tests. n8n chooses some itself.

const NO_ADDRESS =
	'The Base URL is not a plain web address: begin it with https:// (or http:// in your own network), and leave out user name, password, question mark and #';
export const REDIRECTED =
	'The service redirects from this Base URL: enter the address that it leads to, for example with https://';
export const BUSY = 'The service accepts no more requests at the moment: test again in a minute';
export const FAILS = 'The service, or a proxy before it, fails at the moment: test again later';

/** Refuses an invalid Base URL before anything is sent. Does not repeat it, for it may hold a secret. */
export function requireAddress(credentials: ICredentialDataDecryptedObject): string {
	const address = baseUrlOf(credentials);
	if (address === undefined) throw new Error(NO_ADDRESS);
	return address;
}

/** Refuses an unknown time zone. */
export function requireZone(credentials: ICredentialDataDecryptedObject): void {
	const zone = zoneOf(credentials);
	if (!isZone(zone)) throw new Error(`${noZone(zone).message}. ${noZone(zone).description}`);
}

/** The error of a login without a response: the reason, and what to do. */
export function noResponse(service: string, base: string, error: { code?: string; message: string }): Error {
	const { message, description } = unreachable(service, base, error.code ?? error.message);
	return failedLogin('unavailable', `${message}. ${description}`);
}

/**
 * The error of a login. `login` says to the runtime whether the service refused it, or trying later may help. It is a
 * member, not a class: n8n wraps the error, and the bundle of a credential is not that of the nodes.
 */
export const failedLogin = (login: 'refused' | 'unavailable' | 'timedOut', message: string): Error =>
	Object.assign(new Error(message), { login });

/** A sentence for each status. */
export const ofStatus = (message: string, ...statuses: number[]) =>
	statuses.map((value) => ({ type: 'responseCode', properties: { value, message } }));

/** A sentence for each value of a member of the response. */
export const ofMember = (message: string, key: string, ...values: unknown[]) =>
	values.map((value) => ({ type: 'responseSuccessBody', properties: { key, value, message } }));

const UNAVAILABLE = [429, 500, 502, 503, 504];
const REDIRECTS = [301, 302, 303, 307, 308];

/** Statuses that say nothing about the credential, with their sentences. */
export const inconclusive = {
	statuses: [...REDIRECTS, ...UNAVAILABLE],
	rules: [
		...ofStatus(REDIRECTED, ...REDIRECTS),
		...ofStatus(BUSY, 429),
		...ofStatus(FAILS, 500, 502, 503, 504),
	],
};
