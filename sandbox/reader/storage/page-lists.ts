const lifetimeMs = 3_600_000;

/** A story in a list that pages are cut from. */
export interface ListedStory {
	id: number;
	hash: string;
	/** Publication or share; epoch seconds, as real hosts order lists by. */
	at: number;
}

interface PageList {
	stories: readonly ListedStory[];
	/** Those of the stories that are unread when the list is made, in the same order. */
	unread: readonly ListedStory[];
}

/**
 * The lists behind paged rivers (`page-lists`). Real hosts keep each for an hour under a key that holds the account and
 * little else, so page 2 of one river can come from the list of another. An empty list is not kept.
 */
export class PageLists {
	readonly #lists = new Map<string, PageList & { until: number }>();
	readonly #keepsFeeds: boolean;

	/** `keepsFeeds`: the lists of single feeds last until page 1 is asked for again. */
	constructor({ keepsFeeds }: { keepsFeeds: boolean }) {
		this.#keepsFeeds = keepsFeeds;
	}

	keep(key: string, list: PageList, now: number): void {
		this.#lists.delete(key);
		if (list.stories.length > 0) this.#lists.set(key, { ...list, until: now + lifetimeMs });
	}

	find(key: string, now: number): PageList | undefined {
		const list = this.#lists.get(key);
		return list && list.until > now ? list : undefined;
	}

	/** Has the unread stories of feeds looked up anew for the next page of one of them. */
	forgetFeeds(userId: number, feedIds: readonly number[]): void {
		if (this.#keepsFeeds) return;
		for (const id of feedIds) this.#lists.delete(feedPagesKey(userId, id));
	}
}

/** The key of the list behind the pages of one feed's unread stories. */
export const feedPagesKey = (userId: number, feedId: number): string => `feed:${userId}:${feedId}`;

/** Oldest first; stories of the same second by hash. */
export function inListOrder(stories: readonly ListedStory[]): ListedStory[] {
	return stories.toSorted((a, b) => a.at - b.at || (a.hash < b.hash ? -1 : 1));
}

/** The stories from one place of a list to another, both included, counted from the newest or the oldest. */
export function slice(
	list: readonly ListedStory[],
	oldestFirst: boolean,
	from: number,
	to: number,
): ListedStory[] {
	return (oldestFirst ? list : list.toReversed()).slice(from, to + 1);
}
