import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { detect } from 'jschardet';

/** Byte order marks, and the first bytes of `<?` in UTF-16 documents without a byte order mark. */
const SIGNATURES: { bytes: number[]; encoding: string }[] = [
	{ bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
	{ bytes: [0xff, 0xfe], encoding: 'utf-16le' },
	{ bytes: [0xfe, 0xff], encoding: 'utf-16be' },
	{ bytes: [0x3c, 0x00, 0x3f, 0x00], encoding: 'utf-16le' },
	{ bytes: [0x00, 0x3c, 0x00, 0x3f], encoding: 'utf-16be' },
];

/** Like browsers: publishers use both labels for windows-1252. */
const ALIASES: Record<string, string> = {
	'iso-8859-1': 'windows-1252',
	latin1: 'windows-1252',
	'us-ascii': 'windows-1252',
	ascii: 'windows-1252',
};

const DECLARATIONS = [
	/^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i,
	/<meta[^>]*?\bcharset\s*=\s*["']?([\w.:-]+)/i,
];

function known(label: string | null | undefined): string | undefined {
	if (!label) return undefined;
	const name = label.trim().toLowerCase();
	const encoding = ALIASES[name] ?? name;
	return iconv.encodingExists(encoding) ? encoding : undefined;
}

function bySignature(bytes: Uint8Array): string | undefined {
	return SIGNATURES.find(({ bytes: mark }) => mark.every((byte, i) => bytes[i] === byte))?.encoding;
}

function byHeader(contentType: string | undefined): string | undefined {
	return known(/charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1]);
}

function byDeclaration(bytes: Uint8Array): string | undefined {
	const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
	for (const pattern of DECLARATIONS) {
		// A document whose declaration is readable as ASCII is not UTF-16, even if it declares that.
		const encoding = known(pattern.exec(head)?.[1]);
		if (encoding) return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
	}
	return undefined;
}

/** Below this confidence, the detector's result is unreliable, and Western European text is more likely. */
const LEAST_CONFIDENCE = 0.05;
/** Number of bytes that the detector reads. */
const LOOKED_AT = 64 * 1024;

function byContent(bytes: Uint8Array): string {
	const { encoding, confidence } = detect(Buffer.from(bytes.subarray(0, LOOKED_AT)));
	return (confidence >= LEAST_CONFIDENCE && known(encoding)) || 'windows-1252';
}

function encodingOf(bytes: Uint8Array, contentType: string | undefined): string {
	const signed = bySignature(bytes);
	if (signed) return signed;
	const declared = byDeclaration(bytes);
	const valid = isUtf8(bytes);
	// Web servers often declare latin1 for every text file, so a valid UTF-8 declaration in the document has precedence.
	if (declared === 'utf-8' && valid) return 'utf-8';
	const candidates = [byHeader(contentType), declared, 'utf-8'].filter((name) => name !== undefined);
	return candidates.find((name) => name !== 'utf-8' || valid) ?? byContent(bytes);
}

/**
 * Decodes a fetched or uploaded document (feed, OPML, HTML).
 * The encoding is from the byte order mark, the HTTP header, the XML prolog or `<meta charset>`, otherwise UTF-8.
 * If it is not declared and the bytes are not UTF-8, the encoding is detected.
 */
export function decodeText(bytes: Uint8Array, contentType?: string): string {
	return iconv.decode(Buffer.from(bytes), encodingOf(bytes, contentType));
}
