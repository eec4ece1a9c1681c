import iconv from 'iconv-lite';

const byteOrderMarks = [
	{ bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
	{ bytes: [0xff, 0xfe], encoding: 'utf-16le' },
	{ bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];
const inHeader = /charset\s*=\s*["']?([\w.:-]+)/i;
const inDocument = [
	/^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i,
	/<meta[^>]*?\bcharset\s*=\s*["']?([\w.:-]+)/i,
];

/**
 * Decodes a fetched or uploaded document (feed, OPML, HTML). The encoding is from the byte order mark, the HTTP header,
 * the XML prolog or `<meta charset>`, otherwise UTF-8.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
	const marked = byteOrderMarks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
	const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
	const declared = [inHeader.exec(contentType), ...inDocument.map((pattern) => pattern.exec(head))];
	const encodings = [marked?.encoding, ...declared.map((match) => match?.[1])];
	const encoding = encodings.find((name) => name !== undefined && iconv.encodingExists(name)) ?? 'utf-8';
	return iconv.decode(Buffer.from(bytes), encoding);
}
