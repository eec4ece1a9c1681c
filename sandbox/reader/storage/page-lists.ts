const lifetimeMs = 3_600_000;

/** A story in a stored list. */
export interface ListedStory {
	id: number;
	hash: string;
	/** Time of publication or share in epoch seconds, by which real hosts sort lists. */
	at: number;
}

interface PageList {
	stories: readonly ListedStory[];
	/** The stories that are unread when the list is created, in the same order. */
	unread: readonly ListedStory[];
}

/**
 * The stored lists of paged rivers (`page-lists`). Real hosts cache each for an hour with a key that contains the account
 * and little else, so page 2 of a river can be from the list of another river. Empty lists are not stored.
 */
export class PageLists {
	readonly #lists = new Map<string, PageList & { until: number }>();

	keep(key: string, list: PageList, now: number): void {
		this.#lists.delete(key);
		if (list.stories.length > 0) this.#lists.set(key, { ...list, until: now + lifetimeMs });
	}

	find(key: string, now: number): PageList | undefined {
		const list = this.#lists.get(key);
		return list && list.until > now ? list : undefined;
	}

	/** Drops the lists of feeds, so that the next page reads the unread stories again. */
	forgetFeeds(userId: number, feedIds: readonly number[]): void {
		for (const id of feedIds) this.#lists.delete(feedPagesKey(userId, id));
	}
}

/** The key of the list behind the pages of one feed's unread stories. */
export const feedPagesKey = (userId: number, feedId: number): string => `feed:${userId}:${feedId}`;

/** Sorts oldest first, and stories of the same second by hash. */
export function inListOrder(stories: readonly ListedStory[]): ListedStory[] {
	return stories.toSorted((a, b) => a.at - b.at || (a.hash < b.hash ? -1 : 1));
}

/** The stories between two positions of a list, inclusive, counted from the newest or the oldest. */
export function slice(
	list: readonly ListedStory[],
	oldestFirst: boolean,
	from: number,
	to: number,
): ListedStory[] {
	return (oldestFirst ? list : list.toReversed()).slice(from, to + 1);
}
