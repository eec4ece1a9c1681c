import { Fault } from './answer.ts';
import type { Call } from './route.ts';

export type PagedList = 'feed' | 'river' | 'starred' | 'read' | 'socialRiver' | 'sharedStories';

/** Stories per page as seen in the wild; the contract does not show any number. */
const wildSizes: Record<PagedList, number> = {
	feed: 6,
	river: 12,
	starred: 10,
	read: 10,
	socialRiver: 10,
	sharedStories: 6,
};
const contractSize = 20;
const largest = 100;
const lastWildPage = 400;

/** The part of a list that a call asks for with `page`, and `limit` and `offset` where it may. */
export function pageOf(call: Call, list: PagedList): { limit: number; offset: number } {
	const wild = call.reader.differs('page-sizes');
	if (wild && list === 'feed' && call.page > lastWildPage) {
		throw new Fault(`There are no pages after ${lastWildPage}.`, 404);
	}
	const size = wild ? wildSizes[list] : contractSize;
	const settable = list !== 'feed';
	const limit = settable ? Math.min(call.parameters.integer('limit', size, 1), largest) : size;
	const offset = settable ? call.parameters.integer('offset', 0) : 0;
	return { limit, offset: offset + (call.page - 1) * limit };
}
