import { subscribe, subscribedFeeds, subscriptionOf, unmute } from '../subscriptions.ts';
import { feedFigures } from '../feeds/statistics.ts';
import { feedRecordOf, expiryText } from '../feeds/listing.ts';
import { feedById } from '../fetching/fetcher.ts';
import { folderMatching, folderTree, saveFolderTree, atPath, pathIn } from '../folders/matching.ts';
import { addFeed, addFolder, flatFolders, foldersOf, topLevel, type FolderTest } from '../folders/tree.ts';
import { Rejection, type RouteResponse } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import type { FeedRow, StoryRow } from '../storage/queries.ts';
import { markNewerUnread } from '../stories/marks.ts';

/** Endpoints for feeds that only the reader of 2026 has. */

const dayMs = 86_400_000;
const longestUnread = { free: 14, premium: 30, archive: 365 };
const largestBatch = 100;

/** The subscribed feed in `feed_id`. */
function needOwnFeed(call: Call): number {
	const requested = call.parameters.text('feed_id') ?? '';
	if (!/^\d{1,15}$/.test(requested)) throw new Rejection('Invalid feed_id.');
	const feedId = Number(requested);
	if (!subscriptionOf(call.reader, call.user, feedId))
		throw new Rejection('You are not subscribed to this feed.');
	return feedId;
}

/** An integer in a field; `absent` when the field is absent or blank. */
function integerIn(call: Call, name: string, absent: number): number {
	const text = call.parameters.text(name) ?? '';
	if (text === '') return absent;
	if (!/^-?\d{1,6}$/.test(text)) throw new Rejection(`${name} must be an integer.`);
	return Number(text);
}

function setMute(call: Call): object {
	const { db, user, reader, parameters } = call;
	const feedId = needOwnFeed(call);
	const muted = ['true', '1', 'yes'].includes((parameters.text('mute') ?? 'true').toLowerCase());
	const days = integerIn(call, 'mute_duration_days', 0);
	const expiresAt = muted && days > 0 ? reader.now() + days * dayMs : null;
	db.transaction(() => {
		db.run(
			'UPDATE reader_subscriptions SET active = ? WHERE user_id = ? AND feed_id = ?',
			muted ? 0 : 1,
			user.id,
			feedId,
		);
		db.run('DELETE FROM reader_feed_mutes WHERE user_id = ? AND feed_id = ?', user.id, feedId);
		if (expiresAt !== null)
			db.run('INSERT INTO reader_feed_mutes VALUES (?, ?, ?)', user.id, feedId, expiresAt);
	});
	return {
		code: 1,
		feed_id: feedId,
		muted,
		...(expiresAt !== null && { mute_expires_at: expiryText(expiresAt) }),
	};
}

/** Marks stories of the last days as unread: of a feed, of a folder by its flat name, or of all feeds. */
function markUnreadByDays(call: Call): object {
	const { reader, user, parameters } = call;
	const days = integerIn(call, 'days', 0);
	const most = longestUnread[reader.planOf(user)];
	if (days < 1 || days > most) throw new Rejection(`days must be a number from 1 to ${most}.`);
	const feed = parameters.text('feed_id');
	const folder = parameters.text('folder');
	const inFolder = folder === undefined ? undefined : (flatFolders(folderTree(reader, user))[folder] ?? []);
	const among = feed === undefined ? inFolder : parameters.integers('feed_id');
	markNewerUnread(reader, user, subscribedFeeds(reader, user, among), reader.now() - days * dayMs);
	return { code: 1, async: feed === undefined };
}

function trendingFeeds(call: Call): object {
	const parameters = call.parameters;
	const days = Math.min(parameters.integer('days', 7, 1), 30);
	const rows = call.db.all<{ feed_id: number; reads: number }>(
		`SELECT feed_id, COUNT(*) reads FROM reader_reads JOIN reader_stories ON id = story_id
		WHERE read_at >= ? AND opened > 0 GROUP BY feed_id ORDER BY reads DESC, feed_id LIMIT ?`,
		call.reader.now() - days * dayMs,
		Math.min(parameters.integer('limit', 50, 1), 200),
	);
	const figures = feedFigures(
		call.reader,
		rows.map(({ feed_id }) => feed_id),
	);
	return {
		trending_feeds: rows.flatMap(({ feed_id, reads }) => {
			const feed = feedById(call.db, feed_id);
			const subscribers = figures.get(feed_id)?.subscribers ?? 0;
			return feed === undefined
				? []
				: [
						{
							pk: feed.id,
							feed_title: feed.title,
							feed_address: feed.address,
							feed_link: feed.link,
							num_subscribers: subscribers,
							active_subscribers: subscribers,
							trending_read_seconds: reads * secondsForAStory,
						},
					];
		}),
	};
}

/** The service measures how long a story is read; in the sandbox, all stories take the same time. */
const secondsForAStory = 60;

/** Looks in one feed only: the most subscribed one whose address and site hold the host name. */
function findByPermalink(call: Call): object {
	const url = call.parameters.text('story_url') ?? '';
	if (!URL.canParse(url)) throw new Rejection('Missing or invalid story_url.');
	const host = new URL(url).hostname.replace(/^www\./, '');
	const feed = call.db.get<FeedRow>(
		`SELECT feeds.* FROM reader_feeds feeds WHERE instr(address, ?1) > 0 AND instr(link, ?1) > 0
		ORDER BY (SELECT COUNT(*) FROM reader_subscriptions WHERE feed_id = feeds.id) DESC, id LIMIT 1`,
		host,
	);
	if (feed === undefined) throw new Rejection('No feed found for this address.');
	const story = call.db.get<StoryRow>(
		'SELECT * FROM reader_stories WHERE feed_id = ? AND link = ? ORDER BY published_at DESC LIMIT 1',
		feed.id,
		url,
	);
	if (story === undefined) throw new Rejection('No story found for this address.');
	return {
		code: 1,
		story_hash: story.story_hash,
		story_feed_id: feed.id,
		is_subscribed: call.authenticated && subscriptionOf(call.reader, call.user, feed.id)?.active === 1,
		feed: feedRecordOf(call.reader, call.user, feed.id),
	};
}

/** GET says that the call exists; POST adds feeds by their ids, without fetching them. */
function addFeeds(call: Call): RouteResponse {
	if (call.method !== 'POST') return { batch_add_supported: true, max_feeds: largestBatch };
	const ids = [...new Set(call.parameters.list('feed_ids'))];
	const refused = (message: string) => new Rejection(message, 200, { results: [] });
	if (ids.length === 0 || ids.length > largestBatch) throw refused(`Send 1 to ${largestBatch} feed_ids.`);
	return call.db.transaction(() => {
		const place = batchFolder(call);
		const results = ids.map((id) => addOne(call, id, place));
		const added = results.filter(({ code }) => code === 1).length;
		const code = added === ids.length ? 1 : added > 0 ? 0 : -1;
		return { code, results, folders: folderTree(call.reader, call.user) };
	});
}

/** The folder that new feeds go to; `new_folder` is made in it, unless there is one with that name, ignoring case. */
function batchFolder(call: Call): FolderTest {
	const { reader, user, parameters } = call;
	const tree = folderTree(reader, user);
	const named = parameters.text('folder') ?? '';
	const places = foldersOf(tree).filter(({ name, path }) => folderMatching(reader).target(named)(name, path));
	const path = pathIn(call, tree, 'folder_path') ?? (named === '' ? [] : places[0]?.path);
	if (path === undefined || (!parameters.has('folder_path') && places.length > 1)) {
		throw new Rejection(`There is not exactly one folder ${named}.`);
	}
	const newFolder = parameters.text('new_folder');
	if (!newFolder) return path.length === 0 ? topLevel : atPath(path);
	const known = foldersOf(tree).find(
		(folder) =>
			folder.path.length === path.length + 1 &&
			atPath(path)('', folder.path.slice(0, -1)) &&
			folder.name.toLowerCase() === newFolder.toLowerCase(),
	);
	if (!known) saveFolderTree(reader, user, addFolder(tree, newFolder, atPath(path)) ?? tree);
	return atPath([...path, known?.name ?? newFolder]);
}

function addOne(call: Call, id: string, place: FolderTest) {
	const { reader, user } = call;
	const result = (code: number, message: string, created = false) => ({
		feed_id: Number(id),
		code,
		message,
		created,
	});
	if (!/^\d{1,15}$/.test(id) || feedById(call.db, Number(id)) === undefined)
		return result(-1, 'Feed not found.');
	const isNew = subscriptionOf(reader, user, Number(id)) === undefined;
	subscribe(reader, user, Number(id));
	unmute(reader, user, Number(id));
	const tree = folderTree(reader, user);
	if (isNew) saveFolderTree(reader, user, addFeed(tree, Number(id), place) ?? tree);
	return result(1, '', isNew);
}

function needArchive({ reader, user }: Call): void {
	if (!reader.keepsEverything(user))
		throw new Rejection('Premium Archive required to set auto mark as read.');
}

/** Days in a form: undefined inherits, 0 never marks. */
function autoMarkDays({ parameters }: Call): number | undefined {
	const text = parameters.text('auto_mark_read_days') ?? '';
	if (text === '' || text === 'null') return undefined;
	if (!/^\d{1,3}$/.test(text) || Number(text) > 365)
		throw new Rejection('auto_mark_read_days must be 0 to 365.');
	return Number(text);
}

function saveAutoMark({ db, user }: Call, scope: string, days: number | undefined): void {
	db.run('DELETE FROM reader_auto_marks WHERE user_id = ? AND scope = ?', user.id, scope);
	if (days !== undefined) db.run('INSERT INTO reader_auto_marks VALUES (?, ?, ?)', user.id, scope, days);
}

/** The settings of folders, by their flat names. */
export function folderAutoMarks(
	call: Call,
): Record<string, { folder_title: string; auto_mark_read_days: number }> {
	const settings = Object.entries(autoMarks(call, 'folder:'));
	return Object.fromEntries(
		settings.map(([folder, days]) => [folder, { folder_title: folder, auto_mark_read_days: days }]),
	);
}

/** Days by the feed's id. */
export function feedAutoMarks(call: Call): Record<string, number> {
	return autoMarks(call, 'feed:');
}

function autoMarks({ db, user }: Call, prefix: string): Record<string, number> {
	const rows = db.all<{ scope: string; days: number }>(
		"SELECT scope, days FROM reader_auto_marks WHERE user_id = ? AND scope LIKE ? || '%' ORDER BY scope",
		user.id,
		prefix,
	);
	return Object.fromEntries(rows.map(({ scope, days }) => [scope.slice(prefix.length), days]));
}

function saveFeedAutoMark(call: Call): object {
	needArchive(call);
	const feedId = needOwnFeed(call);
	const days = autoMarkDays(call);
	saveAutoMark(call, `feed:${feedId}`, days);
	const folders = folderAutoMarks(call);
	const within = (name: string): string[] =>
		name.includes(' - ') ? [name, ...within(name.slice(0, name.lastIndexOf(' - ')))] : [name];
	const own = Object.entries(flatFolders(folderTree(call.reader, call.user)))
		.filter(([, ids]) => ids.includes(feedId))
		.flatMap(([name]) => within(name))
		.find((name) => folders[name] !== undefined);
	const inherited = own === undefined ? undefined : folders[own]?.auto_mark_read_days;
	return {
		code: 1,
		auto_mark_read_days: days ?? null,
		// 0 is never.
		effective_days: (days ?? inherited ?? call.reader.unreadDays(call.user)) || null,
		source: days !== undefined ? 'feed' : own === undefined ? 'default' : `folder:${own}`,
	};
}

function saveFolderAutoMark(call: Call): object {
	needArchive(call);
	const folder = call.parameters.text('folder_title') ?? '';
	if (folder === '') throw new Rejection('Missing folder_title.');
	saveAutoMark(call, `folder:${folder}`, autoMarkDays(call));
	return { code: 1, folder_auto_mark_read: folderAutoMarks(call) };
}

function autoMarkSettings(call: Call): object {
	return {
		folder_auto_mark_read: folderAutoMarks(call),
		site_wide_days: null,
		is_archive: call.reader.keepsEverything(call.user),
	};
}

const open = (route: Route): Route => ({ ...route, access: 'open' });

export const newerFeedRoutes: readonly Route[] = [
	write('/reader/set_feed_mute', setMute),
	write('/reader/mark_stories_as_unread', markUnreadByDays),
	open(read('/reader/trending_feeds', trendingFeeds)),
	open(read('/reader/find_story_by_permalink', findByPermalink)),
	{ ...read('/reader/add_feeds', addFeeds), access: 'write' },
	write('/reader/save_feed_auto_mark_read', saveFeedAutoMark),
	write('/reader/save_folder_auto_mark_read', saveFolderAutoMark),
	{ ...read('/reader/get_auto_mark_read_settings', autoMarkSettings), access: 'write' },
];
