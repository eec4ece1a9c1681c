import { type OpmlNode, OpmlFailure, parseOpml, renderOpml } from '../../feeds/opml.ts';
import { ensureFeed, feedByAddress, feedById } from '../fetching/fetcher.ts';
import { subscribe, subscribedFeeds, subscriptionOf, titleFor, unmute } from '../subscriptions.ts';
import {
	folderTree,
	saveFolderTree,
	atPath,
	pathIn,
	folderMatching,
	folderNameIn,
} from '../folders/matching.ts';
import { contentsOf, type FolderTree, addFeed, addFolder, topLevel, feedsIn } from '../folders/tree.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';
import { FeedFailure } from '../../feeds/http.ts';
import { findFeed } from '../../feeds/fetch.ts';
import { Rejection, Document, type RouteResponse } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { feedRecordOf, feedRecords } from '../feeds/listing.ts';
import { decodeText } from '../../feeds/text.ts';
import { recordOwnEvent } from '../social/events.ts';

export function countFeeds(nodes: readonly OpmlNode[]): number {
	return nodes.reduce((sum, node) => sum + (node.kind === 'feed' ? 1 : countFeeds(node.children)), 0);
}

/** Subscribes to all feeds in an outline and merges its folders into the account's. @returns the ids of the feeds */
export function importOutline(reader: Reader, user: UserRow, nodes: readonly OpmlNode[]): number[] {
	const ids = new Set<number>();
	const added: number[] = [];
	reader.db.transaction(() => {
		const tree = merge(folderTree(reader, user), nodes, (node) => {
			const id = ensureFeed(reader.db, reader.now(), node.xmlUrl, node.title);
			// On real hosts, another title than the feed's is the account's own.
			const isOwnTitle = reader.isReal && node.title !== '' && node.title !== feedById(reader.db, id)?.title;
			if (subscribe(reader, user, id, isOwnTitle ? node.title : undefined)) added.push(id);
			if (reader.isReal && reader.isPremium(user)) unmute(reader, user, id);
			ids.add(id);
			return id;
		});
		saveFolderTree(reader, user, tree);
	});
	for (const id of added) void reader.fetcher.fetch(id);
	return [...ids];
}

type FeedNode = Extract<OpmlNode, { kind: 'feed' }>;

function merge(tree: FolderTree, nodes: readonly OpmlNode[], feedOf: (node: FeedNode) => number): FolderTree {
	const merged = [...tree];
	for (const node of nodes) {
		if (node.kind === 'feed') {
			const id = feedOf(node);
			if (!merged.includes(id)) merged.push(id);
			continue;
		}
		const index = merged.findIndex((entry) => contentsOf(entry, node.title) !== undefined);
		const inside = contentsOf(merged[index], node.title) ?? [];
		const folder = { [node.title]: merge(inside, node.children, feedOf) };
		if (index >= 0) merged[index] = folder;
		else merged.push(folder);
	}
	return merged;
}

async function searchFeed(call: Call): Promise<object> {
	const address = call.parameters.text('address')?.trim();
	if (!address) throw new Rejection('Please provide a URL/address.');
	const feed = feedByAddress(call.db, address);
	if (feed === undefined || call.parameters.integer('offset', 0) > 0) {
		throw new Rejection('No feed found matching that XML or website address.', 404);
	}
	await call.reader.fetcher.fetch(feed.id);
	return feedRecordOf(call.reader, call.user, feed.id) ?? {};
}

/** Interface document, "Feed management". A subscribed feed is added to the named folder as well. */
async function addUrl(call: Call): Promise<object> {
	const { parameters, reader, user } = call;
	const url = parameters.text('url')?.trim();
	if (!url) throw new Rejection('Enter in the website address or the feed URL.');
	treeWithFolder(call);
	const folder = folderNameIn(call, 'new_folder') || folderNameIn(call, 'folder') || '';
	const feedId = await feedAt(call, url);
	if (!parameters.flag('skip_fetch')) await reader.fetcher.fetch(feedId);
	// Other requests may have changed the folders during the fetch.
	const tree = treeWithFolder(call);
	const path = pathIn(call, folderTree(reader, user), 'folder_path');
	const newFolder = folderNameIn(call, 'new_folder');
	const place = path
		? atPath(newFolder ? [...path, newFolder] : path)
		: folderMatching(reader).target(folder);
	const placed = addFeed(tree, feedId, place);
	call.db.transaction(() => {
		subscribe(reader, user, feedId);
		if (reader.isReal) unmute(reader, user, feedId);
		const elsewhere = folderMatching(reader).silent ? null : addFeed(tree, feedId, topLevel);
		saveFolderTree(reader, user, placed ?? elsewhere ?? tree);
	});
	return { code: 1, message: '', feed: feedRecordOf(reader, user, feedId) };
}

/** The folders, including the requested new one; rejects an unknown folder. */
function treeWithFolder(call: Call): FolderTree {
	const { parameters, reader, user } = call;
	const tree = folderTree(reader, user);
	const matching = folderMatching(reader);
	const newFolder = folderNameIn(call, 'new_folder');
	const path = pathIn(call, tree, 'folder_path');
	const folder = path ? atPath(path) : matching.target(folderNameIn(call, 'folder') ?? '');
	if (newFolder) return addFolder(tree, newFolder, folder) ?? tree;
	if (!matching.silent && addFolder(tree, 'any', folder) === null) {
		throw new Rejection(`There is no folder ${parameters.text('folder')}.`, 404);
	}
	return tree;
}

/** The id of the feed at a URL; finds unknown ones. */
async function feedAt({ db, reader }: Call, url: string): Promise<number> {
	const known = feedByAddress(db, url);
	if (known) return known.id;
	const text = 'This address does not point to an RSS feed or a website with an RSS feed.';
	const refusal = (reason: string) => new Rejection(reason, 404, { feed: null });
	try {
		const found = await findFeed(url, reader.policy);
		if (found === undefined) throw refusal(text);
		return ensureFeed(db, reader.now(), found.url, found.title);
	} catch (error) {
		if (!(error instanceof FeedFailure)) throw error;
		throw refusal(`${text} ${error.message}`);
	}
}

export const addRoutes: readonly Route[] = [
	{ ...read('/rss_feeds/search_feed', searchFeed), access: 'write' },
	write('/reader/add_url', addUrl),
];

/** The folders as OPML; feeds that are in none come last. */
function outline(call: Call, tree: FolderTree): OpmlNode[] {
	return tree.flatMap((entry): OpmlNode[] => {
		if (entry === null) return [];
		if (typeof entry !== 'number') {
			return Object.entries(entry).map(([title, children]) => ({
				kind: 'folder',
				title,
				children: outline(call, children),
			}));
		}
		const feed = feedById(call.db, entry);
		const subscription = subscriptionOf(call.reader, call.user, entry);
		if (feed === undefined || subscription === undefined) return [];
		return [{ kind: 'feed', title: titleFor(feed, subscription), xmlUrl: feed.address, htmlUrl: feed.link }];
	});
}

function exportOpml(call: Call): Document {
	const { reader, user } = call;
	const tree = folderTree(reader, user);
	const placed = new Set(feedsIn(tree));
	const strays = subscribedFeeds(reader, user).filter((id) => !placed.has(id));
	recordOwnEvent(
		reader,
		user,
		'opml_export',
		`You exported an OPML backup of ${placed.size + strays.length} subscriptions`,
	);
	const date = new Date(reader.now()).toISOString().slice(0, 10);
	const xml = renderOpml(
		`Subscriptions of ${user.username}`,
		user.username,
		outline(call, [...tree, ...strays]),
	);
	return new Document('text/xml; charset=utf-8', xml, {
		headers: { 'content-disposition': `attachment; filename="subscriptions-${user.username}-${date}.opml"` },
	});
}

/** Interface document, "Import and export". New feeds are listed at once and fetched in the background. */
function uploadOpml(call: Call): RouteResponse {
	const { reader, user } = call;
	const file = call.parameters.file('file');
	if (file === undefined) return uploadResponse(call, -1, 'Attach an .opml file.', null);
	try {
		const nodes = parseOpml(decodeText(file));
		const feedIds = importOutline(reader, user, nodes);
		recordOwnEvent(reader, user, 'opml_import', `You imported an OPML file with ${countFeeds(nodes)} sites`);
		return uploadResponse(call, 1, 'OK', payloadOf(call, feedIds));
	} catch (error) {
		if (!(error instanceof OpmlFailure)) throw error;
		if (reader.isReal) return uploadResponse(call, 1, 'OK', payloadOf(call, []));
		return uploadResponse(call, -1, "OPML import failed. Couldn't parse XML file.", null);
	}
}

/** The folders and imported feeds; on real hosts all subscriptions, or nothing without any. */
function payloadOf({ reader, user }: Call, feedIds: readonly number[]): object {
	const folders = folderTree(reader, user);
	if (!reader.isReal) {
		return { folders, feeds: Object.fromEntries(feedRecords(reader, user, feedIds, { subscribed: true })) };
	}
	const feeds = subscribedFeeds(reader, user).map((feed_id) => ({ user_id: user.id, feed_id }));
	return folders.length > 0 ? { folders, feeds } : {};
}

/** On real hosts, labeled as HTML and without the envelope. */
function uploadResponse(call: Call, code: number, message: string, payload: object | null): RouteResponse {
	if (call.reader.isReal) return Document.html(JSON.stringify({ message, code, payload }));
	if (code < 0) throw new Rejection(message, 400, { payload });
	return { code, message, payload };
}

export const opmlRoutes: readonly Route[] = [
	read('/import/opml_export', exportOpml),
	write('/import/opml_upload', uploadOpml),
];
