import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../runtime/exchange';
import type { Paging } from '../runtime/table/listing';
import { isRecord, toInteger, toText } from '../runtime/values';
import { membersOf, membersUnder, messageOf } from './model/answers';

/** The service answers no page of a feed or a river beyond this one (seen in the wild). */
const LAST_PAGE = 400;

/**
 * Pages of stories. The service sets their size. A page may come back empty because hidden stories were
 * taken out of it; the list goes on as long as the answer says so, under either of two names.
 */
export const storyPages: Paging = {
	pageSize: Infinity,
	query: (page) => ({ page }),
	identity: (story) => toText((story as IDataObject).story_hash ?? JSON.stringify(story)),
	read: ({ json }, page, refuse, query) => {
		const records = isRecord(json) ? membersOf(json.stories) : undefined;
		if (!isRecord(json) || !records) throw refuse('JSON that holds no list of stories');
		const hidden = toInteger(json.hidden_stories_removed) ?? toInteger(json.hidden_stories_count) ?? 0;
		const message = messageOf(json);
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
export const topOrUnder =
	(key: string) =>
	(answer: Answer): unknown[] | undefined =>
		Array.isArray(answer.json) ? answer.json : membersUnder(key, answer);

/** A list that comes in one answer, as `read` finds it there. */
export const singlePage = (
	read: (answer: Answer) => unknown[] | undefined,
	what: string,
	identity = (entry: IDataObject): unknown => JSON.stringify(entry),
): Paging => ({
	pageSize: Infinity,
	query: () => ({}),
	identity: (entry) => toText(identity(entry as IDataObject)),
	read: (answer, _, refuse) => {
		const records = read(answer);
		if (!records) throw refuse(`JSON that holds no list of ${what}`);
		return { records, more: false };
	},
});

/** The same pages; where HTML was asked for, each is one record. */
export const orHtmlPages = (paging: Paging): Paging => ({
	...paging,
	identity: (record) => JSON.stringify(record),
	read: (answer, page, refuse, query) => {
		if (answer.json !== undefined) return paging.read(answer, page, refuse, query);
		const isEmpty = answer.text.trim() === '';
		return { records: isEmpty ? [] : [{ html: answer.text }], more: !isEmpty };
	},
});
