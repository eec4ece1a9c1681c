import type { RequestParts, Api } from '../../runtime/api-types';
import { alwaysShown } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { aText } from '../../runtime/table/record';
import { toInteger, toText } from '../../runtime/values';
import { areSame, feedsInside, namesIn } from '../model/folders';
import { feedTitlesOf, subscriptionsOf, type Subscriptions } from '../model/subscriptions';
import { river } from '../resources/river';
import { savedStory } from '../resources/saved-story';
import { story } from '../resources/story';
import { NewestFirstWatch, type PageReader } from './newest-first';
import { storyFields, unlessRaw } from '../fields/formats';
import { presentStory, restoreStories, type StoryValues } from '../model/hashes';
import { simpleStory } from '../model/stories';

/** How many pages of matches a first poll reads. */
const FIRST_MATCH_PAGES = 10;
/** Matches are sorted by date. A match that appears late is found if its date is within this time. */
const LATE_SECONDS = 2 * 24 * 3600;

interface Search {
	/**
	 * The feed, folder or tag, in one of the forms that clients save: `42`, `feed:42`, `river:`, `river:Tech`,
	 * `starred:tag`.
	 */
	searchedIn: string;
	query: string;
}

interface MatchList {
	row: Operation;
	parts: Partial<RequestParts>;
}

/** The list that a saved search reads; undefined if this trigger can't read it. */
function listFor({ searchedIn, query }: Search, subscriptions: Subscriptions): MatchList | undefined {
	const feed = toInteger(searchedIn.replace(/^feed:/, ''));
	if (feed !== undefined) {
		return {
			row: story.operations.getAll,
			parts: { path: { id: feed }, query: { query, read_filter: 'all' } },
		};
	}
	if (searchedIn.startsWith('starred')) {
		const tag = searchedIn.slice('starred:'.length) || undefined;
		return { row: savedStory.operations.getAll, parts: { query: { query, tag } } };
	}
	if (!searchedIn.startsWith('river:')) return undefined;
	const feeds = feedsOfRiver(searchedIn.slice('river:'.length).trim(), subscriptions);
	if (feeds.length === 0) return undefined;
	return { row: river.operations.getAll, parts: { query: { feeds, query, read_filter: 'all' } } };
}

/** The feeds of a folder, given by its name or its path (clients write both); all feeds if no folder is given. */
function feedsOfRiver(folder: string, subscriptions: Subscriptions): number[] {
	if (folder === '') return [...feedTitlesOf(subscriptions).keys()];
	const { folders } = subscriptions;
	const chosen = folders.filter(({ names, name }) => name === folder || areSame(names, namesIn(folder)));
	return [...new Set(chosen.flatMap((outer) => feedsInside(folders, outer)))];
}

const groupOf = ({ searchedIn, query }: Search): string => `${searchedIn}:${query}`;

/** The pages of a search's matches. */
const searchMatches =
	(search: Search, { row, parts }: MatchList, values: StoryValues, api: Api): PageReader =>
	async (number) => {
		const { records, response, more } = await api.page(row, number, parts);
		const origin = { search: search.query, searchedIn: search.searchedIn };
		// The server may mix in the stories of another river.
		const feeds = parts.query?.feeds as number[] | undefined;
		const own = records.filter(({ story_feed_id: id }) => !feeds || feeds.includes(toInteger(id) ?? NaN));
		const entries = own.map((found) => ({
			key: `${groupOf(search)}:${toText(found.story_hash)}`,
			// Saved stories come in the order in which they were saved.
			...(!search.searchedIn.startsWith('starred') && { at: toInteger(found.story_timestamp) }),
			group: groupOf(search),
			passesFilters: true,
			item: async () => ({ ...(await presentStory(found, response, values, api)), ...origin }),
			kept: { hash: found.story_hash, ...origin },
		}));
		return { entries, more };
	};

/** The saved searches with these words; all saved searches if no words are given. */
function searchesFor(query: string | undefined, { savedSearches }: Subscriptions, api: Api): Search[] {
	const all = savedSearches.map((search) => ({
		searchedIn: toText(search.feed_id),
		query: toText(search.query),
	}));
	if (all.length === 0) {
		const advice = 'Save a search in the reader first. Saved searches need a premium account.';
		throw api.parameterError('Saved Query', 'is not saved: this account has no saved searches', advice);
	}
	if (query === undefined) return all;
	const searches = all.filter((search) => search.query === query);
	if (searches.length > 0) return searches;
	const known = [...new Set(all.map((search) => search.query))].join(', ');
	const advice = `The saved searches are: ${known}`;
	throw api.parameterError('Saved Query', `"${query}" is not one of the saved searches`, advice);
}

export const savedSearchMatch = event({
	name: 'Saved Search Match',
	description: 'When a story matches a search that you saved (premium accounts only)',
	fields: {
		query: alwaysShown(
			text('Saved Query', {
				paramName: 'savedQuery',
				example: 'solar',
				description: 'The words of the saved search. Leave blank for all saved searches.',
			}),
		),
		...storyFields,
	},
	// Searches are groups: the matches of a search that is chosen later are known.
	watchKey: () => null,
	watch: ({ query, ...values }) =>
		new NewestFirstWatch({
			idPrefix: 'match',
			sharedServerList: 'river',
			depth: FIRST_MATCH_PAGES,
			lateSeconds: LATE_SECONDS,
			lists: async (api) => {
				const subscriptions = await subscriptionsOf(api);
				const searches = searchesFor(query, subscriptions, api);
				const lists = searches.flatMap((search) => {
					const list = listFor(search, subscriptions);
					return list ? [searchMatches(search, list, values, api)] : [];
				});
				return { lists, groups: searches.map(groupOf) };
			},
			restore: async (kept, api) => await restoreStories(kept, values, api),
		}),
	output: unlessRaw({ ...simpleStory.members, search: aText, searchedIn: aText }),
});
