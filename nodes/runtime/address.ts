import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

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

/** The Base URL of a credential as `PLAIN` has it; undefined if it is none, or holds more than an address. */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): string | undefined {
	const written = String(credential.baseUrl ?? '')
		.trim()
		.replace(LOOPBACK, 'http://')
		.replace(DOMAIN, 'https://');
	if (!ADDRESS.test(written) || !URL.canParse(written)) return undefined;
	const { origin, pathname } = new URL(written);
	return `${origin}${pathname.replace(/\/+$/, '')}`;
}
