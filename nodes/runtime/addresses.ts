import { scalarText, TRAILING_SLASHES } from './values';

/**
 * An address for comparisons, as the URL parser writes it: the host in lower case and punycode, no default port, `/` after
 * the host. Percent-encoding in capitals, and only where it is needed. Undefined if it is no address with http or https.
 */
export function canonicalAddress(written: unknown): string | undefined {
	const text = scalarText(written)?.trim() ?? '';
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
	return new URL(text).href.replace(/%[\da-f]{2}/gi, (escape) => {
		const character = String.fromCharCode(parseInt(escape.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
	});
}

/** Whether both are addresses, and the same one. */
export const isSameAddress = (one: unknown, other: unknown): boolean => {
	const address = canonicalAddress(one);
	return address !== undefined && address === canonicalAddress(other);
};

/** Matches the empty text before a domain name that starts an address without a scheme: `replace` inserts the scheme there. */
export const DOMAIN_NAME = /^(?=([\p{L}\p{M}\p{N}-]+\.)+([\p{L}\p{M}]{2,}|xn--[a-z\d-]+)(:\d+)?([/?#]|$))/iu;

/** An address with a scheme: its own, or else `https`. */
export const withScheme = (value: unknown): string | undefined => {
	const address = scalarText(value)?.trim();
	return address && (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`);
};

/** Whether two addresses differ at most in their scheme and in slashes at the end. An origin needs the same scheme. */
export function isSimilarAddress(one: unknown, other: unknown): boolean {
	const [first, second] = [one, other].map((written) => canonicalAddress(withScheme(written)));
	if (first === undefined || second === undefined) return false;
	const [path, otherPath] = [first, second].map((address) =>
		address.replace(/^https?:\/\//, '').replace(TRAILING_SLASHES, ''),
	);
	return first === second || (path === otherPath && path?.includes('/') === true);
}
