import type { IDataObject } from 'n8n-workflow';
import { buildXml, parseXml } from '../../../vendor/xml';
import { isRecord } from '../../runtime/values';
import { PATH_SEPARATOR } from './folders';

/** A feed as a subscription list names it; `folder` is its path, empty at the top level. */
export interface Subscription {
	url: string;
	title?: string;
	folder?: string;
}

/** What OPML calls a feed or a folder. */
interface Outline {
	'@_text': string;
	'@_title': string;
	'@_type'?: 'rss';
	'@_xmlUrl'?: string;
	outline?: Outline[];
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
		return [
			{ title: name, url, website: website || null, folder: folders.join(PATH_SEPARATOR) } as IDataObject,
		];
	});
}

/** An OPML document of these feeds; folders are made as their paths ask for them. */
export function opmlOf(feeds: readonly Subscription[]): string {
	const top: Outline[] = [];
	for (const { url, title, folder } of feeds) {
		const names = folder ? folder.split(PATH_SEPARATOR) : [];
		const place = names.reduce(inside, top);
		place.push({ ...named(title ?? url), '@_type': 'rss', '@_xmlUrl': url });
	}
	return buildXml({
		'?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
		opml: { '@_version': '2.0', head: { title: 'Subscriptions' }, body: { outline: top } },
	});
}

const named = (name: string) => ({ '@_text': name, '@_title': name });

/** What is in the folder of this name, which is made if there is none. */
function inside(outlines: Outline[], name: string): Outline[] {
	const known = outlines.find((entry) => entry.outline && entry['@_title'] === name);
	const folder = known ?? { ...named(name), outline: [] };
	if (!known) outlines.push(folder);
	folder.outline ??= [];
	return folder.outline;
}
