import { decodeText, OpmlFailure, parseOpml, renderOpml, type OpmlNode } from '../../feeds/index.ts';
import { Document, Refusal, type Answer } from '../http/answer.ts';
import { read, write, type Call, type Route } from '../http/route.ts';
import { feedById } from '../fetching/catalog.ts';
import { feedRecords } from '../feeds/listing.ts';
import { subscribedFeeds, subscriptionOf, titleFor } from '../feeds/subscriptions.ts';
import { feedsIn, type FolderTree } from '../folders/tree.ts';
import { folderTree } from '../folders/store.ts';
import { countFeeds, importOutline } from '../folders/import.ts';

/** The folders as OPML; feeds that are in none come last. */
function outline(call: Call, tree: FolderTree): OpmlNode[] {
	return tree.flatMap((entry): OpmlNode[] => {
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
function uploadOpml(call: Call): Answer {
	const file = call.parameters.file('file');
	if (file === undefined) return uploadAnswer(call, -1, 'Attach an .opml file.', null, 400);
	try {
		const { nodes } = parseOpml(decodeText(file));
		if (call.reader.differs('opml-queued')) {
			setImmediate(() => {
				if (!call.reader.fetcher.isClosed) importOutline(call.reader, call.user, nodes);
			});
			const payload = { folders: null, delayed: true, feed_count: countFeeds(nodes) };
			return uploadAnswer(call, 2, '', payload);
		}
		const feedIds = importOutline(call.reader, call.user, nodes);
		return uploadAnswer(call, 1, '', {
			folders: folderTree(call.reader, call.user),
			feeds: Object.fromEntries(feedRecords(call.reader, call.user, feedIds)),
		});
	} catch (error) {
		if (!(error instanceof OpmlFailure)) throw error;
		return uploadAnswer(call, -1, "OPML import failed. Couldn't parse XML file.", null, 400);
	}
}

/** The wild labels it as HTML and leaves the envelope out. */
function uploadAnswer(
	call: Call,
	code: number,
	message: string,
	payload: object | null,
	status = 200,
): Answer {
	if (call.reader.differs('opml-html')) {
		return new Document('text/html; charset=utf-8', JSON.stringify({ message, code, payload }), {
			status: call.reader.differs('refusals-200') ? 200 : status,
		});
	}
	if (code < 0) throw new Refusal(message, status, { payload });
	return { code, message, payload };
}

export const opmlRoutes: readonly Route[] = [
	read('/import/opml_export', exportOpml),
	write('/import/opml_upload', uploadOpml),
];
