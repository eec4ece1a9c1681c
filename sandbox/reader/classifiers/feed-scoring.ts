import { folderTree } from '../folders/folder-store.ts';
import { flatFolders } from '../folders/tree.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { classifiersByFeed } from './classifier-store.ts';
import type { Classifier } from './scoring.ts';

/** The classifiers that score stories. */
export interface FeedScoring {
	/** All classifiers that apply to a feed or `social:12`: its own, those of its folders, and global ones. */
	of(feed: number | string): Classifier[];
	/** Whether some classifiers match the text of stories. */
	readsTexts: boolean;
}

interface ScopedRow extends Classifier {
	feed_key: string;
	scope: string;
	folder_name: string;
}

/**
 * Loads the classifiers that score an account's stories. Text classifiers require the archive plan, URL classifiers the
 * premium plan; regular expressions require the pro plan, which no account of the sandbox has. `olderOnly`: only
 * classifiers that older servers support.
 */
export function scoringOf(
	reader: Reader,
	user: UserRow,
	{ subscribedOnly = false, olderOnly = false } = {},
): FeedScoring {
	const byFeed = classifiersByFeed(reader, user, subscribedOnly);
	const rows = olderOnly || !reader.is2026 ? [] : newerRows(reader, user);
	const folders = rows.length === 0 ? {} : flatFolders(folderTree(reader, user));
	const concerns = ({ scope, feed_key, folder_name }: ScopedRow, feed: number | string): boolean => {
		if (scope === 'feed') return feed_key === String(feed);
		return scope === 'global' || (folders[folder_name || ' '] ?? []).includes(Number(feed));
	};
	return {
		of: (feed) => [...(byFeed.get(String(feed)) ?? []), ...rows.filter((row) => concerns(row, feed))],
		readsTexts: rows.some(({ kind }) => kind === 'text'),
	};
}

function newerRows(reader: Reader, user: UserRow): ScopedRow[] {
	const kinds = reader.db.all<ScopedRow>(
		`SELECT feed_key, scope, folder_name, kind, value, score FROM reader_newer_classifiers
		WHERE user_id = ? AND kind NOT LIKE '%_regex'`,
		user.id,
	);
	const archive = reader.keepsEverything(user);
	return kinds.filter(
		({ kind, scope }) =>
			(archive || (kind !== 'text' && scope === 'feed')) && (kind !== 'url' || reader.isPremium(user)),
	);
}
