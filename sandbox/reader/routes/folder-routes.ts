import { Fault, Rejection } from '../http/response.ts';
import { write, type Call, type Route } from '../http/reader-route.ts';
import { subscribedFeeds, subscriptionOf, unsubscribe } from '../subscriptions.ts';
import { feedById } from '../fetching/fetcher.ts';
import {
	atPath,
	folderPathIn,
	pathIn,
	pathsIn,
	folderMatching,
	folderNameIn,
	folderTree,
	saveFolderTree,
} from '../folders/matching.ts';
import {
	addFeed,
	addFolder,
	feedsIn,
	foldersOf,
	parseTree,
	removeFeed,
	removeEveryFolder,
	removeFolder,
	renameEveryFolder,
	renameFolder,
	type FolderTest,
	type FolderTree,
} from '../folders/tree.ts';

function treeOf(call: Call): FolderTree {
	return folderTree(call.reader, call.user);
}

function save(call: Call, tree: FolderTree): object {
	saveFolderTree(call.reader, call.user, tree);
	return { code: 1, folders: tree };
}

/** Returns the changed tree, or rejects the request. Real hosts return the unchanged tree instead. */
function changed(call: Call, edited: FolderTree | null, before: FolderTree, refusal: string): FolderTree {
	if (edited === null && !folderMatching(call.reader).silent) throw new Rejection(refusal, 404);
	return edited ?? before;
}

/** A required field, which may be blank; without it real hosts fail. */
function needField(call: Call, name: string): string {
	const value = call.parameters.text(name);
	if (value === undefined) throw new Fault(`Missing parameter: ${name}`, 500);
	return value;
}

function createFolder(call: Call): object {
	needField(call, 'folder');
	const name = folderNameIn(call, 'folder') ?? '';
	if (name.trim() === '') throw new Rejection('Gotta write in a folder name.', 400, { folders: null });
	const parent = folderNameIn(call, 'parent_folder') ?? '';
	const tree = treeOf(call);
	const path = pathIn(call, tree, 'parent_folder_path');
	const edited = addFolder(tree, name, path ? atPath(path) : folderMatching(call.reader).target(parent));
	return { ...save(call, changed(call, edited, tree, `There is no folder ${parent}.`)), message: '' };
}

/** Removes the feed from the requested folder; null if it is not there. */
function takeFeed(call: Call, tree: FolderTree, feedId: number, from: string): FolderTree | null {
	const { inside, takesFirstPlace } = folderMatching(call.reader);
	const taken = removeFeed(tree, feedId, inside(from));
	return taken ?? (takesFirstPlace ? removeFeed(tree, feedId, anywhere) : null);
}

const anywhere = () => true;

/** Removes a folder; real hosts remove every folder with that name in such a parent. */
function takeFolder(call: Call, name: string, parent: FolderTest) {
	const take = folderMatching(call.reader).silent ? removeEveryFolder : removeFolder;
	return take(treeOf(call), name, parent);
}

/** Moves a feed to another folder. On real hosts, a feed is lost if the target does not exist. */
function moveFeed(call: Call): object {
	const feedId = call.needId('feed_id');
	const [from, to] = [call.parameters.text('in_folder') ?? '', call.parameters.text('to_folder') ?? ''];
	const { target } = folderMatching(call.reader);
	const tree = treeOf(call);
	const refusal = `Feed ${feedId} is not in the folder ${from || '(top level)'}.`;
	const without = changed(call, takeFeed(call, tree, feedId, from), tree, refusal);
	return save(
		call,
		changed(call, addFeed(without, feedId, target(to)), without, `There is no folder ${to}.`),
	);
}

/** The same for several folders; not in the interface document. */
function moveFeedToFolders(call: Call): object {
	const feedId = call.needId('feed_id');
	const { target } = folderMatching(call.reader);
	let tree = treeOf(call);
	const fromPaths = pathsIn(call, tree, 'in_folder_paths');
	const toPaths = pathsIn(call, tree, 'to_folder_paths');
	if (fromPaths && toPaths) {
		for (const path of fromPaths) tree = removeFeed(tree, feedId, atPath(path)) ?? tree;
		for (const path of toPaths) tree = addFeed(tree, feedId, atPath(path)) ?? tree;
		return save(call, tree);
	}
	for (const from of call.parameters.exactly('in_folders').concat(call.parameters.exactly('in_folders[]'))) {
		tree = takeFeed(call, tree, feedId, from) ?? tree;
	}
	for (const to of call.parameters.exactly('to_folders').concat(call.parameters.exactly('to_folders[]'))) {
		tree = changed(call, addFeed(tree, feedId, target(to)), tree, `There is no folder ${to}.`);
	}
	return save(call, tree);
}

function moveFolder(call: Call): object {
	const name = call.need('folder_name');
	const [from, to] = [call.parameters.text('in_folder') ?? '', call.parameters.text('to_folder') ?? ''];
	const { inside, target, silent } = folderMatching(call.reader);
	const tree = treeOf(call);
	const taken = takeFolder(call, name, inside(from));
	if (taken === null) {
		if (silent) return save(call, tree);
		throw new Rejection(`There is no folder ${name} in ${from || '(top level)'}.`, 404);
	}
	const put = addFolder(taken.tree, name, target(to), taken.contents);
	return save(call, changed(call, put, taken.tree, `There is no folder ${to}, or it is inside ${name}.`));
}

const longestTitle = 255;

/** In the variant `wild` a blank title resets the title to the feed's own, and an unknown feed has its own error. */
function renameFeed(call: Call): object {
	const given = call.parameters.text('feed_id');
	if (!given) throw new Rejection('Missing feed_id or feed_title');
	const feedId = call.needId('feed_id');
	const feed = feedById(call.db, feedId);
	if (feed === undefined) throw new Fault(`There is no feed ${feedId}.`, 404);
	if (subscriptionOf(call.reader, call.user, feedId) === undefined) {
		throw new Rejection(`You are not subscribed to ${feed?.title}`, 404);
	}
	const title = needField(call, 'feed_title');
	call.db.run(
		'UPDATE reader_subscriptions SET title = ? WHERE user_id = ? AND feed_id = ?',
		title.slice(0, longestTitle) || null,
		call.user.id,
		feedId,
	);
	return { code: 1 };
}

function renameFolders(call: Call): object {
	const tree = treeOf(call);
	const atPath = folderPathIn(call, tree);
	const name = atPath?.name ?? call.parameters.text('folder_to_rename') ?? needField(call, 'folder_name');
	const newName = needField(call, 'new_folder_name');
	if (name === '' || newName === '')
		throw new Rejection('A folder needs a name.', 400, { message: undefined });
	const from = folderNameIn(call, 'in_folder') ?? '';
	const { inside, silent } = folderMatching(call.reader);
	const rename = silent ? renameEveryFolder : renameFolder;
	const edited = rename(tree, name, newName, atPath?.parent ?? inside(from));
	saveFolderTree(
		call.reader,
		call.user,
		changed(call, edited, tree, `There is no folder ${name} in ${from || '(top level)'}.`),
	);
	return { code: 1 };
}

/** Removes the feed from one folder; from the last one, also the subscription. If it is in several, the folder is required. */
function deleteFeed(call: Call): object {
	const feedId = call.needId('feed_id');
	const { silent } = folderMatching(call.reader);
	const folder = folderNameIn(call, 'in_folder');
	const tree = treeOf(call);
	const path = pathIn(call, tree, 'folder_path');
	if (!silent && subscriptionOf(call.reader, call.user, feedId) === undefined) {
		throw new Rejection(`You are not subscribed to ${feedId}`, 404);
	}
	const places = foldersOf(tree).filter(({ entries }) => entries.includes(feedId));
	if (!silent && path === undefined && folder === undefined && places.length > 1) {
		throw new Rejection(
			`Feed ${feedId} is in several folders (${places.map(({ path }) => path.join(' - ') || 'top level').join(', ')}): name one in in_folder.`,
		);
	}
	const edited = path
		? removeFeed(tree, feedId, atPath(path))
		: folder === undefined
			? removeFeed(tree, feedId, anywhere)
			: takeFeed(call, tree, feedId, folder);
	if (path && edited === null)
		throw new Rejection(`Feed ${feedId} is not in the folder ${path.join(' - ')}.`);
	const refusal = `Feed ${feedId} is not in the folder ${folder || '(top level)'}.`;
	const without = changed(call, edited, tree, refusal);
	call.db.transaction(() => {
		if (edited && !feedsIn(without).includes(feedId)) unsubscribe(call.reader, call.user, [feedId]);
		saveFolderTree(call.reader, call.user, without);
	});
	return { code: 1, message: `Removed feed ${feedId} from '${folder ?? ''}'.` };
}

/**
 * Contract: all feeds inside are unsubscribed. On real hosts only those whose ids are sent, and that are in no
 * other folder; the others stay subscribed, in no folder.
 */
function deleteFolder(call: Call): object {
	const { inside, silent, deletesEverywhere } = folderMatching(call.reader);
	const tree = treeOf(call);
	const path = folderPathIn(call, tree);
	const given = path?.name ?? call.parameters.text('folder_to_delete') ?? call.parameters.text('folder_name');
	const name = given ?? (silent ? '' : needField(call, 'folder_to_delete'));

	const inFolder = call.parameters.text('in_folder');
	const from = inFolder ?? '';
	const everywhere = deletesEverywhere && path === undefined && inFolder === undefined;
	const taken = takeFolder(call, name, everywhere ? anywhere : (path?.parent ?? inside(from)));
	if (taken === null) {
		if (silent) return save(call, tree);
		throw new Rejection(`There is no folder ${name} in ${from || '(top level)'}.`, 404);
	}
	const requested = call.parameters.integers('feed_id');
	const elsewhere = new Set(feedsIn(taken.tree));
	const gone = (silent ? requested : [...new Set([...feedsIn(taken.contents), ...requested])]).filter(
		(id) => !elsewhere.has(id),
	);
	call.db.transaction(() => {
		unsubscribe(call.reader, call.user, gone);
		saveFolderTree(call.reader, call.user, taken.tree);
	});
	return { code: 1, folders: taken.tree };
}

/** Replaces the whole structure. Real hosts accept anything; the interface document's variant refuses a structure that loses a feed. */
function saveFeedOrder(call: Call): object {
	const tree = parseTree(call.need('folders'));
	if (tree === null) {
		throw new Rejection('folders must be a JSON array of feed ids and folders.');
	}
	const subscribed = subscribedFeeds(call.reader, call.user);
	const placed = new Set(feedsIn(tree));
	const lost = subscribed.filter((id) => !placed.has(id));
	const foreign = [...placed].filter((id) => !subscribed.includes(id));
	if (!folderMatching(call.reader).silent && lost.length + foreign.length > 0) {
		throw new Rejection(
			`The structure must hold exactly the feeds you are subscribed to; missing: ${lost.join(', ') || 'none'}; unknown: ${foreign.join(', ') || 'none'}.`,
		);
	}
	if (call.reader.is2026) refuseShortTree(call, placed);
	saveFolderTree(call.reader, call.user, tree);
	return {};
}

/** Rejects a structure that lacks many subscriptions, including muted ones. */
function refuseShortTree(call: Call, placed: ReadonlySet<number>): void {
	const all = call.db.all<{ feed_id: number }>(
		'SELECT feed_id FROM reader_subscriptions WHERE user_id = ?',
		call.user.id,
	);
	const missing = all.filter(({ feed_id }) => !placed.has(feed_id)).length;
	if (missing <= Math.max(5, Math.floor(all.length * 0.15))) return;
	throw new Rejection(`The folders lack ${missing} of ${all.length} feeds and were not saved.`);
}

export const folderRoutes: readonly Route[] = [
	write('/reader/add_folder', createFolder),
	write('/reader/move_feed_to_folder', moveFeed),
	write('/reader/move_feed_to_folders', moveFeedToFolders),
	write('/reader/move_folder_to_folder', moveFolder),
	write('/reader/rename_feed', renameFeed),
	write('/reader/delete_feed', deleteFeed),
	write('/reader/rename_folder', renameFolders),
	write('/reader/delete_folder', deleteFolder),
	write('/reader/save_feed_order', saveFeedOrder),
];
