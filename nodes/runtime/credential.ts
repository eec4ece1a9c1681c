import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { noZone, unreachable } from './errors/messages';

/** What every credential has: an address, how to connect to it, and a test that answers in sentences. */

/** This machine: nothing leaves it, and nothing on it is encrypted. */
const LOOPBACK = /^(?=(localhost|127(\.\d{1,3}){3}|\[::1\])([:/]|$))/i;
/** A domain name, with a port or a path: a secret goes there encrypted, or not at all. */
const DOMAIN = /^(?=([\p{L}\p{N}-]+\.)+\p{L}{2,}(:\d+)?(\/|$))/iu;
const ADDRESS = /^https?:\/\/[^@?#]+$/i;

/**
 * In an expression, after a text: the address that it is, without slashes at its end; nothing if it holds more than an
 * address. A scheme that was left out is added where only one can be meant; other hosts and numbers may speak either.
 */
export const PLAIN = `.trim().replace(${LOOPBACK}, "http://").replace(${DOMAIN}, "https://").match(${ADDRESS})?.[0].replace(/\\/+$/, "") ?? ""`;

/** The addresses that were read last, by how they were written: every request asks for its own. */
const addresses = new Map<string, string | undefined>();
const MOST_ADDRESSES = 100;

/** The Base URL of a credential as `PLAIN` has it; undefined if it is none, or holds more than an address. */
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

/** The zones that there are, of those asked for: to find out takes a tenth of the time of a request. */
const zones = new Set<string>();

/** Whether there is a zone of that name. */
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

/** The zone of the clock by which a host writes dates; credentials of before have none. */
export const zoneOf = ({ timeZone }: ICredentialDataDecryptedObject): string =>
	String(timeZone ?? '').trim() || 'UTC';

/** How a credential connects: fields that all of them have, under the name that n8n's OAuth 2.0 reads as well. */
export const connectionFields: INodeProperties[] = [
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'ignoreSSLIssues',
		type: 'boolean',
		default: false,
		description: 'Whether to connect even if SSL certificate validation is not possible',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		default: 300,
		description: 'Seconds to wait for an answer',
	},
];

/** The same as options of n8n's HTTP helper; credentials of before have neither. */
export const connectionOf = ({ ignoreSSLIssues, timeout }: ICredentialDataDecryptedObject) => ({
	...(ignoreSSLIssues === true && { skipSslCertificateValidation: true }),
	...(Number(timeout) > 0 && { timeout: Number(timeout) * 1000 }),
});

// What the tests say, as far as n8n lets a test choose its words.

const NO_ADDRESS =
	'The Base URL is not a plain web address: begin it with https:// (or http:// in your own network), and leave out user name, password, question mark and #';
export const REDIRECTED =
	'The service redirects from this Base URL: enter the address that it leads to, for example with https://';
export const BUSY = 'The service takes no more requests at the moment: test again in a minute';
export const FAILS = 'The service, or a proxy before it, fails at the moment: test again later';

/** Refuses a Base URL that is none before anything is sent; what was written is not repeated, it may hold a secret. */
export function requireAddress(credentials: ICredentialDataDecryptedObject): string {
	const address = baseUrlOf(credentials);
	if (address === undefined) throw new Error(NO_ADDRESS);
	return address;
}

/** Refuses a time zone that there is not. */
export function requireZone(credentials: ICredentialDataDecryptedObject): void {
	const zone = zoneOf(credentials);
	if (!isZone(zone)) throw new Error(`${noZone(zone).message}. ${noZone(zone).description}`);
}

/** Why no answer came, and what to do. `noLogin` tells the runtime the code; as `code` n8n would show it to people. */
export function noAnswer(service: string, base: string, error: { code?: string; message: string }): Error {
	const { message, description } = unreachable(service, base, error.code ?? error.message);
	return withoutLogin(`${message}. ${description}`, error.code ?? error.message);
}

export const withoutLogin = (message: string, noLogin: string): Error =>
	Object.assign(new Error(message), { noLogin });

/** For each status the sentence that is said of it. */
export const ofStatus = (message: string, ...statuses: number[]) =>
	statuses.map((value) => ({ type: 'responseCode', properties: { value, message } }));

/** For each value of a member of the answer the sentence that is said of it. */
export const ofMember = (message: string, key: string, ...values: unknown[]) =>
	values.map((value) => ({ type: 'responseSuccessBody', properties: { key, value, message } }));

const AWAY = [429, 500, 502, 503, 504];
const REDIRECTS = [301, 302, 303, 307, 308];

/** Statuses that say nothing of the credential, and what is said of them. */
export const elsewhereOrAway = {
	statuses: [...REDIRECTS, ...AWAY],
	rules: [
		...ofStatus(REDIRECTED, ...REDIRECTS),
		...ofStatus(BUSY, 429),
		...ofStatus(FAILS, 500, 502, 503, 504),
	],
};
