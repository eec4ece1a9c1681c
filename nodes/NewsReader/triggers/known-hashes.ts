/** What is known of a feed's stories, by hash without the feed's id. */
export interface KnownFeed {
	/** The known stories that the list contains. */
	present: Set<string>;
	/** Known stories that have left the list; the last of them left last. */
	gone: Set<string>;
	/**
	 * For lists that contain only the newest stories of a feed: a date in Unix seconds. A story that is not present is no
	 * event if it has this date or an earlier one: it fills the place of a story that left.
	 */
	until?: number;
	/** Whether the list lacks the feed because it is muted or no longer chosen: its stories stay in `present`. */
	isAway?: boolean;
}

/** The same, as it is saved. If too many stories have left, those that left first are missing. */
export interface SavedFeed extends Omit<KnownFeed, 'present' | 'gone'> {
	present: string[];
	gone: string[];
}

/** The most stories in `gone` of all feeds, and the most that are known to have come back. */
export const MAX_GONE = 20_000;

export const loadFeeds = (saved: Record<string, SavedFeed>): Map<string, KnownFeed> =>
	new Map(
		Object.entries(saved).map(([id, { present, gone, ...others }]) => [
			id,
			{ present: new Set(present), gone: new Set(gone), ...others },
		]),
	);

/** The feeds as they are saved. If too many stories have left, each feed loses the same share. */
export function saveFeeds(feeds: Map<string, KnownFeed>): Record<string, SavedFeed> {
	const total = [...feeds.values()].reduce((sum, { gone }) => sum + gone.size, 0);
	const share = Math.min(MAX_GONE / total, 1);
	const saved = [...feeds].map(([id, { present, gone, ...others }]): [string, SavedFeed] => {
		const left = [...gone].slice(gone.size - Math.ceil(gone.size * share));
		return [id, { present: [...present], gone: left, ...others }];
	});
	return Object.fromEntries(saved);
}
