import { Fault } from '../http/response.ts';
import type { Reader } from '../reader.ts';
import { inList } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';
import { unreadShareCondition } from './counts.ts';
import { inListOrder, slice, type ListedStory } from '../storage/page-lists.ts';

/** How much longer than the unread window the river of all shared stories reaches back on real hosts. */
const extraMs = 1_000_000;

interface ShareRiverSearch {
	/** Whose shares; of a story that several shared, the last one counts. */
	sharerIds: readonly number[];
	/** Whether somebody was asked for who is not followed, among others who are. */
	withStrangers: boolean;
	unreadOnly: boolean;
	oldestFirst: boolean;
	limit: number;
	offset: number;
}

export interface SharedRow {
	story_id: number;
	/** Who shared it. */
	user_id: number;
	/** When it was shared; epoch milliseconds. */
	last_at: number;
}

interface ShareRiverPage {
	rows: SharedRow[];
	unreadIds: ReadonlySet<number>;
}

interface Share extends ListedStory, SharedRow {}

/**
 * A page of the river of shared stories as real hosts answer it (`page-lists`): later pages come from the list of the
 * account's last page 1, whoever's shares that one was of. Each page has its newest story first, whatever the order.
 */
export function shareRiverPage(reader: Reader, user: UserRow, search: ShareRiverSearch): ShareRiverPage {
	const { sharerIds, unreadOnly, oldestFirst, limit, offset } = search;
	const now = reader.now();
	const key = `shares:${user.id}`;
	const found = offset > 0 ? reader.pageLists.find(key, now) : undefined;
	const kept = found?.unread.length ? found : undefined;
	if (kept === undefined && search.withStrangers) throw new Fault('One of the users is not followed.', 500);
	const list = kept ?? {
		stories: listShares(reader, user, sharerIds, unreadOnly),
		unread: listShares(reader, user, sharerIds, true),
	};
	if (kept === undefined) reader.pageLists.keep(key, list, now);

	const last = offset + limit - 1;
	const page = slice(list.stories, oldestFirst, offset, last) as Share[];
	const unread = unreadOnly
		? page
		: slice(list.unread, oldestFirst, kept ? 0 : offset, kept ? offset + last : last);
	return {
		rows: page.toSorted((a, b) => b.at - a.at || b.id - a.id),
		unreadIds: new Set(unread.map(({ id }) => id)),
	};
}

function listShares(
	reader: Reader,
	user: UserRow,
	sharerIds: readonly number[],
	unreadOnly: boolean,
): ListedStory[] {
	const condition = unreadOnly
		? unreadShareCondition(reader, user)
		: { sql: 'shared_at >= ?', values: [reader.unreadSince(user) - extraMs] };
	const shares = reader.db.all<Share>(
		`SELECT story_id, story_id id, user_id, story_hash hash, shared_at last_at, shared_at / 1000 at
		FROM reader_shares shares JOIN reader_stories stories ON stories.id = story_id
		JOIN json_each(?) sharers ON sharers.value = user_id WHERE ${condition.sql} ORDER BY sharers.key`,
		inList(sharerIds),
		...condition.values,
	);
	return inListOrder([...new Map(shares.map((share) => [share.id, share])).values()]);
}
