import { canonicalAddress, DOMAIN_NAME, withScheme } from '../../runtime/addresses';
import { decoded } from '../../runtime/file-names';
import { TRAILING_SLASHES, toText } from '../../runtime/values';

/** The last part of an address: the alias of a short URL, the code of a QR code. It stays the same if the host is renamed. */
export const lastSegment = (address: unknown): string =>
	toText(address ?? '')
		.replace(TRAILING_SLASHES, '')
		.split('/')
		.at(-1) ?? '';

export function partsOfShortUrl(shortUrl: unknown): { domain?: string; alias?: string } {
	const text = toText(shortUrl ?? '');
	const segment = URL.canParse(text) ? lastSegment(shortUrl) : '';
	return segment === '' ? {} : { domain: new URL(text).origin, alias: decoded(segment) ?? segment };
}

/** A domain for comparisons: one without a scheme has https. Empty if there is none. */
export const domainKey = (domain: unknown): string => {
	const address = canonicalAddress(withScheme(domain));
	return address === undefined ? toText(domain ?? '').trim() : new URL(address).origin;
};

/** A short URL as services list it: with a scheme, the host in lower case, the alias as it is, no slash at the end. */
export const shortUrlOf = (url: unknown): string | undefined =>
	withScheme(url)
		?.replace(/^https?:\/\/[^/?#]+/i, domainKey)
		.replace(TRAILING_SLASHES, '');

export const otherScheme = (url: string): string =>
	url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:');

/** A target with `https://` if it begins with a domain name. Others, such as `mailto:` addresses, stay as typed. */
export const withHttps = (target: string | undefined): string | undefined =>
	target?.trim().replace(DOMAIN_NAME, 'https://');

export const targetKey = (url: unknown): string => {
	const target = toText(url ?? '').trim();
	return canonicalAddress(withHttps(target)) ?? target;
};

/** In characters: shorter texts would find many others, and servers refuse long queries. */
const SEARCH = { shortest: 3, longest: 500 };

/** The query that finds a target: by the longest part that is written as a browser writes it, or by such a host. */
export function targetSearch(url: unknown): Record<string, unknown> | undefined {
	const address = canonicalAddress(url);
	if (address === undefined) return { q: toText(url).trim() };
	const { hostname: host, pathname, search, hash } = new URL(address);
	const parts = `${pathname.slice(1)}${search}${hash}`.split(/~|%[\dA-F]{2}/);
	const [found = ''] = parts.filter((part) => toText(url).includes(part)).sort((a, b) => b.length - a.length);
	if (found.length >= SEARCH.shortest) return { q: found.slice(0, SEARCH.longest) };
	return host.includes('xn--') || !toText(url).toLowerCase().includes(host) ? undefined : { q: host };
}
