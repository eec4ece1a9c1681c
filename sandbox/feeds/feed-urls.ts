/** `address` made absolute against `base`; undefined when it is no http(s) address. */
export function absoluteUrl(address: string | undefined, base: string): string | undefined {
	const text = address?.trim();
	if (!text || !URL.canParse(text, URL.canParse(base) ? base : undefined)) return undefined;
	const url = new URL(text, URL.canParse(base) ? base : undefined);
	return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** How an address is named in messages: without credentials and query, which may hold secrets. */
export function displayUrl(address: string): string {
	if (!URL.canParse(address)) return address;
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname}`;
}
