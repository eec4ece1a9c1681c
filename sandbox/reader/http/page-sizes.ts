import { Fault } from './response.ts';
import type { Call } from './reader-route.ts';

export type PagedList = 'feed' | 'river' | 'starred' | 'read' | 'socialRiver' | 'sharedStories';

/** Stories per page as seen on real hosts; the contract gives no number. */
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

/** The slice of a list for the parameter `page`, and `limit` and `offset` if the endpoint supports them. */
export function pageOf(call: Call, list: PagedList): { limit: number; offset: number } {
	const wild = call.reader.isReal;

	const parameters = call.parameters;
	const page = parameters.integer('page', 1, 1);
	if (wild && list === 'feed' && page > lastWildPage) {
		throw new Fault(`There are no pages after ${lastWildPage}.`, 404);
	}
	const size = wild ? wildSizes[list] : contractSize;
	const settable = list !== 'feed';
	const most = call.reader.isReal ? Infinity : largest;
	const limit = settable ? Math.min(parameters.integer('limit', size, 1), most) : size;
	const offset = settable ? parameters.integer('offset', 0) : 0;
	return { limit, offset: offset + (page - 1) * limit };
}
