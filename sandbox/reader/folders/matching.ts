import { topLevel, type FolderTest } from './tree.ts';

/** How calls name the folder they act in (`inside`) and the one they put something into (`target`). */
export interface FolderMatching {
	inside(name: string): FolderTest;
	target(name: string): FolderTest;
	/** Whether a call that finds nothing to change reports success. */
	silent: boolean;
	/** Whether a feed that is not in the folder named is taken out of the first folder that has it. */
	takesFirstPlace?: true;
	/** Whether a folder is deleted everywhere when no parent is named. */
	deletesEverywhere?: true;
}

/** By name, or by path as flat lists write it (`Tech - Deep`); blank is the top level. */
function byName(name: string): FolderTest {
	return name.trim() === '' ? topLevel : (own, path) => own === name || path.join(' - ') === name;
}

/** Contract, "Feed management". */
export const contractMatching: FolderMatching = { inside: byName, target: byName, silent: false };

/**
 * As seen on real hosts: the folder acted in is any whose name contains the text, so that a blank one is every folder;
 * the target is compared without case; nothing is refused.
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

/** The reader of 2026: the folder acted in is the one of exactly this name; a blank name is the top level. */
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
