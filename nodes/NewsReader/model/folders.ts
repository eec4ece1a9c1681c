import type { Api } from '../../runtime/api-types';
import { isRecord, quoted, toInteger } from '../../runtime/values';

export interface Folder {
	/** Its name; empty for the top level. */
	name: string;
	/** The names from the top level down to it; none for the top level. */
	names: string[];
	/** The names as a path: joined by " / ", each slash in a name written `\/`. */
	path: string;
	feedIds: number[];
}

/** How the flat form joins the names of nested folders (seen in the wild). */
export const FLAT_SEPARATOR = ' - ';

/** The top level comes first. The flat form has a key for each folder, with the names of nested ones joined. */
export function foldersOf(tree: unknown): Folder[] {
	if (Array.isArray(tree)) return nested(tree, []);
	return entriesOf(tree).flatMap(([name, feeds]) => nested(feeds, name.trim() === '' ? [] : [name]));
}

function nested(members: unknown, names: string[]): Folder[] {
	if (!Array.isArray(members)) return nested([], names);
	const feedIds = members.map(toInteger).filter((id) => id !== undefined);
	const folder: Folder = { name: names.at(-1) ?? '', names, path: pathOf(names), feedIds };
	const below = members.flatMap(entriesOf).flatMap(([name, inside]) => nested(inside, [...names, name]));
	return [folder, ...below];
}

const entriesOf = (member: unknown): Array<[string, unknown]> =>
	isRecord(member) ? Object.entries(member) : [];

const escaped = (name: string): string => name.trim().replace(/\\(?=[\\/])|\//g, '\\$&');

export const pathOf = (names: readonly string[]): string => names.map(escaped).join(' / ');

/** The names in a path that a user entered, such as `Tech/Deep` or `AC\/DC`. */
export const namesIn = (path: string): string[] =>
	(path.match(/(?:\\[\\/]|[^/])+/g) ?? [])
		.map((name) => name.trim().replace(/\\([\\/])/g, '$1'))
		.filter((name) => name !== '');

/** The normal form of a path that a user entered; undefined for the top level. */
export const toFolderPath = (written: unknown): string | undefined =>
	pathOf(namesIn(String(written))) || undefined;

export function folderAdvice(folders: readonly Folder[]): string {
	const paths = folders.filter(({ names }) => names.length > 0).map(({ path }) => path);
	return paths.length > 0 ? `The folders are: ${paths.join(', ')}` : 'There are no folders yet';
}

/** Whether two lists of names are the same folder, as far as the service trims names. */
export const areSame = (a: readonly string[], b: readonly string[]): boolean =>
	a.length === b.length && a.every((name, depth) => name.trim() === b[depth]?.trim());

export const isInside = (inner: Folder, outer: Folder): boolean =>
	outer.names.every((name, depth) => inner.names[depth] === name);

export const feedsInside = (folders: readonly Folder[], outer: Folder): number[] => [
	...new Set(folders.filter((folder) => isInside(folder, outer)).flatMap(({ feedIds }) => feedIds)),
];

/** The folder that a path means; blank is the top level. */
export function folderAt(folders: readonly Folder[], path: string, label: string, api: Api): Folder {
	const folder = folderMeant(folders, path, label, api);
	if (folder) return folder;
	throw api.parameterError(label, `${quoted(path)} does not exist`, folderAdvice(folders));
}

/** Refuses a path that can mean two folders, as `News/World` can. */
export function folderMeant(
	folders: readonly Folder[],
	path: string,
	label: string,
	api: Api,
): Folder | undefined {
	const written = namesIn(path);
	const isExact = written.length === 0 || /\\[\\/]/.test(path);
	const [folder, twin] = folders.filter(({ names }) =>
		areSame(isExact ? names : names.join('/').split('/'), written),
	);
	if (folder && twin) {
		throw api.parameterError(
			label,
			`"${path}" can mean two folders, "${folder.path}" and "${twin.path}"`,
			'Write a slash in a name as \\/, or rename one of them in the service first',
		);
	}
	return folder;
}
