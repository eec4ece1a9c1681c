/**
 * A folder's contents: feed ids, and folders as objects of one key. The whole tree is the top level's. A null is what
 * real hosts leave where a folder that did not exist was moved to.
 */
export type FolderTree = FolderEntry[];
export type FolderEntry = number | { [name: string]: FolderTree } | null;

/** Whether a folder is the right one; the top level has the name '' and the path []. A path is outermost first. */
export type FolderTest = (name: string, path: readonly string[]) => boolean;

export const topLevel: FolderTest = (name, path) => name === '' && path.length === 0;

interface PlacedFolder {
	name: string;
	path: string[];
	entries: FolderTree;
}

/** Every folder, the top level first, outer ones before inner ones. */
export function foldersOf(entries: FolderTree, path: string[] = []): PlacedFolder[] {
	const inner = entries.flatMap((entry) =>
		entry === null || typeof entry === 'number'
			? []
			: Object.entries(entry).flatMap(([name, children]) => foldersOf(children, [...path, name])),
	);
	return [{ name: path.at(-1) ?? '', path, entries }, ...inner];
}

/** Ids of all feeds in the tree, each once. */
export function feedsIn(tree: FolderTree): number[] {
	const ids = foldersOf(tree).flatMap(({ entries }) => entries.filter((entry) => typeof entry === 'number'));
	return [...new Set(ids)];
}

/** Feed ids by folder: the top level under a single space, nested folders as `Tech - Deep`. Empty folders are left out. */
export function flatFolders(tree: FolderTree): Record<string, number[]> {
	const rows = foldersOf(tree).map(({ path, entries }): [string, number[]] => [
		path.join(' - ') || ' ',
		entries.filter((entry) => typeof entry === 'number'),
	]);
	return Object.fromEntries(rows.filter(([, ids]) => ids.length > 0));
}

/**
 * Applies `edit` to the contents of the folders that `where` means, until one of them reports a change.
 * It does not change the given tree; null if nothing changed.
 */
function editFirst(
	tree: FolderTree,
	where: FolderTest,
	edit: (entries: FolderTree) => boolean,
): FolderTree | null {
	const copy = structuredClone(tree);
	const changed = foldersOf(copy).some(({ name, path, entries }) => where(name, path) && edit(entries));
	return changed ? copy : null;
}

/** The tree with the feeds of each folder before its folders, as taking a feed out leaves it on real hosts. */
export function feedsFirst(tree: FolderTree): FolderTree {
	const entries = withoutNulls(tree);
	const isFeed = (entry: FolderEntry) => typeof entry === 'number';
	return [
		...entries.filter(isFeed),
		...entries.filter((entry) => !isFeed(entry)).map((entry) => mapContents(entry, feedsFirst)),
	];
}

/** The tree as writing it back leaves it on real hosts. */
export function withoutNulls(tree: FolderTree): FolderTree {
	return tree.filter((entry) => entry !== null).map((entry) => mapContents(entry, withoutNulls));
}

function mapContents(entry: FolderEntry, map: (entries: FolderTree) => FolderTree): FolderEntry {
	if (typeof entry === 'number' || entry === null) return entry;
	return Object.fromEntries(Object.entries(entry).map(([name, entries]) => [name, map(entries)]));
}

/** Null when there is no such folder. A feed already there is not put there twice. */
export function addFeed(tree: FolderTree, feedId: number, folder: FolderTest): FolderTree | null {
	return addEntry(tree, feedId, folder);
}

/** The same for a feed or a null. */
export function addEntry(tree: FolderTree, entry: number | null, folder: FolderTest): FolderTree | null {
	return editFirst(tree, folder, (entries) => {
		if (!entries.includes(entry)) entries.push(entry);
		return true;
	});
}

export function hasFolder(tree: FolderTree, wanted: string): boolean {
	return foldersOf(tree).some(({ name, path }) => path.length > 0 && name === wanted);
}

/** Removes the feed from the first such folder that contains it; null if none does. */
export function removeFeed(tree: FolderTree, feedId: number, folder: FolderTest): FolderTree | null {
	return editFirst(tree, folder, (entries) => {
		const index = entries.indexOf(feedId);
		if (index >= 0) entries.splice(index, 1);
		return index >= 0;
	});
}

/** The contents of the entry if it is a folder of that name. */
export function contentsOf(entry: FolderEntry | undefined, name: string): FolderTree | undefined {
	return typeof entry === 'object' && entry !== null && Object.hasOwn(entry, name) ? entry[name] : undefined;
}

function indexOf(entries: FolderTree, name: string): number {
	return entries.findIndex((entry) => contentsOf(entry, name) !== undefined);
}

/** Null when there is no such parent. A folder of that name already there stays, and gets the contents too. */
export function addFolder(
	tree: FolderTree,
	name: string,
	parent: FolderTest,
	contents: FolderTree = [],
): FolderTree | null {
	return editFirst(tree, parent, (entries) => {
		const present = contentsOf(entries[indexOf(entries, name)], name);
		if (present) present.push(...contents);
		else entries.push({ [name]: contents });
		return true;
	});
}

/** Takes out the first folder of that name in such a parent; null when there is none. */
export function removeFolder(
	tree: FolderTree,
	name: string,
	parent: FolderTest,
): { tree: FolderTree; contents: FolderTree } | null {
	let contents: FolderTree = [];
	const edited = editFirst(tree, parent, (entries) => {
		const index = indexOf(entries, name);
		contents = contentsOf(entries[index], name) ?? [];
		if (index >= 0) entries.splice(index, 1);
		return index >= 0;
	});
	return edited && { tree: edited, contents };
}

/** Takes out every folder of that name in such a parent, with the contents of the last; null when there is none. */
export function removeEveryFolder(
	tree: FolderTree,
	name: string,
	parent: FolderTest,
): { tree: FolderTree; contents: FolderTree } | null {
	const first = removeFolder(tree, name, parent);
	return first && (removeEveryFolder(first.tree, name, parent) ?? first);
}

/** Null when no such parent has a folder of that name. */
export function renameFolder(
	tree: FolderTree,
	name: string,
	newName: string,
	parent: FolderTest,
): FolderTree | null {
	return editFirst(tree, parent, (entries) => {
		const index = indexOf(entries, name);
		const contents = contentsOf(entries[index], name);
		if (contents) entries[index] = { [newName]: contents };
		return contents !== undefined;
	});
}

/** Renames every folder of that name in such a parent. */
export function renameEveryFolder(
	tree: FolderTree,
	name: string,
	newName: string,
	parent: FolderTest,
	path: string[] = [],
): FolderTree {
	const named = (own: string) => (own === name && parent(path.at(-1) ?? '', path) ? newName : own);
	return tree.map((entry) =>
		entry === null || typeof entry === 'number'
			? entry
			: Object.fromEntries(
					Object.entries(entry).map(([own, entries]) => [
						named(own),
						renameEveryFolder(entries, name, newName, parent, [...path, own]),
					]),
				),
	);
}

/** The tree of a JSON text as `save_feed_order` takes it; null when it is none. */
export function parseTree(text: string): FolderTree | null {
	try {
		const value: unknown = JSON.parse(text);
		return isTree(value) ? oneKeyEach(value) : null;
	} catch {
		return null;
	}
}

/** An object of several folders becomes several objects. */
function oneKeyEach(tree: FolderTree): FolderTree {
	return tree.flatMap((entry): FolderEntry[] =>
		entry === null || typeof entry === 'number'
			? [entry]
			: Object.entries(entry).map(([name, children]) => ({ [name]: oneKeyEach(children) })),
	);
}

function isTree(value: unknown): value is FolderTree {
	return (
		Array.isArray(value) &&
		value.every(
			(entry) =>
				Number.isSafeInteger(entry) ||
				(typeof entry === 'object' && entry !== null && Object.values(entry).every(isTree)),
		)
	);
}
