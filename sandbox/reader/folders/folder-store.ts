import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { contractMatching, exactMatching, wildMatching, type FolderMatching } from './matching.ts';
import type { FolderTree } from './tree.ts';

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
