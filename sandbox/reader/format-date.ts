/** Formats times like the service. Times are epoch milliseconds; texts are in UTC unless noted. */

const dayMs = 86_400_000;
const units: readonly [number, string][] = [
	[dayMs, 'day'],
	[3_600_000, 'hour'],
	[60_000, 'minute'],
	[1000, 'second'],
];

/** A duration in its largest unit: `2 hours`. */
export function spanText(spanMs: number): string {
	for (const [size, name] of units) {
		const count = Math.floor(spanMs / size);
		if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'}`;
	}
	return 'just a second';
}

/** `2026-09-01 12:30:00` */
export function plainDate(at: number): string {
	return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** `2026-09-01 12:30:00.250000`, the format of users' actions on real hosts. */
export function fractionalDate(at: number): string {
	return `${plainDate(at)}.${String(at % 1000).padStart(3, '0')}000`;
}

/** Whole unix seconds. */
export function seconds(at: number): number {
	return Math.floor(at / 1000);
}

/** The time zone of all accounts on real hosts, which no endpoint can change. */
const accountZone = 'America/New_York';
const offset = new Intl.DateTimeFormat('en-US', { timeZone: accountZone, timeZoneName: 'longOffset' });

/** Whole hours between UTC and the accounts' time zone at a time. */
export function hoursAhead(at: number): number {
	return Number(/GMT([+-]\d\d)/.exec(offset.format(at))?.[1] ?? 0);
}

// Created once, because creating a formatter is a hundred times slower than using it, and every story has a date.
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

function clockText(at: number): string {
	const date = new Date(at);
	const hours = date.getUTCHours();
	const minutes = String(date.getUTCMinutes()).padStart(2, '0');
	return `${hours % 12 || 12}:${minutes}${hours < 12 ? 'am' : 'pm'}`;
}

/** `01 Sep 2026, 7:30am` */
function shortDate(at: number): string {
	const date = new Date(at);
	const day = String(date.getUTCDate()).padStart(2, '0');
	return `${day} ${shortMonth.format(at)} ${date.getUTCFullYear()}, ${clockText(at)}`;
}

function ordinal(day: number): string {
	const teen = day % 100 >= 11 && day % 100 <= 13;
	return `${day}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')}`;
}

/** `Today, September 1st 7:30am`; older dates have the weekday, and the year if it is another year. */
function longDate(at: number, now: number): string {
	const daysAgo = Math.floor(now / dayMs) - Math.floor(at / dayMs);
	const day = ['Today', 'Yesterday'][daysAgo] ?? weekday.format(at);
	const date = new Date(at);
	const otherYear = date.getUTCFullYear() !== new Date(now).getUTCFullYear();
	const year = otherYear ? ` ${date.getUTCFullYear()}` : '';
	return `${day}, ${month.format(at)} ${ordinal(date.getUTCDate())}${year} ${clockText(at)}`;
}

/** Short and long dates of a story. */
export interface DateTexts {
	short(at: number): string;
	long(at: number): string;
}

export const utcDates = (now: number): DateTexts => ({
	short: shortDate,
	long: (at) => longDate(at, now),
});
