import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Paging } from '../runtime/api-types';
import { htmlToText } from '../../vendor/html';
import { sentences } from '../runtime/errors/errors';
import { asRecord, toInteger, toText } from '../runtime/values';
import { membersOf, membersUnder, messageOf } from './model/responses';

/** The last page of a feed or a river (seen in the wild). */
const LAST_PAGE = 400;

/** Newer servers return only the first stories of a river to free accounts. */
const SHORTENED_ADVICE =
	'The list may contain only its first stories. Story → Get Unread returns at least the newest 500 unread ones of each feed';

/**
 * Pages of stories. The service removes hidden stories from a page and counts them, under either of two names: if it
 * counts some, the list goes on, even after an empty page.
 */
export const storyPages: Paging = {
	collection: 'stories',
	pageSize: Infinity,
	query: (page) => ({ page }),
	identity: (story) => toText((story as IDataObject).story_hash ?? JSON.stringify(story)),
	read: ({ json }, page, query) => {
		const { stories, code, hidden_stories_removed, hidden_stories_count } = asRecord(json);
		const records = membersOf(stories);
		if (!records) return undefined;
		const hidden = toInteger(hidden_stories_removed) ?? toInteger(hidden_stories_count) ?? 0;
		const message = messageOf(json);
		const list = { records, more: records.length > 0 || hidden > 0 };
		// With code 0, a message is about a shortened list (seen in the wild). A search is never shortened.
		const mayBeShortened = toInteger(code) === 0 && query.query === undefined;
		if (mayBeShortened) {
			// The service repeats the message on every page.
			const isTold = message === undefined || page > 1;
			return isTold ? list : { ...list, warning: sentences(message, SHORTENED_ADVICE) };
		}
		const isWithheld = page === 1 && records.length === 0;
		return isWithheld ? { ...list, error: message } : { ...list, warning: message };
	},
};

export const storyPagesUpToLast: Paging = {
	...storyPages,
	read: (response, page, query) => {
		const read = storyPages.read(response, page, query);
		if (page < LAST_PAGE || !read?.more) return read;
		const warning = `The service has no more than ${LAST_PAGE} pages of a list: there may be more stories`;
		return { ...read, more: false, warning };
	},
};

/** Larger pages, so that fewer requests of other clients come between them. */
const largePages = (paging: Paging, defaultSize: number, maximum: number): Paging => ({
	...paging,
	pageSize: maximum,
	query: (page, size) => ({ page, limit: Math.max(size, defaultSize) }),
});

/** Pages of a river: 12 stories by default, and 200 at most (seen in the wild). */
export const riverPages = largePages(storyPagesUpToLast, 12, 200);

/** Pages of the read history, which has 1,000 stories. They lack those that the service has deleted: an empty one ends it. */
export const historyPages = largePages(storyPages, 200, 1000);

/** Pages of several users' shares: 10 stories by default, and 50 at most (seen in the wild). */
export const sharedPages = largePages(storyPages, 10, 50);

/**
 * One response has the whole list: under the key `place`, or as the response itself (seen in the wild). `most` is the
 * limit that the request can have.
 */
export const singlePage = (
	place: string | ((response: ApiResponse) => unknown[] | undefined),
	collection: string,
	most = Infinity,
): Paging => ({
	collection,
	pageSize: most,
	query: (_, size) => (most === Infinity ? {} : { limit: size }),
	read: (response) => {
		const under = (key: string) =>
			Array.isArray(response.json) ? response.json : membersUnder(key, response);
		const records = typeof place === 'string' ? under(place) : place(response);
		return records && { records, more: false };
	},
});

/** With HTML, each page is one record, and a page without text is the end. */
export const orHtmlPages = (paging: Paging): Paging => ({
	...paging,
	read: (response, page, query) => {
		if (response.json !== undefined) return paging.read(response, page, query);
		const isEmpty = htmlToText(response.text) === '';
		return { records: isEmpty ? [] : [{ html: response.text }], more: !isEmpty };
	},
});
