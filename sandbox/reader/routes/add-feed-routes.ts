import { FeedFailure } from '../../feeds/http.ts';
import { findFeed } from '../../feeds/fetch.ts';
import { Rejection } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { addFeed, addFolder, topLevel, type FolderTree } from '../folders/tree.ts';
import { atPath, pathIn } from '../folders/paths.ts';
import { folderMatching, folderTree, saveFolderTree } from '../folders/folder-store.ts';
import { ensureFeed, feedByAddress } from '../fetching/catalog.ts';
import { feedRecordOf } from '../feeds/listing.ts';
import { subscribe } from '../subscriptions.ts';

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

/** Contract, "Feed management". A subscribed feed is added to the named folder as well. */
async function addUrl(call: Call): Promise<object> {
	const { parameters, reader, user } = call;
	const url = parameters.text('url')?.trim();
	if (!url) throw new Rejection('Enter in the website address or the feed URL.');
	treeWithFolder(call);
	const folder = parameters.text('new_folder') || parameters.text('folder') || '';
	const feedId = await feedAt(call, url);
	if (!parameters.flag('skip_fetch')) await reader.fetcher.fetch(feedId);
	// Other requests may have changed the folders during the fetch.
	const tree = treeWithFolder(call);
	const path = pathIn(call, folderTree(reader, user), 'folder_path');
	const newFolder = parameters.text('new_folder');
	const place = path
		? atPath(newFolder ? [...path, newFolder] : path)
		: folderMatching(reader).target(folder);
	const placed = addFeed(tree, feedId, place);
	call.db.transaction(() => {
		subscribe(reader, user, feedId);
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
	const newFolder = parameters.text('new_folder');
	const path = pathIn(call, tree, 'folder_path');
	const folder = path ? atPath(path) : matching.target(parameters.text('folder') ?? '');
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
