import type { IDataObject } from 'n8n-workflow';
import type { ItemApi, RequestParts, Result } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { required } from '../../runtime/fields/field';
import { ids, integer } from '../../runtime/fields/kinds';
import { operation, resource } from '../../runtime/table/operation';
import { omit, toText } from '../../runtime/values';
import { chosenFeeds, whichFeeds } from '../fields/feed-choice';
import { storyParams } from '../fields/formats';
import {
	filterOf,
	includeHidden,
	storyFilters,
	order,
	readFilter,
	searchQuery,
	similarStories,
} from '../fields/story-filters';
import { riverPages, sharedPages } from '../lists';
import { readInChunks, readSavedStories, savedByFeed } from '../model/hashes';
import { isSharedBy, oldestShareFirst, sharedOutput, listedStoryOutput } from '../model/stories';
import { feedsOfChoice, subscriptionsOf } from '../model/subscriptions';
import { keepCounted } from '../model/unread-counts';
import { passes, publishedAt, oneListAtATime, readStoryList, type StoryFilter } from '../model/story-lists';

/** A river of all stories has, of most feeds, those of the last 30 days (seen in the wild). */
const RIVER_S = 30 * 86_400;
const isOfAll = ({ query }: RequestParts): boolean =>
	query.read_filter === 'all' && query.query === undefined;

/** If none of the chosen feeds is subscribed and infrequent, the service lists those that are (seen in the wild). */
async function feedsRead(chosen: number[], most: number | undefined, api: ItemApi): Promise<Set<string>> {
	if (most === undefined) return new Set(chosen.map(String));
	const { feeds } = await subscriptionsOf(api);
	const infrequent = feeds.filter(({ average_stories_per_month: average }) => !(Number(average) > most));
	return new Set(infrequent.map(({ id }) => toText(id)).filter((id) => chosen.includes(Number(id))));
}

/** The saved stories of the feeds, in the order of a river. */
async function savedOf(
	feeds: ReadonlySet<string>,
	{ query }: RequestParts,
	filter: StoryFilter,
	api: ItemApi,
): Promise<Result[]> {
	const saved = [...(await savedByFeed(api))].filter(([feed]) => feeds.has(feed));
	const hashes = new Set(saved.flatMap(([, entries]) => entries.map(({ hash }) => hash)));
	const found = await readInChunks([...hashes], async (chunk) => await readSavedStories(api, chunk));
	const direction = query.order === 'oldest' ? 1 : -1;
	const results = found
		.filter((entry) => entry !== undefined)
		.filter(({ story }) => passes(story, { ...filter, saved: undefined }))
		.sort((a, b) => direction * ((publishedAt(a.story) ?? 0) - (publishedAt(b.story) ?? 0)))
		.slice(0, api.limit())
		.map(async ({ story, response }) => await api.results([omit(story, 'read_status')], response));
	return (await Promise.all(results)).flat();
}

export const river = resource(
	'River',
	{ description: 'Stories of many feeds in one stream' },
	{
		getAll: operation('GET /reader/river_stories', {
			action: 'Get many stories of the river',
			description: 'List the stories of all feeds, of some, or of a folder, newest first',
			params: { whichFeeds, similarStories, ...storyFilters, ...storyParams },
			query: {
				feeds: chosenFeeds,
				order,
				read_filter: readFilter(
					'unread',
					'Unread stories (in a search, the newest 500 of a feed), or all: of most feeds, those of the last 30 days',
				),
				include_hidden: includeHidden,
				query: searchQuery,
				infrequent: integer('Infrequent Feeds Only (Stories per Month)', {
					min: 1,
					default: 30,
					description: 'Only stories of feeds that publish at most this many stories a month on average',
				}),
			},
			prepare: async ({ query }, api) => ({
				query: { ...query, feeds: await feedsOfChoice(query.feeds, api) },
			}),
			postsLongQuery: true,
			paging: riverPages,
			output: listedStoryOutput,
			run: async ({ params, query }, api, parts) => {
				const feeds = await feedsRead(parts.query.feeds as number[], query.infrequent, api);
				// Without feeds, the service would list all.
				if (feeds.size === 0) return [];
				if (parts.query.read_filter !== 'all') await keepCounted(api);
				const filter = filterOf(params);
				// The list of saved stories has no scores (seen in the wild).
				const needsRiver = filter.focus === true || api.isRaw;
				if (filter.saved && !needsRiver && isOfAll(parts)) return await savedOf(feeds, parts, filter, api);
				const from = filter.newerThan ?? (filter.olderThan === undefined ? Infinity : 0);
				const isOld = from < clock.now() / 1000 - RIVER_S && isOfAll(parts);
				if (isOld && !(await subscriptionsOf(api)).isArchive) {
					api.hint('Of most feeds, stories older than 30 days are missing: use Story → Get Many');
				}
				const list = {
					similarStories: params.similarStories,
					filter,
					belongs: ({ story_feed_id: id }: IDataObject) => feeds.has(toText(id)),
				};
				return await oneListAtATime('river', api, async () => await readStoryList(api, parts, list));
			},
		}),
		getShared: operation('GET /social/river_stories', {
			name: 'Get Shared Stories',
			action: 'Get unread stories shared by users',
			description: 'List the unread stories that users you follow have shared',
			query: {
				// For other users, the service lists nothing or fails with 500 (seen in the wild).
				social_user_ids: required(
					ids('Users', 'user', { description: 'Users that you follow, whose shared stories to list' }),
				),
				order,
			},
			params: storyParams,
			paging: sharedPages,
			output: sharedOutput,
			run: async ({ query }, api, parts) => {
				const users = new Set(query.social_user_ids.map(String));
				const belongs = (story: IDataObject): boolean => isSharedBy(story, users);
				const sorted = query.order === 'oldest' ? oldestShareFirst : undefined;
				const read = async (): Promise<Result[]> => await readStoryList(api, parts, { belongs, sorted });
				const results = await oneListAtATime('shared', api, read);
				if (results.length === 0) {
					api.hint('No stories: the service lists only unread stories, and only of users that you follow');
				}
				return results;
			},
		}),
	},
);
