import { hoursAhead } from '../format-date.ts';
import type { Reader } from '../reader.ts';
import type { Condition } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';

/** Ranges of days in lists of stories (`date-ranges`), of the archive plan only. */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Start (inclusive) and end (exclusive) in epoch milliseconds. */
export interface DateRange {
	from?: number;
	before?: number;
}

/** The range of `date_filter_start` to `date_filter_end`; undefined where it is ignored. A bad date is as good as none. */
export function dateRange(
	reader: Reader,
	user: UserRow,
	start: string | undefined,
	end: string | undefined,
): DateRange | undefined {
	if (!reader.is2026 || !reader.keepsEverything(user)) return undefined;
	const [from, last] = [startOfDay(start), startOfDay(end)];
	if (from === undefined && last === undefined) return undefined;
	return { from, before: last === undefined ? undefined : startOfDay(isoDay(last + 1.5 * dayMs)) };
}

export function dateCondition(column: string, { from, before }: DateRange = {}): Condition {
	return {
		sql: `${from === undefined ? '' : ` AND ${column} >= ?`}${before === undefined ? '' : ` AND ${column} < ?`}`,
		values: [from, before].filter((at) => at !== undefined),
	};
}

/** When a day `YYYY-MM-DD` begins in the zone of the accounts. */
function startOfDay(text: string | undefined): number | undefined {
	const utc = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
	return Number.isNaN(utc) ? undefined : utc - hoursAhead(utc) * hourMs;
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
