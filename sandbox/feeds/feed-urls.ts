/** Resolves `address` against `base`; undefined if the result is not an http(s) URL. */
export function absoluteUrl(address: string | undefined, base: string): string | undefined {
	const text = address?.trim();
	if (!text || !URL.canParse(text, URL.canParse(base) ? base : undefined)) return undefined;
	const url = new URL(text, URL.canParse(base) ? base : undefined);
	return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** A URL for messages: without credentials and query, which may contain secrets. */
export function displayUrl(address: string): string {
	if (!URL.canParse(address)) return address;
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname}`;
}
