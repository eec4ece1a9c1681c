import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { parseXml } from '../../../vendor/xml';
import { canonicalAddress } from '../../runtime/addresses';
import { textOf } from '../../runtime/transport/encoding';
import { isRecord, getOrCreate, toInteger } from '../../runtime/values';
import { namesIn, pathOf, areSame, foldersOf } from './folders';
import { readSubscriptions } from './subscriptions';

/** A feed of a subscription list; `folder` is its path, empty at the top level. */
export interface Subscription extends IDataObject {
	url: string;
	title?: string;
	folder?: string;
	website?: string | null;
}

interface Outline extends Partial<Subscription> {
	title: string;
	outlines: Outline[];
}

/** The XML document in a file. Throws if some of it can't be decoded. */
export function xmlInFile(bytes: Buffer): string {
	const xml = textOf(bytes, undefined);
	if (xml.includes('\ufffd')) throw new Error('it is not in UTF-8, nor in the encoding that it declares');
	return xml;
}

/** The feeds of an OPML document, each with the path of its folder. Throws if it isn't one. */
export function feedsOfOpml(xml: string): Subscription[] {
	const { opml } = parseXml(xml.trimStart());
	if (!isRecord(opml) || !('body' in opml)) throw new Error('it is not OPML');
	return isRecord(opml.body) ? feedsIn(opml.body.outline, []) : [];
}

function feedsIn(outlines: unknown, folders: string[]): Subscription[] {
	return (Array.isArray(outlines) ? outlines : [outlines]).filter(isRecord).flatMap((outline) => {
		// Some readers write the names of attributes in another case.
		const attributes = Object.entries(outline).map(([name, value]) => [name.toLowerCase(), value]);
		const attribute = (name: string): string => String(Object.fromEntries(attributes)[`@_${name}`] ?? '');
		const [text, title, url] = [attribute('text'), attribute('title'), attribute('xmlurl')];
		// The service names a folder by its text, and a feed by its title (seen in the wild).
		if (!url) return feedsIn(outline.outline, [...folders, text || title]);
		return [{ title: title || text, url, website: attribute('htmlurl') || null, folder: pathOf(folders) }];
	});
}

/** The service takes an address without a scheme for a feed of its own, and can't read `feed:` (seen in the wild). */
export function webAddress(url: string): string {
	const address = url.trim().replace(/^feed:(?:\/\/)?(https?:\/\/)?/i, (_, scheme = 'http://') => scheme);
	// In `localhost:8080` a port follows the colon; in `newsletter:12:ada@example.com`, not.
	const complete = /^[a-z][a-z\d+.-]*:(?!\d+(?:[/?#]|$))/i.test(address) ? address : `https://${address}`;
	return canonicalAddress(complete) ?? complete;
}

/** An OPML document of these feeds, with the folders in their paths. A feed without a title keeps its own. */
export function opmlOf(feeds: readonly Subscription[]): string {
	const top: Outline[] = [];
	for (const { url, title, folder, website } of feeds) {
		namesIn(folder ?? '')
			.reduce(inside, top)
			.push({ title: title ?? '', url, website, outlines: [] });
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
<head><title>Subscriptions</title></head>
<body>
${top.map(elementOf).join('')}</body>
</opml>
`;
}

/** The contents of a folder, which is created if it is missing. */
function inside(outlines: Outline[], name: string): Outline[] {
	const known = outlines.find(({ title, url }) => title === name && url === undefined);
	const folder = known ?? { title: name, outlines: [] };
	if (!known) outlines.push(folder);
	return folder.outlines;
}

function elementOf({ title, url, website, outlines }: Outline): string {
	const name = escaped(title);
	const feed = url === undefined ? '' : ` type="rss" xmlUrl="${escaped(url)}"`;
	const site = website ? ` htmlUrl="${escaped(website)}"` : '';
	return `<outline text="${name}" title="${name}"${feed}${site}>\n${outlines.map(elementOf).join('')}</outline>\n`;
}

const escaped = (text: string): string =>
	text
		.replace(/[^\t\n\r -\ufffd\u{10000}-\u{10ffff}]/gu, '') // XML has no such characters.
		.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The service's tree of folders: feed ids, and objects with a folder's name and contents. */
type Tree = unknown[];

export interface SubscribedFeeds {
	tree: Tree;
	/** By address in the form of `feedAddress`, and by its key. The service may have several feeds with one. */
	ids: Map<string, number[]>;
}

export async function subscribedFeeds(api: Api): Promise<SubscribedFeeds> {
	const { tree, feeds } = await readSubscriptions(api);
	const ids = new Map<string, number[]>();
	for (const { id, feed_address: address } of feeds) {
		const number = toInteger(id);
		if (number === undefined) continue;
		const key = addressKey(String(address));
		for (const each of new Set([key, feedAddress(address) ?? key])) {
			getOrCreate(ids, each, (): number[] => []).push(number);
		}
	}
	if (Array.isArray(tree)) return { tree, ids };
	throw api.apiError('The service did not return your folders', 'Try again later.');
}

/** A web address as the service stores it, without `utm_source`; undefined if a list stops half-way there (seen in the wild). */
export function feedAddress(written: unknown): string | undefined {
	const address = canonicalAddress(written)
		?.replace(/utm_source=[^&]+&?/g, '')
		.replace(/[&?]*#?$/, '');
	if (address === undefined) return undefined;
	const { hostname, pathname, search, hash } = new URL(address);
	if (hostname.split('.').some((label) => label === '' || label.length > 63)) return undefined;
	// The service decodes what is ASCII, except # % & ? and \.
	const decoded = (text: string): string => text.replace(/%(?!2[356]|5C)[2-7][\dA-F]/g, decodeURIComponent);
	const origin = address.slice(0, address.indexOf('/', 'https://'.length));
	const query = decoded(search.slice(1)).split('&').sort().join('&');
	return `${origin}${decoded(pathname).replace(/\/+/g, '/')}${query && `?${query}`}${hash}`;
}

/** Leaves out what the service can change: the scheme, and a slash at the end. */
export const addressKey = (address: string): string =>
	(feedAddress(address) ?? address.trim()).replace(/^https?:\/\/|\/?(#.*)?$|\/(?=\?)/g, '');

function place(tree: Tree, [name, ...inner]: string[], feedId: number): void {
	if (name === undefined) {
		if (!tree.some((entry) => toInteger(entry) === feedId)) tree.push(feedId);
		return;
	}
	const folders = tree.filter(isRecord).flatMap((entry) => Object.entries(entry as Record<string, Tree>));
	const existing = folders.find(([other]) => areSame([other], [name]))?.[1];
	const inside = existing ?? [];
	if (!existing) tree.push({ [name]: inside });
	place(inside, inner, feedId);
}

/** Each folder with its feeds, in an order that does not depend on theirs. */
const contents = (tree: Tree): string =>
	JSON.stringify(
		foldersOf(tree)
			.map(({ names, feedIds }) => JSON.stringify([names, [...feedIds].sort((a, b) => a - b)]))
			.sort(),
	);

/**
 * The earlier tree with the listed feeds in their folders; undefined if the service made it. Seen in the wild: it finds
 * folders by their names alone, and keeps IDs of feeds that it merged. Feeds with other addresses stay where it put them.
 */
export function repairedTree(before: SubscribedFeeds, after: SubscribedFeeds, listed: Subscription[]) {
	const tree = JSON.parse(JSON.stringify(before.tree)) as Tree;
	const placed = new Set([...before.ids.values()].flat());
	for (const { url, folder = '' } of listed) {
		// If it is new, also a similar one that was there before: the service may merge the two later.
		const exact = feedAddress(url) ?? '';
		for (const id of after.ids.get(before.ids.has(exact) ? exact : addressKey(url)) ?? []) {
			place(tree, namesIn(folder), id);
			placed.add(id);
		}
	}
	const subscribed = new Set([...after.ids.values()].flat());
	for (const { names, feedIds } of foldersOf(after.tree)) {
		for (const id of feedIds) if (subscribed.has(id) && !placed.has(id)) place(tree, names, id);
	}
	return contents(tree) === contents(after.tree) ? undefined : tree;
}
