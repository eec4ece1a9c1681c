/** Shared by all credentials: their address, their connection, and the messages and rules of their tests. */
import { isDomainAllowed, type ICredentialDataDecryptedObject, type INodeProperties } from 'n8n-workflow';
import { name, repository, version } from '../../package.json';
import { DOMAIN_NAME } from './addresses';
import type { FailureDetails } from './api-types';
import {
	blockedByN8n,
	forbiddenDomain,
	LOGIN_FAILED,
	loginUnavailable,
	NO_BASE_URL,
	noZone,
	unreachable,
} from './errors/messages';
import { isBlank, toBoolean, TRAILING_SLASHES } from './values';

/**
 * Names the package to the services, which otherwise see all users of n8n as one client. A function, so that the bundler
 * leaves it out of files that send nothing.
 */
export const userAgent = (): string =>
	`${name}/${version} (+${repository.url.replace(/^git\+|\.git$/g, '')})`;

/** This machine, which gets http: the request doesn't leave it. Matches the empty text before it, as `DOMAIN_NAME` does. */
const LOOPBACK = /^(?=(localhost|127(\.\d{1,3}){3}|\[::1\])([:/]|$))/i;
const ADDRESS = /^https?:\/\/[^@?#]+$/i;

/**
 * The end of an expression: turns the text before it into a plain web address, without trailing slashes. Adds a missing
 * scheme to this machine and to domain names only: other hosts may use http or https. A domain name gets https, so that
 * no secret is sent unencrypted. The result is empty if the text is not an address, or has a user name, query or fragment.
 */
export const PLAIN_ADDRESS = `.trim().replace(${LOOPBACK}, "http://").replace(${DOMAIN_NAME}, "https://").match(${ADDRESS})?.[0].replace(${TRAILING_SLASHES}, "") ?? ""`;

/** The Base URL of a credential in normal form; undefined if it is not a plain address. */
export function baseUrlOf({ baseUrl }: ICredentialDataDecryptedObject): string | undefined {
	const written = String(baseUrl ?? '')
		.trim()
		.replace(LOOPBACK, 'http://')
		.replace(DOMAIN_NAME, 'https://');
	if (!ADDRESS.test(written) || !URL.canParse(written)) return undefined;
	const { origin, pathname } = new URL(written);
	return `${origin}${pathname.replace(TRAILING_SLASHES, '')}`;
}

export const mayReach = (
	url: string,
	{ allowedHttpRequestDomains, allowedDomains }: ICredentialDataDecryptedObject,
): boolean =>
	allowedHttpRequestDomains !== 'domains' ||
	(!isBlank(allowedDomains) && isDomainAllowed({ url, allowedDomains: String(allowedDomains) }));

/** Time zones that exist. Cached, because a check is slow. */
const zones = new Set<string>();

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
		description: 'How long a request and its response may take; a login may take at most 30',
	},
	{
		displayName: 'Read Only',
		name: 'readOnly',
		type: 'boolean',
		default: false,
		description:
			'Whether the nodes of this package may only read with this credential. Every GET of API Request counts as reading; n8n’s HTTP Request node ignores this.',
	},
];

const DEFAULT_TIMEOUT_MS = 300_000;
/** Short, because all requests of the account wait for a login. A login usually takes a second or two. */
const LONGEST_LOGIN_MS = 30_000;
/** Node.js fires timers beyond 2^31 - 1 ms immediately; the timer of a request may include a login. */
const LONGEST_REQUEST_MS = 2 ** 31 - 1 - LONGEST_LOGIN_MS;

/** How long a request may take, until the end of its response, in whole milliseconds. */
export function timeLimitOf({ timeout }: ICredentialDataDecryptedObject): number {
	const ms = Math.ceil(Number(timeout) * 1000);
	return ms > 0 ? Math.min(ms, LONGEST_REQUEST_MS) : DEFAULT_TIMEOUT_MS;
}

export const loginLimitOf = (credentials: ICredentialDataDecryptedObject): number =>
	Math.min(timeLimitOf(credentials), LONGEST_LOGIN_MS);

export const connectionOf = (credentials: ICredentialDataDecryptedObject) => ({
	...(isOn(credentials.ignoreSSLIssues) && { skipSslCertificateValidation: true }),
	timeout: timeLimitOf(credentials),
});

/** Whether a switch is on. n8n's variables are texts, so whatever is not clearly off counts as on. */
export const isOn = (value: unknown): boolean => !isBlank(value) && toBoolean(value) !== false;

// Messages of credential tests. For other failures, n8n shows its own.

export const REDIRECTED =
	'The service redirects from this Base URL: enter the address to which it moved, for example with https://, or let n8n past the login page before it';
export const BUSY = 'The service accepts no more requests at the moment: try again in a minute';
export const FAILS = 'The service, or a proxy before it, fails at the moment: try again later';

/** The Base URL; throws if it is invalid or not allowed. An invalid one may contain a secret and is not repeated. */
export function requireAddress(credentials: ICredentialDataDecryptedObject): string {
	const address = baseUrlOf(credentials);
	if (address === undefined) throw new Error(wordsOf(NO_BASE_URL));
	if (!mayReach(address, credentials)) throw new Error(wordsOf(forbiddenDomain(address)));
	return address;
}

export function requireZone(credentials: ICredentialDataDecryptedObject): void {
	const zone = zoneOf(credentials);
	if (!isZone(zone)) throw new Error(wordsOf(noZone(zone)));
}

const wordsOf = ({ message, description }: FailureDetails): string => `${message}. ${description}`;

export function noResponse(service: string, base: string, error: { code?: string; message: string }): Error {
	const failure = blockedByN8n(error) ?? unreachable(service, base, error.code ?? error.message);
	const words = wordsOf(failure);
	const isTemporary = failure.class === 'unavailable';
	const login = isTemporary ? loginUnavailable(service, words) : { ...failure, code: LOGIN_FAILED };
	return failedLogin(words, login);
}

/**
 * The error for a failed login: n8n shows `message`, the runtime reads the member `loginFailure`. It can't use
 * `instanceof`, because credentials and nodes are bundled separately.
 */
export const failedLogin = (message: string, loginFailure: FailureDetails): Error =>
	Object.assign(new Error(message), { loginFailure });

/** Rules of a credential test: the message for each of these statuses. */
export const statusRules = (message: string, ...statuses: number[]) =>
	statuses.map((value) => ({ type: 'responseCode', properties: { value, message } }));

/** Rules of a credential test: the message if the response's member `key` has one of these values. */
export const memberRules = (message: string, key: string, ...values: unknown[]) =>
	values.map((value) => ({ type: 'responseSuccessBody', properties: { key, value, message } }));

const SERVER_FAILURES = [500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530];
const REDIRECTS = [301, 302, 303, 307, 308];

/** Statuses that say nothing about the credential, and the rules for them. */
export const inconclusive = {
	statuses: [...REDIRECTS, 429, ...SERVER_FAILURES],
	rules: [
		...statusRules(REDIRECTED, ...REDIRECTS),
		...statusRules(BUSY, 429),
		...statusRules(FAILS, ...SERVER_FAILURES),
	],
};
