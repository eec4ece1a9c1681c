import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';

/** Marks the counts of feeds as outdated, so that the next list counts them again. */
export function forgetCounts(reader: Reader, user: UserRow, feedIds: readonly number[]): void {
	reader.db.run(
		`UPDATE reader_stored_counts SET stale = 1
		WHERE user_id = ? AND feed_id IN (SELECT value FROM json_each(?))`,
		user.id,
		inList(feedIds),
	);
}
