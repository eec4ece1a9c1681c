import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { parseXml } from '../../../vendor/xml';
import { isRecord } from '../../runtime/values';
import { namesIn, pathOf } from './folders';

/** A feed of a subscription list; `folder` is its path, empty at the top level. */
export interface Subscription {
	url: string;
	title?: string;
	folder?: string;
}

/** An OPML outline: a feed or, without a URL, a folder. */
interface Outline {
	title: string;
	url?: string;
	outlines: Outline[];
}

/** More levels of folders than anybody has. */
const MAX_LEVELS = 100;

/** The encoding that an XML document declares. */
const DECLARED = /^(\s*<\?xml[^>]*?\sencoding\s*=\s*)(["'])([\w.:-]+)\2/;

/**
 * The text of an XML document, declared as UTF-8. Decodes the encoding that the first bytes show, or else the declared
 * encoding, or else UTF-8. Throws if the bytes can't be decoded.
 */
export function decodeXml(bytes: Uint8Array): string {
	const encoding = encodingOf(bytes);
	const xml = decodeAs(encoding, bytes);
	if (xml === undefined) throw new Error(`it can't be read as ${encoding}`);
	return declaredUtf8(xml);
}

/** The XML of a response, decoded from its own encoding; if that fails, from UTF-8. */
export function xmlIn({ bytes, text }: ApiResponse): string {
	try {
		return decodeXml(bytes);
	} catch {
		return text;
	}
}

/** The same text with UTF-8 as the declared encoding, if it declares one. Throws if it is empty. */
export function declaredUtf8(xml: string): string {
	if (xml.trim() === '') throw new Error('it is empty');
	return xml
		.trimStart()
		.replace(DECLARED, (declaration, head: string, quote: string, name: string) =>
			/^utf-?8$/i.test(name) ? declaration : `${head}${quote}UTF-8${quote}`,
		);
}

function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function encodingOf(bytes: Uint8Array): string {
	const [first, second] = bytes;
	if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
	if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
	const start = String.fromCharCode(...bytes.subarray(0, 200));
	const declared = DECLARED.exec(start)?.[3] ?? 'utf-8';
	// A declaration that is readable here is in single bytes, so not in UTF-16.
	return /^utf-?16|^ucs-?2/i.test(declared) ? 'utf-8' : declared;
}

/** The feeds of an OPML document, each with the path of its folder. Throws if it isn't one. */
export function feedsOfOpml(xml: string): IDataObject[] {
	const { opml } = parseXml(xml);
	if (!isRecord(opml) || !('body' in opml)) throw new Error('it is not OPML');
	return isRecord(opml.body) ? feedsIn(opml.body.outline, []) : [];
}

function feedsIn(outlines: unknown, folders: string[]): IDataObject[] {
	return (Array.isArray(outlines) ? outlines : [outlines]).filter(isRecord).flatMap((outline) => {
		const name = String(outline['@_title'] ?? outline['@_text'] ?? '');
		const url = outline['@_xmlUrl'];
		if (typeof url !== 'string') return feedsIn(outline.outline, [...folders, name]);
		const website = outline['@_htmlUrl'];
		return [{ title: name, url, website: website || null, folder: pathOf(folders) } as IDataObject];
	});
}

/** An OPML document of these feeds, with the folders in their paths. Throws if these have too many levels. */
export function opmlOf(feeds: readonly Subscription[]): string {
	const top: Outline[] = [];
	for (const { url, title, folder } of feeds) {
		const names = namesIn(folder ?? '');
		if (names.length > MAX_LEVELS) {
			throw new Error(`it has folders nested more than ${MAX_LEVELS} levels deep`);
		}
		names.reduce(inside, top).push({ title: title ?? url, url, outlines: [] });
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
<head><title>Subscriptions</title></head>
<body>
${top.map(elementOf).join('')}</body>
</opml>
`;
}

/** The contents of the folder with this name, which is created if it is missing. */
function inside(outlines: Outline[], name: string): Outline[] {
	const known = outlines.find(({ title, url }) => title === name && url === undefined);
	const folder = known ?? { title: name, outlines: [] };
	if (!known) outlines.push(folder);
	return folder.outlines;
}

function elementOf({ title, url, outlines }: Outline): string {
	const name = escaped(title);
	const feed = url === undefined ? '' : ` type="rss" xmlUrl="${escaped(url)}"`;
	return `<outline text="${name}" title="${name}"${feed}>\n${outlines.map(elementOf).join('')}</outline>\n`;
}

/** Escapes the characters that have a meaning in an attribute's value. */
const escaped = (text: string): string =>
	text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
