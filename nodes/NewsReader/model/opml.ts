import type { IDataObject } from 'n8n-workflow';
import { parseXml } from '../../../vendor/xml';
import { textOf } from '../../runtime/transport/encoding';
import { isRecord } from '../../runtime/values';
import { namesIn, pathOf } from './folders';

/** A feed of a subscription list; `folder` is its path, empty at the top level. */
export interface Subscription {
	url: string;
	title?: string;
	folder?: string;
	website?: string;
}

/** An OPML outline: a feed or, without a URL, a folder. */
interface Outline {
	title: string;
	url?: string;
	website?: string;
	outlines: Outline[];
}

/** The encoding that an XML document declares. */
const DECLARED = /^(<\?xml[^>]*?)\sencoding\s*=\s*["'][\w.:-]*["']/;

/** The same document as UTF-8, which XML is without a declared encoding: the service reads no other. */
export const asUtf8 = (xml: string): string => xml.trimStart().replace(DECLARED, '$1');

/** The XML document in a file. Throws if some of it can't be decoded. */
export function xmlInFile(bytes: Buffer): string {
	const xml = textOf(bytes, undefined);
	if (xml.includes('\ufffd')) throw new Error('it is not in UTF-8, nor in the encoding that it declares');
	return asUtf8(xml);
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

/** An OPML document of these feeds, with the folders in their paths. */
export function opmlOf(feeds: readonly Subscription[]): string {
	const top: Outline[] = [];
	for (const { url, title, folder, website } of feeds) {
		namesIn(folder ?? '')
			.reduce(inside, top)
			.push({ title: title ?? url, url, website, outlines: [] });
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

function elementOf({ title, url, website, outlines }: Outline): string {
	const name = escaped(title);
	const feed = url === undefined ? '' : ` type="rss" xmlUrl="${escaped(url)}"`;
	const site = website === undefined ? '' : ` htmlUrl="${escaped(website)}"`;
	return `<outline text="${name}" title="${name}"${feed}${site}>\n${outlines.map(elementOf).join('')}</outline>\n`;
}

/** Escapes the characters that have a meaning in an attribute's value. */
const escaped = (text: string): string =>
	text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
