/** How values are written in queries and forms. */

/** A query string: lists repeat the name, undefined values are left out. */
export function queryString(query: Record<string, unknown> = {}): string {
	const encoded = encodeForm(query).toString();
	return encoded === '' ? '' : `?${encoded}`;
}

/** A form-encoded body: lists repeat the name, undefined values are left out. */
export function encodeForm(values: Record<string, unknown>): URLSearchParams {
	const encoded = new URLSearchParams();
	for (const [name, value] of Object.entries(values)) {
		for (const entry of Array.isArray(value) ? value : [value]) {
			if (entry === undefined) continue;
			encoded.append(name, typeof entry === 'object' ? JSON.stringify(entry) : String(entry));
		}
	}
	return encoded;
}
