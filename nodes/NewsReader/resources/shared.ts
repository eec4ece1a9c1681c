import type { IDataObject } from 'n8n-workflow';
import { aBoolean, aText, record, type RecordKind } from '../../runtime/table/record';
import type { Output, Paging } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord, toInteger } from '../../runtime/values';

/** What every answer says about itself, mixed into the data (seen in the wild); it is no part of a record. */
const ENVELOPE = new Set(['result', 'authenticated', 'code', 'errors']);

/** The answer's own data. `user_id` is the caller's wherever the envelope is, so it goes, too. */
export function dataOf(answer: Answer): Record<string, unknown> | undefined {
	const { json } = answer;
	if (!isRecord(json)) return undefined;
	const hasEnvelope = 'authenticated' in json;
	return Object.fromEntries(
		Object.entries(json).filter(([key]) => !ENVELOPE.has(key) && !(hasEnvelope && key === 'user_id')),
	);
}

/** The answer itself is the record. */
export const whole = (kind: RecordKind): Output => ({ kind, pick: dataOf });

/** The record stands under one key of the answer. */
export const under = (key: string, kind: RecordKind): Output => ({
	kind,
	pick: ({ json }) => (isRecord(json) ? json[key] : undefined),
});

/** One record of a list. */
export const each = (kind: RecordKind): Output => ({ kind, pick: ({ json }) => json });

/** Nothing but that it was done: `success`, and the service's message where it has one. */
export const done: Output = {
	kind: record({ success: aBoolean, message: aText }),
	pick: (answer) => ({ success: true, ...messageOf(answer) }),
};

/** What was written, as the answer tells it; that it was done where the answer tells no more. */
export const orDone = ({ kind, pick, simple }: Output): Output => ({
	kind,
	pick: (answer, path) => pick(answer, path) ?? done.pick(answer, path),
	simple: simple && {
		kind: simple.kind,
		of: (record, answer, form) => (pick(answer, {}) ? simple.of(record, answer, form) : record),
	},
});

export const messageOf = ({ json }: Answer): { message?: string } =>
	isRecord(json) && typeof json.message === 'string' && json.message !== '' ? { message: json.message } : {};

/** The members of a collection: a list, or an object keyed by id (an empty one may come as a list). */
export function membersOf(collection: unknown): unknown[] | undefined {
	if (Array.isArray(collection)) return collection;
	return isRecord(collection) ? Object.values(collection) : undefined;
}

/** Calls for premium accounts answer others with nothing but a message (seen in the wild). */
export const objectionOf = (json: Record<string, unknown>): string | undefined =>
	typeof json.message === 'string' && json.message !== '' ? json.message : undefined;

/** The service answers no page of a feed or a river beyond this one (seen in the wild). */
const LAST_PAGE = 400;

/**
 * Pages of stories. The service sets their size. A page may come back empty because hidden stories were
 * taken out of it; the list goes on as long as the answer says so, under either of two names.
 */
export const storyPages: Paging = {
	pageSize: Infinity,
	firstPage: 1,
	query: (page) => ({ page }),
	identity: (story) => String((story as IDataObject).story_hash ?? JSON.stringify(story)),
	read: ({ json }, page, refuse, query) => {
		const records = isRecord(json) ? membersOf(json.stories) : undefined;
		if (!isRecord(json) || !records) throw refuse('JSON that holds no list of stories');
		const hidden = toInteger(json.hidden_stories_removed) ?? toInteger(json.hidden_stories_count) ?? 0;
		const message = objectionOf(json);
		// Code 0 beside a message: the list is cut, not withheld (seen in the wild). A search is never cut.
		const mayBeCut = toInteger(json.code) === 0 && query.query === undefined;
		const isWithheld = page === 1 && records.length === 0 && !mayBeCut;
		return {
			records,
			more: records.length > 0 || hidden > 0,
			...(isWithheld ? { objection: message } : { notice: message }),
		};
	},
};

/** The same for a feed or a river, which end at the last page there is; what lies beyond it is told of. */
export const storyPagesUpToLast: Paging = {
	...storyPages,
	read: (answer, page, refuse, query) => {
		const read = storyPages.read(answer, page, refuse, query);
		if (page < LAST_PAGE || !read.more) return read;
		const notice = `The service answers no more than ${LAST_PAGE} pages: there may be more stories`;
		return { ...read, more: false, notice };
	},
};

/** A list that is the whole answer (seen in the wild), or stands under one key of it. */
export const listUnder =
	(key: string) =>
	({ json }: Answer): unknown[] | undefined =>
		Array.isArray(json) ? json : isRecord(json) ? membersOf(json[key]) : undefined;

/** A list that comes whole, under one key of the answer or as the answer itself. */
export const wholeList = (
	read: (answer: Answer) => unknown[] | undefined,
	what: string,
	identity = (entry: IDataObject): unknown => JSON.stringify(entry),
): Paging => ({
	pageSize: Infinity,
	firstPage: 1,
	query: () => ({}),
	identity: (entry) => String(identity(entry as IDataObject)),
	read: (answer, _, refuse) => {
		const records = read(answer);
		if (!records) throw refuse(`JSON that holds no list of ${what}`);
		return { records, more: false };
	},
});
