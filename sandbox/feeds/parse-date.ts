/** Zone names in feeds, as minutes east of Greenwich. Military letters other than Z are unreliable and count as UTC. */
const ZONES: Record<string, number> = {
	UT: 0,
	UTC: 0,
	GMT: 0,
	Z: 0,
	WET: 0,
	WEST: 60,
	BST: 60,
	CET: 60,
	MET: 60,
	CEST: 120,
	MEST: 120,
	EET: 120,
	EEST: 180,
	MSK: 180,
	IST: 330,
	HKT: 480,
	SGT: 480,
	AWST: 480,
	JST: 540,
	KST: 540,
	AEST: 600,
	AEDT: 660,
	NZST: 720,
	NZDT: 780,
	BRT: -180,
	AST: -240,
	EDT: -240,
	EST: -300,
	CDT: -300,
	CST: -360,
	MDT: -360,
	MST: -420,
	PDT: -420,
	PST: -480,
};

/** Prefixes of the month names in English and other languages, without accents. */
const MONTHS = [
	['jan', 'ene', 'gen'],
	['feb', 'fev'],
	['mar', 'mrz'],
	['apr', 'abr', 'avr'],
	['may', 'mai', 'mag', 'mei'],
	['jun', 'juin', 'giu'],
	['jul', 'juil', 'lug'],
	['aug', 'ago', 'aou'],
	['sep', 'set'],
	['oct', 'okt', 'out', 'ott'],
	['nov'],
	['dec', 'dez', 'dic'],
];

const TIME = String.raw`(?:[\sT,]+(?:at\s+)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?)?`;
const ZONE = String.raw`\s*(?:\(?([A-Z]{1,5})?\s*([+-]\d{1,2}:?(?:\d{2})?)?\)?(?:\s*\([^)]*\))?)?`;

/** 2026-09-01, 2026-09-01T12:30:00Z, 20260901T123000Z, 2026/09/01 12:30 +0200 … */
const NUMERIC = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?${TIME}${ZONE}$`, 'i');
const COMPACT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?()()([A-Z]{1,5})?([+-]\d{2}:?\d{2})?$/i;
/** Tue, 01 Sep 2026 12:30:00 GMT, and similar. */
const DAY_FIRST = new RegExp(
	String.raw`^(?:\p{L}+\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th)?[\s\-]+(\p{L}{3,10})\.?,?[\s\-]+(\d{4}|\d{2})${TIME}${ZONE}$`,
	'iu',
);
/** September 1, 2026 12:30 pm; Tue Sep 1 2026 12:30:00 GMT+0200 (CEST) */
const MONTH_FIRST = new RegExp(
	String.raw`^(?:[a-z]+\.?,?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${TIME}${ZONE}$`,
	'i',
);
/** Tue Sep  1 12:30:00 UTC 2026, as the date command prints it. */
const YEAR_LAST =
	/^[a-z]{3},?\s+([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(?:([A-Z]{1,5})\s+)?([+-]\d{4}\s+)?(\d{4})$/i;
/** Seconds or milliseconds since 1970, as in some JSON feeds. */
const UNIX = /^(\d{10})(\d{3})?$/;

interface DateParts {
	year: string;
	/** 0 to 11. */
	month: number;
	day?: string;
	/** Captures of TIME and ZONE: hour, minute, second, fraction, am/pm, zone name, zone offset. */
	rest: (string | undefined)[];
}

function monthNamed(name: string | undefined): number {
	const plain = (name ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
	return MONTHS.findIndex((beginnings) => beginnings.some((beginning) => plain.startsWith(beginning)));
}

function split(text: string): DateParts | null {
	const numeric = NUMERIC.exec(text) ?? COMPACT.exec(text);
	if (numeric) {
		const [, year = '', month, day, ...rest] = numeric;
		return { year, month: Number(month) - 1, day, rest };
	}
	const dayFirst = DAY_FIRST.exec(text);
	if (dayFirst) {
		const [, day, month, year = '', ...rest] = dayFirst;
		return { year, month: monthNamed(month), day, rest };
	}
	const monthFirst = MONTH_FIRST.exec(text);
	if (monthFirst) {
		const [, month, day, year = '', ...rest] = monthFirst;
		return { year, month: monthNamed(month), day, rest };
	}
	const yearLast = YEAR_LAST.exec(text);
	if (yearLast) {
		const [, month, day, hour, minute, second, zone, offset, year = ''] = yearLast;
		const rest = [hour, minute, second, undefined, undefined, zone, offset?.trim()];
		return { year, month: monthNamed(month), day, rest };
	}
	return null;
}

/** Expands RFC 822 years of two digits: 70 and later are in the 20th century. */
function fullYear(year: string): number {
	const value = Number(year);
	if (year.length > 2) return value;
	return value < 70 ? 2000 + value : 1900 + value;
}

function hourOfDay(hour: string | undefined, half: string | undefined): number {
	const value = Number(hour ?? 0);
	if (!half) return value;
	return (value % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
}

function minutesEast(name: string | undefined, offset: string | undefined): number {
	if (offset) {
		const digits = offset.slice(1).replace(':', '');
		const hours = Number(digits.length > 2 ? digits.slice(0, -2) : digits);
		const minutes = Number(digits.length > 2 ? digits.slice(-2) : 0);
		return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
	}
	return ZONES[(name ?? '').toUpperCase()] ?? 0;
}

/**
 * Parses a date of a feed: ISO 8601 and RFC 3339, RFC 822/2822 with named or unusual zones, two-digit years,
 * ordinals, am/pm, 24:00, Unix seconds. A date without zone is UTC.
 * @returns epoch milliseconds, or null for anything else ("yesterday", "31 Feb 2026", "")
 */
export function parseDate(raw: string | undefined): number | null {
	const text = (raw ?? '').replace(/\s+/g, ' ').trim();
	const unix = UNIX.exec(text);
	if (unix) return Number(unix[1]) * 1000 + Number(unix[2] ?? 0);
	const parts = split(text);
	if (!parts) return null;
	const [hour, minute, second, fraction, half, zone, offset] = parts.rest;
	const day = Number(parts.day ?? 1);
	const midnight = Date.UTC(fullYear(parts.year), parts.month, day);
	const clock = [hourOfDay(hour, half), Number(minute ?? 0), Number(second ?? 0)] as const;
	// Rejects dates such as 31 February, which Date.UTC converts to March.
	const exists = new Date(midnight).getUTCDate() === day && parts.month >= 0 && parts.month < 12;
	if (!exists || clock[0] > 24 || clock[1] > 59 || clock[2] > 60) return null;
	const milliseconds = Number(`0.${fraction ?? 0}`) * 1000;
	const local = midnight + ((clock[0] * 60 + clock[1]) * 60 + clock[2]) * 1000 + Math.floor(milliseconds);
	return local - minutesEast(zone, offset) * 60_000;
}
