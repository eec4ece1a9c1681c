/** What is known of a feed's stories, by hash without the feed's id. */
export interface KnownFeed {
	/** The known stories that the list contains. */
	present: Set<string>;
	/** Known stories that have left the list; the last of them left last. */
	gone: Set<string>;
	/**
	 * For lists that contain only the newest stories of a feed: a date in Unix seconds. An unknown story with this date or
	 * an earlier one is not new: it fills the place of a story that left.
	 */
	until?: number;
	/** Whether the list lacks the feed because it is muted or no longer chosen: its stories stay in `present`. */
	isAway?: boolean;
}

/** The same, as it is saved. If too many stories have left, those that left first are missing. */
export interface SavedFeed extends Omit<KnownFeed, 'present' | 'gone'> {
	present: Packed;
	gone: Packed;
}

/** The most stories in `gone` of all feeds. */
const MAX_GONE = 20_000;

export const loadFeeds = (saved: Record<string, SavedFeed>): Map<string, KnownFeed> =>
	new Map(
		Object.entries(saved).map(([id, { present, gone, ...others }]) => [
			id,
			{ present: unpack(present), gone: unpack(gone), ...others },
		]),
	);

/** Saves the feeds with known stories. If too many stories have left, each feed loses the same share. */
export function saveFeeds(feeds: Map<string, KnownFeed>): Record<string, SavedFeed> {
	const total = [...feeds.values()].reduce((sum, { gone }) => sum + gone.size, 0);
	const share = Math.min(MAX_GONE / total, 1);
	const saved = [...feeds].map(([id, { present, gone, ...others }]): [string, SavedFeed] => {
		const left = [...gone].slice(gone.size - Math.ceil(gone.size * share));
		return [id, { present: pack(present), gone: pack(left), ...others }];
	});
	return Object.fromEntries(saved);
}

/** Hashes without their feed: those of six hexadecimal digits, joined and in Base64; then all others, as they are. */
export type Packed = string[];

const USUAL = /^[0-9a-f]{6}$/;
const USUAL_LENGTH = 6;

/** The members in the order in which they were packed. */
export function unpack([usual = '', ...others]: Packed): Set<string> {
	const hex = Buffer.from(usual, 'base64').toString('hex');
	const members = new Set<string>();
	for (let at = 0; at < hex.length; at += USUAL_LENGTH) members.add(hex.slice(at, at + USUAL_LENGTH));
	for (const other of others) members.add(other);
	return members;
}

export function pack(members: Iterable<string>): Packed {
	const all = [...members];
	if (all.length === 0) return [];
	const usual = all.filter((member) => USUAL.test(member)).join('');
	return [Buffer.from(usual, 'hex').toString('base64'), ...all.filter((member) => !USUAL.test(member))];
}
