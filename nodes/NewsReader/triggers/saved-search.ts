import type { RequestParts, Api } from '../../runtime/api-types';
import { alwaysShown } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { aText } from '../../runtime/table/record';
import { toInteger, toText } from '../../runtime/values';
import { areSame, feedsInside, FLAT_SEPARATOR, namesIn } from '../model/folders';
import { feedTitlesOf, subscriptionsOf, type Subscriptions } from '../model/subscriptions';
import { river } from '../resources/river';
import { savedStory } from '../resources/saved-story';
import { story } from '../resources/story';
import { storyFields, unlessRaw } from '../fields/formats';
import { presentStory, storyItemMakers, type StoryValues } from '../model/hashes';
import { simpleStory } from '../model/stories';
import type { PageReader } from './list-reader';
import { NewestFirstWatch, type WatchedLists } from './newest-first';

const FIRST_MATCH_PAGES = 10;
/** Matches are sorted by date. A match that appears late is found if its date is within this time. */
const LATE_SECONDS = 2 * 24 * 3600;

interface Search {
	/** Where it searches, as clients save it: `42`, `feed:42`, `river:`, `river:Tech`, `starred:tag`, `read`. */
	searchedIn: string;
	query: string;
}

interface MatchList {
	row: Operation;
	parts: Partial<RequestParts>;
	isByDate?: boolean;
	/** The feeds of a river. */
	feeds?: number[];
}

/** The list that a saved search reads; a text says why there is none. */
function listFor({ searchedIn, query }: Search, subscriptions: Subscriptions): MatchList | string {
	const [, kind, name] = /^(\w+):?(.*)$/s.exec(searchedIn) ?? [];
	const feed = toInteger(searchedIn.replace(/^feed:/, ''));
	if (feed !== undefined) {
		// The service may refuse such a search: then the poll fails, and no other search is read.
		if (!feedTitlesOf(subscriptions).has(feed)) return 'you are not subscribed to its feed';
		const parts = { path: { id: feed }, query: { query, read_filter: 'all' } };
		return { row: story.operations.getAll, parts, isByDate: true };
	}
	// Saved stories are sorted by when they were saved, read ones by when they were read.
	if (kind === 'starred')
		return { row: savedStory.operations.getAll, parts: { query: { query, tag: name || undefined } } };
	if (searchedIn === 'read') {
		if (!subscriptions.isNewer) return 'this server does not search read stories';
		return { row: story.operations.getHistory, parts: { query: { query } } };
	}
	if (kind === 'social' || NOT_SEARCHED.has(searchedIn)) return 'the service does not search shared stories';
	if (kind !== 'river' || name === undefined) return 'this trigger does not know where it searches';
	const isInfrequent = name === 'infrequent';
	const feeds = feedsOfRiver(isInfrequent ? '' : name.trim(), subscriptions);
	if (!feeds) return 'its folder no longer exists';
	if (feeds.length === 0) return 'there are no feeds';
	const infrequent = isInfrequent ? { infrequent: true } : {};
	const parts = { query: { feeds, query, read_filter: 'all', ...infrequent } };
	return { row: river.operations.getAll, parts, isByDate: true, feeds };
}

const NOT_SEARCHED = new Set(['river:global', 'river:blurblogs']);

/** The feeds of a folder, as clients write it: by its name, its path or its flat name; all feeds if no folder is given. */
function feedsOfRiver(folder: string, subscriptions: Subscriptions): number[] | undefined {
	if (folder === '') return [...feedTitlesOf(subscriptions).keys()];
	const { folders } = subscriptions;
	const chosen = folders.filter(
		({ names, name }) =>
			[name, names.join(FLAT_SEPARATOR)].includes(folder) || areSame(names, namesIn(folder)),
	);
	if (chosen.length === 0) return undefined;
	return [...new Set(chosen.flatMap((outer) => feedsInside(folders, outer)))];
}

const originOf = ({ searchedIn, query }: Search): string => `${searchedIn}:${query}`;

const searchMatches =
	(search: Search, { row, parts, isByDate, feeds }: MatchList, values: StoryValues, api: Api): PageReader =>
	async (number) => {
		const labels = { query: 'Saved Query' };
		const { records, response, more } = await api.page(row, number, { ...parts, labels });
		const searchMembers = { search: search.query, searchedIn: search.searchedIn };
		// The server may mix in the stories of another river.
		const own = records.filter(({ story_feed_id: id }) => !feeds || feeds.includes(toInteger(id) ?? NaN));
		const entries = own.map((found) => ({
			key: `${originOf(search)}:${toText(found.story_hash)}`,
			...(isByDate && { at: toInteger(found.story_timestamp) }),
			origin: originOf(search),
			passesFilters: true,
			item: async () => ({ ...(await presentStory(found, response, values, api)), ...searchMembers }),
			kept: { hash: found.story_hash, ...searchMembers },
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
		const advice = 'Save a search in the reader first. Searches need a premium account.';
		throw api.parameterError('Saved Query', 'finds nothing: this account has no saved searches', advice);
	}
	if (query === undefined) return all;
	const searches = all.filter((search) => search.query === query);
	if (searches.length > 0) return searches;
	const queries = [...new Set(all.map((search) => search.query))].join(', ');
	const advice = `The saved searches are: ${queries}`;
	throw api.parameterError('Saved Query', `"${query}" is not one of the saved searches`, advice);
}

/** The lists of the saved searches, and why others are not watched. */
async function matchLists(query: string | undefined, values: StoryValues, api: Api): Promise<WatchedLists> {
	const subscriptions = await subscriptionsOf(api);
	const lists: WatchedLists['lists'] = [];
	const unwatched: Record<string, string> = {};
	for (const search of searchesFor(query, subscriptions, api)) {
		const list = listFor(search, subscriptions);
		const origin = originOf(search);
		if (typeof list === 'string') {
			unwatched[origin] =
				`The saved search "${search.query}" in ${search.searchedIn} is not watched: ${list}`;
		} else {
			lists.push({ origins: [origin], readPage: searchMatches(search, list, values, api) });
		}
	}
	const [reason] = Object.values(unwatched);
	if (lists.length === 0)
		throw api.parameterError('Saved Query', 'selects no search that can be watched', reason);
	return { lists, unwatched };
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
	// Searches are origins: the matches that exist when a search is chosen are no events.
	watchKey: () => null,
	watch: ({ query, ...values }) =>
		new NewestFirstWatch({
			idPrefix: 'match',
			sharedServerList: 'river',
			depth: FIRST_MATCH_PAGES,
			lateSeconds: LATE_SECONDS,
			lists: async (api) => await matchLists(query, values, api),
			restore: async (kept, api) => await storyItemMakers(kept, values, api),
		}),
	output: unlessRaw({ ...simpleStory.schema.members, search: aText, searchedIn: aText }),
});
