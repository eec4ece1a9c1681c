import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { detect } from 'jschardet';

/** Byte order marks, and the first bytes of `<?` in UTF-16 documents that lack one. */
const SIGNATURES: { bytes: number[]; encoding: string }[] = [
	{ bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
	{ bytes: [0xff, 0xfe], encoding: 'utf-16le' },
	{ bytes: [0xfe, 0xff], encoding: 'utf-16be' },
	{ bytes: [0x3c, 0x00, 0x3f, 0x00], encoding: 'utf-16le' },
	{ bytes: [0x00, 0x3c, 0x00, 0x3f], encoding: 'utf-16be' },
];

/** As browsers do: both labels are used for text that is really windows-1252. */
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
		// A document whose declaration can be read byte by byte is not UTF-16, whatever it claims.
		const encoding = known(pattern.exec(head)?.[1]);
		if (encoding) return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
	}
	return undefined;
}

/** Below this the detector guesses, and Western European text is the likelier guess. */
const LEAST_CONFIDENCE = 0.05;
/** How many bytes it looks at. */
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
	// Web servers often announce latin1 for every text file; a document that declares UTF-8 and is UTF-8 is right.
	if (declared === 'utf-8' && valid) return 'utf-8';
	const candidates = [byHeader(contentType), declared, 'utf-8'].filter((name) => name !== undefined);
	return candidates.find((name) => name !== 'utf-8' || valid) ?? byContent(bytes);
}

/**
 * Text of a fetched or uploaded document (feed, OPML, HTML).
 * The encoding is that of the byte order mark, the HTTP header, the XML prolog or `<meta charset>`, else UTF-8;
 * bytes that are not UTF-8 and have no declared encoding are read in the most likely one.
 */
export function decodeText(bytes: Uint8Array, contentType?: string): string {
	return iconv.decode(Buffer.from(bytes), encodingOf(bytes, contentType));
}
