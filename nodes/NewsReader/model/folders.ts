import { isRecord, toInteger } from '../../runtime/values';

/** One folder of the tree: where it is, and the feeds that are directly in it. */
export interface Folder {
	/** Its name; empty for the top level. */
	name: string;
	/** The names from the top level down to it; none for the top level. */
	names: string[];
	/** The names from the top level down to it, joined by " / ". */
	path: string;
	feedIds: number[];
}

export const PATH_SEPARATOR = ' / ';
/** How the flat form joins the names of nested folders (seen in the wild). */
export const FLAT_SEPARATOR = ' - ';

/** All folders of a tree, the top level first, from the nested or from the flat form. */
export function foldersOf(tree: unknown): Folder[] {
	if (Array.isArray(tree)) return nested(tree, []);
	return isRecord(tree) ? flat(tree) : [];
}

function nested(members: unknown[], names: string[]): Folder[] {
	const feedIds = members.map(toInteger).filter((id) => id !== undefined);
	const folder: Folder = { name: names.at(-1) ?? '', names, path: pathOf(names), feedIds };
	const below = members
		.filter(isRecord)
		.flatMap((member) =>
			Object.entries(member).flatMap(([name, inside]) =>
				nested(Array.isArray(inside) ? inside : [], [...names, name]),
			),
		);
	return [folder, ...below];
}

/** The id of a feed; older hosts put the feed itself into its folder (seen in the wild). */
const feedIdOf = (feed: unknown): number | undefined => toInteger(isRecord(feed) ? feed.id : feed);

const flat = (tree: Record<string, unknown>): Folder[] =>
	Object.entries(tree).map(([key, feeds]) => {
		const names = key.trim() === '' ? [] : key.split(FLAT_SEPARATOR);
		return {
			name: names.at(-1) ?? '',
			names,
			path: pathOf(names),
			feedIds: (Array.isArray(feeds) ? feeds : []).map(feedIdOf).filter((id) => id !== undefined),
		};
	});

/** The normal form of a path that a user entered, such as `Tech/Deep`. */
export const toFolderPath = (written: unknown): string | undefined =>
	String(written)
		.split('/')
		.map((name) => name.trim())
		.filter((name) => name !== '')
		.join(PATH_SEPARATOR) || undefined;

/** The path of the folder with these names from the top level down. */
export const pathOf = (names: readonly string[]): string => toFolderPath(names.join('/')) ?? '';

/** Lists the existing folders, for an error about a missing one. */
export function folderAdvice(folders: readonly Folder[]): string {
	const paths = folders.map(({ path }) => path).filter((path) => path !== '');
	return paths.length > 0 ? `The folders are: ${paths.join(', ')}` : 'There are no folders yet';
}

/** The feeds of some folders and of the folders inside them; undefined if there is no such folder. */
export function feedsInFolders(
	folders: readonly Folder[],
	isChosen: (folder: Folder) => boolean,
): number[] | undefined {
	const outer = folders.filter(isChosen).map(({ path }) => path);
	if (outer.length === 0) return undefined;
	const inside = folders.filter(({ path }) =>
		outer.some((other) => path === other || path.startsWith(`${other}${PATH_SEPARATOR}`)),
	);
	return [...new Set(inside.flatMap(({ feedIds }) => feedIds))];
}
