import { topLevel, type FolderTest } from './tree.ts';

/** How requests identify the folder to change (`inside`) and the folder to add to (`target`). */
export interface FolderMatching {
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

/** Contract, "Feed management". */
export const contractMatching: FolderMatching = { inside: byName, target: byName, silent: false };

/**
 * As seen on real hosts: `inside` matches every folder whose name contains the text, so a blank text matches all;
 * `target` is case-insensitive; nothing is rejected.
 */
export const wildMatching: FolderMatching = {
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
export const exactMatching: FolderMatching = {
	inside: (name) => (isTopLevel(name) ? topLevel : (own, path) => path.length > 0 && own === name),
	target: wildMatching.target,
	silent: true,
	takesFirstPlace: true,
	deletesEverywhere: true,
};

function isTopLevel(name: string): boolean {
	return name.trim() === '' || name.includes('Top Level');
}
