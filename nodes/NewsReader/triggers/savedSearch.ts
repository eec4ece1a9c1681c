import type { IDataObject } from 'n8n-workflow';
import { prominent } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import type { Operation } from '../../runtime/table/operation';
import { event } from '../../runtime/poll/event';
import { recent, type RecentList } from './newestFirst';
import { rowOf } from '../../runtime/poll/rows';
import type { Source } from '../../runtime/poll/watch';
import { isRecord, toInteger } from '../../runtime/values';
import { river } from '../resources/river';
import { savedStory } from '../resources/savedStory';
import { membersOf } from '../model/answers';
import { story } from '../resources/story';
import { restoreStories } from './restore';
import { feedsIn, subscriptionsOf, type Subscriptions } from './scope';
import { presentStory, storyFields, type StoryValues } from './newStories';

/** How many pages of matches a first poll gets to know. */
const DEPTH = 10;
/** Stories stand by their dates: one that comes late is looked for among those of two days. */
const LATE_SECONDS = 2 * 24 * 3600;

interface Search {
	/** Where to look, as a client wrote it: `42`, `feed:42`, `river:`, `river:Tech`. */
	place: string;
	query: string;
}

type Request = { row: Operation; parts: Parameters<Source['page']>[2] };

/** The request that a saved search stands for; undefined if it looks where this trigger can't. */
function requestFor({ place, query }: Search, { titles, folders }: Subscriptions): Request | undefined {
	const feed = toInteger(place.replace(/^feed:/, ''));
	if (feed !== undefined) {
		return {
			row: rowOf(story, 'getAll'),
			parts: { path: { id: feed }, query: { query, read_filter: 'all' } },
		};
	}
	if (place.startsWith('starred')) return { row: rowOf(savedStory, 'getAll'), parts: { query: { query } } };
	if (!place.startsWith('river:')) return undefined;
	const folder = place.slice('river:'.length).trim();
	// Clients write the folder's bare name or its path.
	const inFolder = feedsIn(folders, ({ path, name }) => path === folder || name === folder);
	const feeds = folder === '' ? [...titles.keys()] : (inFolder ?? []);
	if (feeds.length === 0) return undefined;
	return { row: rowOf(river, 'getAll'), parts: { query: { feeds, query, read_filter: 'all' } } };
}

const searchesIn = ({ json }: Subscriptions): Search[] =>
	(membersOf(json.saved_searches) ?? [])
		.filter(isRecord)
		.map((search) => ({ place: String(search.feed_id), query: String(search.query) }));

const matches =
	(search: Search, request: Request, values: StoryValues, source: Source): RecentList =>
	async (number) => {
		const { records, answer, more } = await source.page(request.row, number, request.parts);
		const entries = records.map((found) => ({
			key: `${search.place}:${search.query}:${String(found.story_hash)}`,
			// Saved stories come in the order in which they were saved.
			...(!search.place.startsWith('starred') && { at: toInteger(found.story_timestamp) }),
			group: `${search.place}:${search.query}`,
			isWanted: true,
			record: { ...presentStory(found, answer, values), search: search.query, searchedIn: search.place },
			kept: { hash: found.story_hash, search: search.query, searchedIn: search.place },
		}));
		return { entries, more };
	};

export const savedSearchMatch = event({
	name: 'Saved Search Match',
	description: 'When a story matches a search that you saved (premium accounts only)',
	fields: {
		query: prominent(
			text('Saved Query', {
				parameter: 'savedQuery',
				example: 'solar',
				description: 'The words of the saved search; leave blank for all saved searches',
			}),
		),
		...storyFields,
	},
	scope: ({ query }) => query ?? null,
	watch: ({ query, ...values }) =>
		recent({
			name: 'match',
			depth: DEPTH,
			lateSeconds: LATE_SECONDS,
			lists: async (source) => {
				const subscriptions = await subscriptionsOf(source);
				const all = searchesIn(subscriptions);
				const searches = all.filter((search) => query === undefined || search.query === query);
				if (query !== undefined && searches.length === 0) {
					const known = [...new Set(all.map((search) => search.query))].join(', ');
					const advice = known ? `The saved searches are: ${known}` : 'There are no saved searches';
					throw source.refuse('Saved Query', `there is no saved search "${query}"`, advice);
				}
				return {
					lists: searches.flatMap((search) => {
						const request = requestFor(search, subscriptions);
						return request ? [matches(search, request, values, source)] : [];
					}),
					groups: searches.map((search) => `${search.place}:${search.query}`),
				};
			},
			item: (record) => record as IDataObject,
			restore: async (kept, source) =>
				await restoreStories(kept, source, (found, answer, { search, searchedIn }) => ({
					...presentStory(found, answer, values),
					search: search as string,
					searchedIn: searchedIn as string,
				})),
		}),
});
