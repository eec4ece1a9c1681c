import { convert } from 'html-to-text';
import { escapeHtml } from '../shared/html.ts';
import { createHash } from 'node:crypto';

/** Converts HTML to text: removes tags, decodes entities, separates paragraphs by a blank line. */
export function htmlToPlain(html: string): string {
	return convert(html, {
		wordwrap: false,
		selectors: [
			{ selector: 'a', options: { ignoreHref: true } },
			{ selector: 'img', format: 'skip' },
		],
	}).trim();
}

/** The text of a title, in one line. Feeds do not say reliably whether a title is HTML. */
export function plainTitle(text: string | undefined): string {
	const isHtml = /<\/?[a-z][^>]*>|&(?:#\w+|[a-z]\w*);/i.test(text ?? '');
	return (isHtml ? htmlToPlain(text ?? '') : (text ?? '')).replace(/\s+/g, ' ').trim();
}

/** Converts plain text to HTML: escapes it and keeps line breaks. */
export function plainToHtml(text: string): string {
	return escapeHtml(text).replace(/\r?\n/g, '<br />');
}

/** Resolves `address` against `base`; undefined if the result is not an http(s) URL. */
export function absoluteUrl(address: string | undefined, base?: string): string | undefined {
	const text = address?.trim();
	if (!text || !URL.canParse(text, base)) return undefined;
	const url = new URL(text, base);
	return /^https?:$/.test(url.protocol) ? url.href : undefined;
}

const inHeader = /charset\s*=\s*["']?([\w.:-]+)/i;
const inDocument = /<(?:\?xml[^>]*?\bencoding|meta[^>]*?\bcharset)\s*=\s*["']?([\w.:-]+)/i;

/** Decodes a fetched or uploaded document by the encoding in the HTTP header or in the document, otherwise as UTF-8. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
	const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
	const encoding = (inHeader.exec(contentType) ?? inDocument.exec(head))?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(encoding).decode(bytes);
	} catch (error) {
		if (error instanceof RangeError) return new TextDecoder().decode(bytes);
		throw error;
	}
}

export function sha1(text: string): string {
	return createHash('sha1').update(text).digest('hex');
}

/** The service's hash of a story: `<feed id>:<first six hex digits of the SHA-1 of the guid>`. */
export function storyHash(feedId: number, guid: string): string {
	return `${feedId}:${sha1(guid).slice(0, 6)}`;
}
