import type { UserRow } from './rows.ts';

const hourMs = 3_600_000;

/** Start (inclusive) and end (exclusive) in epoch milliseconds. */
export interface DateRange {
	from?: number;
	before?: number;
}

/**
 * Lists of unread hashes that a list of unread stories with a range has cut to that range, by account and feed. The
 * service damages them so for an hour, or until the feed is counted anew.
 */
export class UnreadCuts {
	readonly #cuts = new Map<string, DateRange & { until: number }>();

	cut(user: UserRow, feedIds: readonly number[], range: DateRange, now: number): void {
		for (const id of feedIds) this.#cuts.set(`${user.id} ${id}`, { ...range, until: now + hourMs });
	}

	/** Whether a story is in the list of its feed's unread hashes. */
	shows(user: UserRow, feedId: number, publishedAt: number, now: number): boolean {
		const cut = this.#cuts.get(`${user.id} ${feedId}`);
		if (cut === undefined || cut.until <= now) return true;
		const { from = 0, before = Number.POSITIVE_INFINITY } = cut;
		return publishedAt >= from && publishedAt < before;
	}

	forget(user: UserRow, feedIds: readonly number[]): void {
		for (const id of feedIds) this.#cuts.delete(`${user.id} ${id}`);
	}
}
