import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../runtime/api-types';
import { htmlToText } from '../../vendor/html';
import { sentences } from '../runtime/errors/errors';
import type { Paging } from '../runtime/table/listing';
import { isRecord, toInteger, toText } from '../runtime/values';
import { membersOf, membersUnder, messageOf } from './model/responses';

/** The last page of a feed or a river (seen in the wild). */
const LAST_PAGE = 400;

/** How many stories of a river newer servers return to free accounts. */
const FREE_RIVER = 3;
const FREE_RIVER_ADVICE =
	'The list may contain only its first stories. Story → Get Unread returns all of them, also for free accounts';

/**
 * Pages of stories, of the service's own size. A page may be empty because hidden stories were removed; the list goes
 * on as long as the response counts some, under either of two names.
 */
export const storyPages: Paging = {
	pageSize: Infinity,
	query: (page) => ({ page }),
	identity: (story) => toText((story as IDataObject).story_hash ?? JSON.stringify(story)),
	read: ({ json }, page, refuse, query) => {
		const records = isRecord(json) ? membersOf(json.stories) : undefined;
		if (!isRecord(json) || !records) throw refuse('JSON without a list of stories');
		const hidden = toInteger(json.hidden_stories_removed) ?? toInteger(json.hidden_stories_count) ?? 0;
		const message = messageOf(json);
		// Code 0 beside a message: the list is cut, not withheld (seen in the wild). A search is never cut.
		const mayBeCut = toInteger(json.code) === 0 && query.query === undefined;
		const found = { records, more: records.length > 0 || hidden > 0 };
		if (page === 1 && records.length === 0 && !mayBeCut) return { ...found, error: message };
		if (!mayBeCut || message === undefined) return { ...found, warning: message };
		// The service repeats the message on every page.
		if (page > 1) return found;
		const isCut = records.length <= FREE_RIVER;
		return { ...found, warning: isCut ? sentences(message, FREE_RIVER_ADVICE) : message };
	},
};

/** Pages of stories of a feed or a river. The service has at most `LAST_PAGE` of them. */
export const storyPagesUpToLast: Paging = {
	...storyPages,
	read: (response, page, refuse, query) => {
		const read = storyPages.read(response, page, refuse, query);
		if (page < LAST_PAGE || !read.more) return read;
		const warning = `The service has no more than ${LAST_PAGE} pages of a list: there may be more stories`;
		return { ...read, more: false, warning };
	},
};

/** Pages that are as large as the service allows, so that fewer other requests come between them. */
const largePages = (paging: Paging, usual: number, most: number): Paging => ({
	...paging,
	pageSize: most,
	query: (page, size) => ({ page, limit: Math.max(size, usual) }),
});

/** Pages of a river: 12 stories by default, and 200 at most (seen in the wild). */
export const riverPages = largePages(storyPagesUpToLast, 12, 200);

/** Pages of several users' shares: 10 stories by default, and 50 at most (seen in the wild). */
export const sharedPages = largePages(storyPages, 10, 50);

/** A list that is the whole response (seen in the wild), or one member of it. */
export const topOrUnder =
	(key: string) =>
	(response: ApiResponse): unknown[] | undefined =>
		Array.isArray(response.json) ? response.json : membersUnder(key, response);

/** A list that one response contains; `read` selects it. */
export const singlePage = (
	read: (response: ApiResponse) => unknown[] | undefined,
	what: string,
	identity = (entry: IDataObject): unknown => JSON.stringify(entry),
): Paging => ({
	pageSize: Infinity,
	query: () => ({}),
	identity: (entry) => toText(identity(entry as IDataObject)),
	read: (response, _, refuse) => {
		const records = read(response);
		if (!records) throw refuse(`JSON without a list of ${what}`);
		return { records, more: false };
	},
});

/** These pages; if HTML was chosen, each page is one record. After the last page, the service returns an empty list. */
export const orHtmlPages = (paging: Paging): Paging => ({
	...paging,
	identity: (record) => JSON.stringify(record),
	read: (response, page, refuse, query) => {
		if (response.json !== undefined) return paging.read(response, page, refuse, query);
		const isEmpty = htmlToText(response.text) === '';
		return { records: isEmpty ? [] : [{ html: response.text }], more: !isEmpty };
	},
});
