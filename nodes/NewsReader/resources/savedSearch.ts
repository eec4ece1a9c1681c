import type { IDataObject } from 'n8n-workflow';
import { required } from '../../operation/field';
import { text } from '../../operation/kinds';
import { aText, anInteger, record } from '../../operation/record';
import { operation, resource } from '../../operation/row';
import type { Answer } from '../../operation/transport';
import { isRecord, toInteger } from '../../operation/values';
import { feedKey } from './locators';
import { done, each, membersOf, wholeList } from './shared';

const searchRecord = record({ feed_id: aText, query: aText, private_address: aText });

/** The saved searches of an answer. Their address is private, and called so here to be masked as such. */
function searchesOf({ json }: Answer): IDataObject[] | undefined {
	if (!isRecord(json) || !membersOf(json.feeds)) return undefined;
	return (membersOf(json.saved_searches) ?? []).filter(isRecord).map(({ feed_address, ...search }) => ({
		...(search as IDataObject),
		...(feed_address !== undefined && { private_address: feed_address as string }),
	}));
}

/** The number of the feed that a search is in; the service keeps what a client wrote: `42` or `feed:42`. */
const feedOf = (key: unknown): number | string => {
	const written = String(key);
	return toInteger(written.replace(/^feed:/, '')) ?? written;
};

const feedsRequest = { method: 'GET', path: '/reader/feeds', query: { update_counts: false } } as const;

const query = required(
	text('Saved Query', { parameter: 'savedQuery', example: 'solar', description: 'The words looked for' }),
);

export const savedSearch = resource(
	'Saved Search',
	{ description: 'Searches that you keep (premium accounts only)' },
	{
		create: operation('POST /reader/save_search', {
			name: 'Create',
			action: 'Save a search',
			description: 'Keep a search in a feed (premium accounts only)',
			body: { feed_id: feedKey, query },
			output: done,
		}),
		delete: operation('POST /reader/delete_search', {
			name: 'Delete',
			action: 'Delete a saved search',
			description: 'Delete a search that you kept',
			body: { feed_id: feedKey, query },
			check: async ({ body }, { send, refuse }) => {
				const searches = searchesOf(await send(feedsRequest)) ?? [];
				const saved = searches.find(
					(search) => search.query === body.query && feedOf(search.feed_id) === feedOf(body.feed_id),
				);
				if (saved) return { body: { ...body, feed_id: saved.feed_id } };
				const known = searches.map((search) => `"${String(search.query)}" in ${String(search.feed_id)}`);
				throw refuse(
					'Saved Query',
					`there is no search "${body.query}" in feed ${body.feed_id}`,
					known.length > 0 ? `The saved searches are: ${known.join(', ')}` : 'There are no saved searches',
				);
			},
			output: done,
		}),
		getAll: operation('GET /reader/feeds', {
			name: 'Get Many',
			action: 'Get many saved searches',
			description: 'List the searches that you keep',
			composite: true,
			prepare: () => ({ query: { update_counts: false } }),
			paging: wholeList(searchesOf, 'saved searches'),
			output: {
				...each(searchRecord),
				simple: {
					kind: record({ feedId: anInteger, query: aText }),
					of: (search) => ({ feedId: feedOf(search.feed_id), query: search.query }),
				},
			},
		}),
	},
);
