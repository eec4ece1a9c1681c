import { isUtf8 } from 'node:buffer';
import { decodeText, OpmlFailure, parseOpml, renderOpml, type OpmlNode } from '../../feeds/index.ts';
import { Document, Fault, Rejection, type RouteResponse } from '../http/response.ts';
import { read, rewrite, write, type Call, type Route } from '../http/reader-route.ts';
import { feedById } from '../fetching/catalog.ts';
import { feedRecords } from '../feeds/listing.ts';
import { subscribedFeeds, subscriptionOf, titleFor } from '../subscriptions.ts';
import { feedsIn, type FolderTree } from '../folders/tree.ts';
import { folderTree, wholeTree } from '../folders/folder-store.ts';
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
	const anything = reader.differs('opml-anything');
	const file = call.parameters.file('file');
	if (file === undefined) return uploadAnswer(call, -1, 'Attach an .opml file.', anything ? {} : null, 400);
	if (anything && file.length === 0) throw new Fault('The file is empty.', 500);
	try {
		const { nodes } = parseOpml(decodeText(file));
		if (reader.differs('opml-queued')) {
			setImmediate(() => {
				if (!reader.fetcher.isClosed) importOutline(reader, user, nodes);
			});
			const payload = { folders: null, delayed: true, feed_count: countFeeds(nodes) };
			return uploadAnswer(call, 2, '', payload);
		}
		const feedIds = importOutline(reader, user, nodes);
		recordOwnEvent(reader, user, 'opml_import', `You imported an OPML file with ${countFeeds(nodes)} sites`);
		if (anything) return presentList(call, isUtf8(file) ? 'OK' : notUtf8);
		return uploadAnswer(call, 1, '', {
			folders: folderTree(reader, user),
			feeds: Object.fromEntries(feedRecords(reader, user, feedIds, { subscribed: true })),
		});
	} catch (error) {
		if (!(error instanceof OpmlFailure)) throw error;
		if (anything) return unreadable(call, file);
		return uploadAnswer(call, -1, "OPML import failed. Couldn't parse XML file.", null, 400);
	}
}

/** The message of real hosts for every file that is not UTF-8, even if they read it. */
const notUtf8 = 'There was a Unicode decode error when reading your OPML file.';

/** Real hosts return all subscriptions of the account as rows, or an empty body without any. */
function presentList(call: Call, message: string): RouteResponse {
	const folders = folderTree(call.reader, call.user);
	const feeds = subscribedFeeds(call.reader, call.user).map((feed_id) => ({
		user_id: call.user.id,
		feed_id,
	}));
	return uploadAnswer(call, 1, message, folders.length > 0 ? { folders, feeds } : {});
}

/** The messages of real hosts for a file without a list of feeds: bytes that are not text, other XML, and other text. */
function unreadable(call: Call, file: Buffer): RouteResponse {
	if (!isUtf8(file)) return uploadAnswer(call, -1, notUtf8, {});
	return file.toString().trimStart().startsWith('<')
		? presentList(call, 'OK')
		: uploadAnswer(call, 1, 'OK', {});
}

/** Real hosts label it as HTML and leave the envelope out. */
function uploadAnswer(
	call: Call,
	code: number,
	message: string,
	payload: object | null,
	status = 200,
): RouteResponse {
	if (call.reader.differs('opml-html')) {
		return new Document('text/html; charset=utf-8', JSON.stringify({ message, code, payload }), {
			status: call.reader.differs('refusals-200') ? 200 : status,
		});
	}
	if (code < 0) throw new Rejection(message, status, { payload });
	return { code, message, payload };
}

export const opmlRoutes: readonly Route[] = [
	read('/import/opml_export', exportOpml),
	rewrite(
		({ reader, user }) => (reader.differs('merged-uploads') ? undefined : wholeTree(reader, user)),
		write('/import/opml_upload', uploadOpml),
	),
];
