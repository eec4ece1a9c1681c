import { topLevel, type FolderTest, contentsOf, type FolderTree } from './tree.ts';
import { Rejection } from '../http/response.ts';
import type { Call } from '../http/reader-route.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';

/** How requests identify the folder to change (`inside`) and the folder to add to (`target`). */
interface FolderMatching {
	inside(name: string): FolderTest;
	target(name: string): FolderTest;
	/** Whether a request without an effect reports success. */
	silent: boolean;
	/** Whether a feed that is not in the requested folder is removed from its first folder. */
	takesFirstPlace?: true;
	/** Whether a request without a parent deletes all folders with the name. */
	deletesEverywhere?: true;
}

/** Matches by name, or by path as in flat lists (`Tech - Deep`); blank is the top level. */
function byName(name: string): FolderTest {
	return name.trim() === '' ? topLevel : (own, path) => own === name || path.join(' - ') === name;
}

/** Interface document, "Feed management". */
const contractMatching: FolderMatching = { inside: byName, target: byName, silent: false };

/**
 * As seen on real hosts: `inside` matches every folder whose name contains the text, so a blank text matches all;
 * `target` is case-insensitive; nothing is rejected.
 */
const wildMatching: FolderMatching = {
	inside: (name) => {
		const part = isTopLevel(name) ? '' : name;
		return (own) => own.includes(part);
	},
	target: (name) => {
		if (isTopLevel(name)) return topLevel;
		const wanted = name.toLowerCase();
		return (own, path) => path.length > 0 && own.toLowerCase() === wanted;
	},
	silent: true,
};

/** The reader of 2026: `inside` is the folder with exactly this name; a blank name is the top level. */
const exactMatching: FolderMatching = {
	inside: (name) => (isTopLevel(name) ? topLevel : (own, path) => path.length > 0 && own === name),
	target: wildMatching.target,
	silent: true,
	takesFirstPlace: true,
	deletesEverywhere: true,
};

/** The name of a folder in a field; undefined if the field is missing. Real hosts cut `river:` out of it. */
export function folderNameIn({ reader, parameters }: Call, field: string): string | undefined {
	const name = parameters.text(field);
	return reader.isReal ? name?.replaceAll('river:', '') : name;
}

function isTopLevel(name: string): boolean {
	return name.trim() === '' || name.includes('Top Level');
}

/** Folders by path: a JSON array of names, outermost first; `[]` is the top level. */

const refused = (problem: string) => new Rejection(problem);

/** The path of exactly one folder in a field; undefined if the field is missing or the host does not support paths. */
export function pathIn(call: Call, tree: FolderTree, field: string): string[] | undefined {
	const text = fieldOf(call, field);
	if (text === undefined) return undefined;
	const path = parsed(text, field);
	if (!isPath(path)) throw refused(`${field} must be a JSON array of folder names.`);
	checkPath(tree, path);
	return path;
}

/** The array of paths in a field. */
export function pathsIn(call: Call, tree: FolderTree, field: string): string[][] | undefined {
	const text = fieldOf(call, field);
	if (text === undefined) return undefined;
	const paths = parsed(text, field);
	if (!Array.isArray(paths) || !paths.every(isPath)) {
		throw refused(`${field} must be a JSON array of arrays of folder names.`);
	}
	for (const path of paths) checkPath(tree, path);
	return paths;
}

/** The path of a folder to change; rejects the top level. */
export function folderPathIn(call: Call, tree: FolderTree): { name: string; parent: FolderTest } | undefined {
	const path = pathIn(call, tree, 'folder_path');
	if (path === undefined) return undefined;
	const name = path.at(-1);
	if (name === undefined) throw refused('The top level cannot be renamed or deleted.');
	return { name, parent: atPath(path.slice(0, -1)) };
}

export function atPath(wanted: readonly string[]): FolderTest {
	return (_name, path) =>
		path.length === wanted.length && path.every((name, index) => name === wanted[index]);
}

function fieldOf(call: Call, field: string): string | undefined {
	return call.reader.is2026 ? call.parameters.text(field) : undefined;
}

function parsed(text: string, field: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		throw refused(`${field} is not JSON.`);
	}
}

function isPath(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((name) => typeof name === 'string' && name.trim() !== '');
}

function checkPath(tree: FolderTree, path: readonly string[]): void {
	let entries = tree;
	for (const name of path) {
		const [found, second] = entries.flatMap((entry) => {
			const contents = contentsOf(entry, name);
			return contents === undefined ? [] : [contents];
		});
		if (found === undefined) throw refused(`There is no folder ${path.join(' - ')}.`);
		if (second !== undefined) throw refused(`There are two folders ${name} side by side.`);
		entries = found;
	}
}

/** The account's current folders. */
export function folderTree(reader: Reader, user: UserRow): FolderTree {
	const row = reader.db.get<{ folders: string }>('SELECT folders FROM reader_users WHERE id = ?', user.id);
	return JSON.parse(row?.folders ?? '[]') as FolderTree;
}

export function saveFolderTree(reader: Reader, user: UserRow, tree: FolderTree): void {
	reader.db.run('UPDATE reader_users SET folders = ? WHERE id = ?', JSON.stringify(tree), user.id);
}

export function folderMatching(reader: Reader): FolderMatching {
	if (reader.is2026) return exactMatching;
	return reader.isReal ? wildMatching : contractMatching;
}
