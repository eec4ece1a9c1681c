/** Texts the service makes of times. Every time is epoch milliseconds; every text is in UTC. */

const dayMs = 86_400_000;
const units: readonly [number, string][] = [
	[365 * dayMs, 'year'],
	[30 * dayMs, 'month'],
	[7 * dayMs, 'week'],
	[dayMs, 'day'],
	[3_600_000, 'hour'],
	[60_000, 'minute'],
	[1000, 'second'],
];

/** `2 hours`: how long a span is, in its largest unit. */
export function spanText(spanMs: number): string {
	for (const [size, name] of units) {
		const count = Math.floor(spanMs / size);
		if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'}`;
	}
	return '0 seconds';
}

/** `2026-09-01 12:30:00` */
export function plainDate(at: number): string {
	return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** `2026-09-01 12:30:00.250000`, as the wild writes dates of what people do. */
export function fractionalDate(at: number): string {
	return `${plainDate(at)}.${String(at % 1000).padStart(3, '0')}000`;
}

/** Whole unix seconds. */
export function seconds(at: number): number {
	return Math.floor(at / 1000);
}

/** How many whole hours the clocks of a zone are ahead of UTC at a time. */
export function hoursAhead(timeZone: string, at: number): number {
	const text = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(at);
	return Number(/GMT([+-]\d\d)/.exec(text)?.[1] ?? 0);
}

// Made once: to make one takes a hundred times as long as to use it, and every story is dated.
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
export function shortDate(at: number): string {
	const date = new Date(at);
	const day = String(date.getUTCDate()).padStart(2, '0');
	return `${day} ${shortMonth.format(at)} ${date.getUTCFullYear()}, ${clockText(at)}`;
}

function ordinal(day: number): string {
	const teen = day % 100 >= 11 && day % 100 <= 13;
	return `${day}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')}`;
}

/** `Today, September 1st 7:30am`; the weekday for older days, the year too for those of other years. */
export function longDate(at: number, now: number): string {
	const daysAgo = Math.floor(now / dayMs) - Math.floor(at / dayMs);
	const day = ['Today', 'Yesterday'][daysAgo] ?? weekday.format(at);
	const date = new Date(at);
	const otherYear = date.getUTCFullYear() !== new Date(now).getUTCFullYear();
	const year = otherYear ? ` ${date.getUTCFullYear()}` : '';
	return `${day}, ${month.format(at)} ${ordinal(date.getUTCDate())}${year} ${clockText(at)}`;
}
