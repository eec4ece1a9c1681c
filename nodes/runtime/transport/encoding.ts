/** How values are written in queries and forms, and how the text of a response is read. */

/** A query string: lists repeat the name, undefined values and null are left out. */
export function queryString(query: Record<string, unknown> = {}): string {
	const encoded = encodeForm(query).toString();
	return encoded === '' ? '' : `?${encoded}`;
}

/** A form-encoded body: lists repeat the name, undefined values and null are left out. */
export function encodeForm(values: Record<string, unknown>): URLSearchParams {
	const encoded = new URLSearchParams();
	for (const [name, value] of Object.entries(values)) {
		for (const entry of Array.isArray(value) ? value : [value]) {
			if (entry === undefined || entry === null) continue;
			encoded.append(name, typeof entry === 'object' ? JSON.stringify(entry) : String(entry));
		}
	}
	return encoded;
}

/** How many bytes of a document are searched for its charset: as many as browsers search. */
const SEARCHED_BYTES = 1024;

/** The text of a response, in the charset that its Content-Type names, or else the document itself; by default UTF-8. */
export function textOf(bytes: Buffer, contentType: unknown): string {
	const [, named] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(String(contentType ?? '')) ?? [];
	return decodedAs(named ?? charsetIn(bytes) ?? 'utf-8', bytes);
}

/** The charset that the first bytes show, or that an HTML or XML document declares. */
function charsetIn(bytes: Buffer): string | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
	const start = bytes.subarray(0, SEARCHED_BYTES).toString('latin1');
	const xml = /^\s*<\?xml\s[^<>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(start);
	const html = /<meta\s[^<>]*?charset\s*=\s*["']?([\w.:-]+)/i.exec(start);
	const declared = (xml ?? html)?.[1];
	// A declaration that is readable in single bytes is not in UTF-16.
	return declared === undefined || /^(?:utf-?16|ucs-?2)/i.test(declared) ? undefined : declared;
}

function decodedAs(charset: string, bytes: Buffer): string {
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}
