import { Rejection } from '../http/response.ts';
import type { Call } from '../http/reader-route.ts';
import { contentsOf, type FolderTest, type FolderTree } from './tree.ts';

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
