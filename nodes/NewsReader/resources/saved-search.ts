import type { IDataObject } from 'n8n-workflow';
import { requiredText } from '../../runtime/fields/kinds';
import { anIntegerOrText, aText } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { quoted, toInteger, toText } from '../../runtime/values';
import { bringsSecrets } from '../fields/formats';
import { feedKey } from '../fields/locators';
import { singlePage } from '../lists';
import { membersUnder, messageOf, recordsIn } from '../model/responses';
import { selection, simplifiedTo } from '../model/records';
import { readSubscriptions, subscriptionsIn } from '../model/subscriptions';
import { success, successWith } from '../outputs';

/** The id of a search's feed; the service stores what a client sent: `42` or `feed:42`. */
const feedOf = (key: unknown): number | string => {
	const written = toText(key);
	return toInteger(written.replace(/^feed:/, '')) ?? written;
};

const simpleSearch = selection(
	{
		feedId: [({ feed_id }) => feedOf(feed_id), anIntegerOrText.described('A feed; or social:12, river:Tech')],
		query: ['query', aText.described('Words of the search')],
	},
	{ feed_id: aText },
);

const findSearch = (searches: IDataObject[], wanted: { feed_id: unknown; query: string }) =>
	searches.find((saved) => saved.query === wanted.query && feedOf(saved.feed_id) === feedOf(wanted.feed_id));

const query = requiredText('Saved Query', {
	paramName: 'savedQuery',
	example: 'solar',
	description: 'The words of the search',
});

export const savedSearch = resource(
	'Saved Search',
	{ description: 'Searches that you saved' },
	{
		/** Only the list of searches in the response shows whether the search was saved. */
		create: operation('POST /reader/save_search', {
			action: 'Save a search',
			description: 'Save a search in a feed',
			...bringsSecrets,
			idempotent: true,
			body: { feed_id: feedKey, query },
			// The service's own client finds only this form of a feed's id.
			prepare: ({ body: { feed_id: key, ...others } }) => ({
				body: { ...others, feed_id: typeof key === 'number' ? `feed:${key}` : key },
			}),
			output: successWith({
				members: simpleSearch.schema.members,
				from: (sent) => ({ feedId: feedOf(sent.feed_id), query: sent.query }),
			}),
			present: async ({ body }, response, api) => {
				const message = messageOf(response.json);
				const searches = recordsIn(membersUnder('saved_searches', response));
				if (message && !findSearch(searches, body)) {
					throw api.refusal(message, `the search for ${quoted(body.query)}`);
				}
				return [await api.resultIn(response)];
			},
		}),
		delete: operation('POST /reader/delete_search', {
			description: 'Delete a saved search',
			...bringsSecrets,
			body: { feed_id: feedKey, query },
			prepare: async ({ body }, api) => {
				const { savedSearches: searches } = await readSubscriptions(api);
				const saved = findSearch(searches, body);
				if (saved) return { body: { ...body, feed_id: saved.feed_id } };
				const known = searches.map((search) => `"${toText(search.query)}" in ${toText(search.feed_id)}`);
				throw api.parameterError(
					'Saved Query',
					`${quoted(body.query)} is not a saved search of feed ${body.feed_id}`,
					known.length > 0 ? `The saved searches are: ${known.join(', ')}` : 'There are no saved searches',
				);
			},
			output: success,
		}),
		getAll: operation('GET /reader/feeds', {
			action: 'Get many saved searches',
			description: 'List your saved searches',
			...bringsSecrets,
			isExtra: true,
			prepare: () => ({ query: { update_counts: false } }),
			paging: singlePage(({ json }) => subscriptionsIn(json)?.savedSearches, 'saved searches'),
			output: simplifiedTo(simpleSearch),
		}),
	},
);
