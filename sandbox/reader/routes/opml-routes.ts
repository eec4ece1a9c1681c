import { OpmlFailure, parseOpml, renderOpml, type OpmlNode } from '../../feeds/opml.ts';
import { decodeText } from '../../feeds/text.ts';
import { Document, Rejection, type RouteResponse } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { feedById } from '../fetching/catalog.ts';
import { feedRecords } from '../feeds/listing.ts';
import { subscribedFeeds, subscriptionOf, titleFor } from '../subscriptions.ts';
import { feedsIn, type FolderTree } from '../folders/tree.ts';
import { folderTree } from '../folders/folder-store.ts';
import { recordOwnEvent } from '../social/record-events.ts';
import { countFeeds, importOutline } from '../folders/import.ts';

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

/** Contract, "Import and export". New feeds are listed at once and fetched in the background. */
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
