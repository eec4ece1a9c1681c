import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { baseUrlOf } from './address';
import { unreachable } from './errors/messages';

/** What the tests of all credentials say, as far as n8n lets a test choose its words. */

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
