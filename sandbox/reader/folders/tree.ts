/**
 * A folder's contents: feed ids, and folders as objects with one key. The tree is the contents of the top level. Real
 * hosts leave null where a missing folder was moved to.
 */
export type FolderTree = FolderEntry[];
type FolderEntry = number | { [name: string]: FolderTree } | null;

/** Whether a folder matches. The top level has the name '' and the path []; paths are outermost first. */
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

/** Unique ids of all feeds in the tree. */
export function feedsIn(tree: FolderTree): number[] {
	const ids = foldersOf(tree).flatMap(({ entries }) => entries.filter((entry) => typeof entry === 'number'));
	return [...new Set(ids)];
}

/** Feed ids by folder: the top level is a single space, nested folders are `Tech - Deep`. Omits empty folders. */
export function flatFolders(tree: FolderTree): Record<string, number[]> {
	return Object.fromEntries(
		foldersOf(tree).map(({ path, entries }): [string, number[]] => [
			path.join(' - ') || ' ',
			entries.filter((entry) => typeof entry === 'number'),
		]),
	);
}

/**
 * Applies `edit` to the contents of the folders that match `where` until one reports a change.
 * @returns a new tree; null if nothing changed
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

/** Adds a feed to a folder unless it is there. @returns null if no folder matches */
export function addFeed(tree: FolderTree, feedId: number, folder: FolderTest): FolderTree | null {
	return addEntry(tree, feedId, folder);
}

/** Like `addFeed`, for a feed or null. */
function addEntry(tree: FolderTree, entry: number | null, folder: FolderTest): FolderTree | null {
	return editFirst(tree, folder, (entries) => {
		if (!entries.includes(entry)) entries.push(entry);
		return true;
	});
}

/** Removes the feed from the first matching folder that contains it. @returns null if none does */
export function removeFeed(tree: FolderTree, feedId: number, folder: FolderTest): FolderTree | null {
	return editFirst(tree, folder, (entries) => {
		const index = entries.indexOf(feedId);
		if (index >= 0) entries.splice(index, 1);
		return index >= 0;
	});
}

/** The contents of the entry if it is a folder with that name. */
export function contentsOf(entry: FolderEntry | undefined, name: string): FolderTree | undefined {
	return typeof entry === 'object' && entry !== null && Object.hasOwn(entry, name) ? entry[name] : undefined;
}

function indexOf(entries: FolderTree, name: string): number {
	return entries.findIndex((entry) => contentsOf(entry, name) !== undefined);
}

/** Adds a folder, or adds the contents to the existing one. @returns null if no parent matches */
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

/** Removes the first folder with that name in a matching parent. @returns null if there is none */
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

/** Removes all folders with that name in matching parents. @returns the contents of the last; null if there is none */
export function removeEveryFolder(
	tree: FolderTree,
	name: string,
	parent: FolderTest,
): { tree: FolderTree; contents: FolderTree } | null {
	const first = removeFolder(tree, name, parent);
	return first && (removeEveryFolder(first.tree, name, parent) ?? first);
}

/** Renames the first folder with that name. @returns null if no matching parent has one */
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

/** Renames all folders with that name in matching parents. */
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

/** Parses the JSON of `save_feed_order`; null if it is invalid. */
export function parseTree(text: string): FolderTree | null {
	try {
		const value: unknown = JSON.parse(text);
		return isTree(value) ? oneKeyEach(value) : null;
	} catch {
		return null;
	}
}

/** Splits objects with several folders into one object per folder. */
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
