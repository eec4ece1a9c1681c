import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { isBlank, isRecord, toInteger, toText } from '../../runtime/values';

/** Members of the envelope, which every response mixes into its data (seen in the wild). */
const ENVELOPE = new Set(['result', 'authenticated', 'code', 'errors']);

/** Without an envelope, `user_id` is not the caller's but belongs to the data. */
export function withoutEnvelope({ json }: ApiResponse): Record<string, unknown> | undefined {
	if (!isRecord(json)) return undefined;
	const hasEnvelope = 'authenticated' in json;
	return Object.fromEntries(
		Object.entries(json).filter(([key]) => !ENVELOPE.has(key) && !(hasEnvelope && key === 'user_id')),
	);
}

export const sourceOf = ({ host }: ApiResponse): string => host.replace(/^www\./, '');

/** The entries of a collection: a list, or an object keyed by id (an empty one can be a list). */
export function membersOf(collection: unknown): unknown[] | undefined {
	if (Array.isArray(collection)) return collection;
	return isRecord(collection) ? Object.values(collection) : undefined;
}

export const recordsIn = (collection: unknown): IDataObject[] =>
	(membersOf(collection) ?? []).filter(isRecord) as IDataObject[];

export const membersUnder = (key: string, { json }: ApiResponse): unknown[] | undefined =>
	isRecord(json) ? membersOf(json[key]) : undefined;

/** Calls for premium accounts return only a message to others (seen in the wild). */
export const messageOf = (json: unknown): string | undefined =>
	isRecord(json) && typeof json.message === 'string' && json.message !== '' ? json.message : undefined;

/** Unix seconds, as a number or a text, in ISO 8601 with zone; null if there are none. */
export function isoFromSeconds(seconds: unknown): string | null {
	const date = new Date(typeof seconds === 'object' || isBlank(seconds) ? NaN : Number(seconds) * 1000);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const UNITS_S = {
	second: 1,
	minute: 60,
	hour: 3600,
	day: 86_400,
	week: 604_800,
	month: 2_629_800,
	year: 31_557_600,
};
const SPAN = /(?<!\d)(\d+)\s+(second|minute|hour|day|week|month|year)s?\b/g;

/** Before (-1) or after (1) now by a span such as `1 hour, 5 minutes`: ISO 8601, to the minute, or null. */
export function isoOfSpan(words: unknown, direction: -1 | 1): string | null {
	const text = toText(words ?? '');
	const spans = [...text.matchAll(SPAN)];
	if (spans.length === 0 && text !== 'just a second') return null;
	const seconds = spans.reduce(
		(sum, [, count, unit]) => sum + Number(count) * UNITS_S[unit as keyof typeof UNITS_S],
		0,
	);
	return isoFromSeconds(Math.round((clock.now() / 1000 + direction * seconds) / 60) * 60);
}

/** `YYYY-MM-DD HH:MM:SS`, which the service means as UTC, in ISO 8601; null for anything else. */
export function isoFromUtc(written: unknown): string | null {
	const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})/.exec(toText(written ?? ''));
	const iso = match ? `${match[1]}T${match[2]}.000Z` : '';
	return Number.isNaN(Date.parse(iso)) ? null : iso;
}

/**
 * The entry for one story: a record in the response to one hash, in a list otherwise. For a story that is too old, the
 * service lists a refusal and a success, but the story stays read (seen in the wild). So the refusal counts.
 */
export function entryFor({ json }: ApiResponse, hash: string): Record<string, unknown> | undefined {
	const several = Array.isArray(json) ? json : isRecord(json) ? json.stories : undefined;
	if (Array.isArray(several)) {
		const entries = several.filter(isRecord).filter((entry) => entry.story_hash === hash);
		return entries.find((entry) => refusalIn(entry) !== undefined) ?? entries[0];
	}
	const isAboutAnotherStory = isRecord(json) && json.story_hash !== undefined && json.story_hash !== hash;
	return isRecord(json) && !isAboutAnotherStory ? json : undefined;
}

/** Why the service refused an entry, blank if it gave no reason; undefined if it did not refuse it. */
export function refusalIn(entry: Record<string, unknown>): string | undefined {
	const message = typeof entry.message === 'string' ? entry.message.trim() : '';
	const isRefused = (toInteger(entry.code) ?? 0) < 0 || message !== '';
	return isRefused ? message : undefined;
}
