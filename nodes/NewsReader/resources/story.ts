import { shownIf } from '../../runtime/fields/compound';
import { required } from '../../runtime/fields/field';
import { flag, json, lines } from '../../runtime/fields/kinds';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { aBoolean, aText, anything, listOf, exact, record } from '../../runtime/table/record';
import { asRecord, isRecord } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feed-choice';
import { acceptsPage, otherHosts, pageContent, pageFormat, storyParams } from '../fields/formats';
import { feedId, feedOfHash, oneStoryHash, storyHashes } from '../fields/locators';
import {
	filterOf,
	includeHidden,
	includeTimestamps,
	storyFilters,
	order,
	publishedBetween,
	readFilter,
	searchQuery,
	similarStories,
} from '../fields/story-filters';
import { historyPages, storyPages, storyPagesUpToLast } from '../lists';
import { entryFor, refusalIn, withoutEnvelope } from '../model/responses';
import { hashRecord, HIDDEN_AS_WELL, storiesByHash, storyOutputByHash } from '../model/hashes';
import { aFeedId, aStoryHash, inOurNames } from '../model/records';
import { listedStoryOutput, storyMembers, storyOutput } from '../model/stories';
import { readStoryList } from '../model/story-lists';
import { leaveCounted } from '../model/unread-counts';
import { unreadByFeed, unreadStories, withOlderUnread } from '../model/unread';
import { success } from '../outputs';
import { findStoryByAddress, markStoriesUnreadByDays } from './story-newer';

const [, isRead] = storyMembers.read;

const storyPage = record({
	hash: aStoryHash,
	content: aText.described('The web page of the story, in the chosen format'),
});
const storyText = record({
	story_hash: aStoryHash,
	content: storyPage.members.content,
	feed_id: aFeedId,
	story_id: aText.described('ID that the publisher gave the story'),
	image_urls: listOf(aText).described('Images of the story'),
	secure_image_urls: anything.described('Images of the story through the service’s proxy, by their URL'),
});

/** Only for stories that are not simplified: for others, Content has this effect. */
const sentContent = shownIf(
	{ '/simplify': [false] },
	flag('Include Story Content', 'the service sends the stories’ content', { default: true }),
);

const isStoryIds = (value: unknown): boolean =>
	Array.isArray(value) && value.every((id) => typeof id === 'string' || typeof id === 'number');

/** An object of ids, each with a member that `accepts` accepts; at least one. */
const isById =
	(accepts: (member: unknown) => boolean) =>
	(value: unknown): value is Record<string, unknown> =>
		isRecord(value) &&
		Object.keys(value).length > 0 &&
		Object.entries(value).every(([id, member]) => /^\d+$/.test(id) && accepts(member));

export const story = resource(
	'Story',
	{ description: 'Stories of your feeds, read and unread' },
	{
		/** Requests the hashes, then the stories up to the limit. Other clients do the same. */
		getUnread: operation('GET /reader/unread_story_hashes', {
			action: 'Get unread stories',
			description: 'List the unread stories of all feeds, of some, or of a folder, with their content',
			isExtra: true,
			paging: storyPages,
			params: { whichFeeds, chosenFeeds: chosenFeedsIfAny, order, ...storyFilters, ...storyParams },
			output: storyOutput,
			run: async ({ params }, api) => {
				const { byFeed } = await unreadByFeed(api, params.chosenFeeds, { include_timestamps: true });
				return await unreadStories(api, byFeed, filterOf(params), params.order === 'oldest');
			},
		}),
		getAll: operation('GET /reader/feed/{id}', {
			action: 'Get many stories of a feed',
			description: 'List the stories of one feed',
			path: { id: feedId },
			query: {
				order,
				read_filter: readFilter('all'),
				include_hidden: includeHidden,
				include_story_content: sentContent,
				query: searchQuery,
			},
			params: { similarStories, ...storyFilters, ...storyParams },
			prepare: ({ query, params }) => ({
				query: { ...query, ...(params.content === 'none' && { include_story_content: false }) },
			}),
			paging: storyPagesUpToLast,
			output: listedStoryOutput,
			run: async ({ params }, api, parts) =>
				await readStoryList(api, parts, {
					similarStories: params.similarStories,
					filter: filterOf(params),
				}),
		}),
		findByAddress: findStoryByAddress,
		markUnreadByDays: markStoriesUnreadByDays,
		getByHash: operation('GET /reader/river_stories', {
			action: 'Get stories by hash',
			description: 'Get stories by their hashes, up to a hundred in one request; missing ones are reported',
			query: { h: storyHashes() },
			params: storyParams,
			prepare: ({ query }) => ({ query: { ...query, ...HIDDEN_AS_WELL } }),
			batch: storiesByHash,
			output: storyOutputByHash,
		}),
		getHistory: operation('GET /reader/read_stories', {
			name: 'Get Read History',
			action: 'Get the history of read stories',
			description: 'List what you read one by one, last read first (with dates, maybe sorted by publication)',
			query: { order },
			params: { ...storyParams, ...publishedBetween },
			paging: historyPages,
			output: storyOutput,
			run: async ({ params }, api, parts) =>
				await readStoryList(api, parts, { filter: filterOf(params), isInOtherOrder: true }),
		}),
		getOriginalPage: operation('GET /rss_feeds/original_story', {
			action: 'Get the original page of a story',
			description: 'Get the web page that a story comes from',
			query: { story_hash: oneStoryHash },
			params: { pageFormat, otherHosts },
			prepare: acceptsPage,
			output: listedRecord(storyPage),
			present: async ({ query, params }, response, api) => {
				const content = pageContent(response.text, params);
				return await api.results([exact(storyPage, { hash: query.story_hash, content })], response);
			},
		}),
		getOriginalText: operation('GET /rss_feeds/original_text', {
			action: 'Get the original text of a story',
			description: 'Get the full text of a story, extracted from its web page',
			query: { story_hash: oneStoryHash },
			params: { pageFormat },
			output: inOurNames(listedRecord(storyText)),
			present: async ({ query, params }, response, api) => {
				const { original_text: text, failed, ...others } = withoutEnvelope(response) ?? {};
				if (failed === true || typeof text !== 'string' || text === '') {
					throw api.apiError(
						`The service could not extract the text of ${query.story_hash}`,
						'The page may be gone or block the service. Get Original Page may still work.',
					);
				}
				const content = pageContent(text, params);
				return await api.results([{ story_hash: query.story_hash, ...others, content }], response);
			},
		}),
		getUnreadHashes: operation('GET /reader/unread_story_hashes', {
			action: 'Get the hashes of unread stories',
			description: 'List the hashes of all unread stories, without their content',
			params: { whichFeeds },
			query: { feed_id: chosenFeedsIfAny, include_timestamps: includeTimestamps },
			output: listedRecord(
				record({
					hash: aStoryHash,
					feedId: aFeedId,
					date: aText.described('When the story was published'),
				}),
			),
			run: async ({ query }, api) => {
				const { feed_id: chosen, ...others } = query;
				const { byFeed, response } = await unreadByFeed(api, chosen, others);
				if (!response) return [];
				const complete = await withOlderUnread(api, byFeed);
				const records = [...complete].flatMap(([feed, hashes]) =>
					hashes.map((entry) => ({ ...hashRecord(entry), feedId: Number(feed) })),
				);
				return await api.results(records, response);
			},
		}),
		markRead: operation('POST /reader/mark_story_hashes_as_read', {
			name: 'Mark as Read',
			action: 'Mark stories as read',
			description: 'Mark stories as read, by default a hundred in one request',
			idempotent: true,
			body: { story_hash: storyHashes() },
			batch: {
				field: 'story_hash',
				readEntry: ({ json }, hash) => {
					const { story_hashes: marked } = asRecord(json);
					// Newer servers leave out stories that were read before; older ones list all.
					const isLeftOut = Array.isArray(marked) && !marked.includes(hash);
					return { record: { hash, read: true, ...(isLeftOut && { changed: false }) } };
				},
			},
			output: listedRecord(
				record({
					hash: aStoryHash,
					read: isRead,
					changed: aBoolean.described(
						'Whether the story was unread before; null if the service does not say',
					),
				}),
			),
		}),
		markUnread: operation('POST /reader/mark_story_hash_as_unread', {
			name: 'Mark as Unread',
			action: 'Mark stories as unread',
			description: 'Mark stories as unread; the service refuses old ones',
			idempotent: true,
			body: { story_hash: storyHashes() },
			batch: {
				field: 'story_hash',
				// One missing story makes a request for several fail (seen in the wild).
				splitOnFailure: true,
				send: async (hashes, api, ask) => {
					const response = await ask(hashes);
					await leaveCounted(
						api,
						hashes.map(feedOfHash).filter((id) => id !== undefined),
					);
					return response;
				},
				readEntry: (response, hash) => {
					const entry = entryFor(response, hash);
					if (!entry) return undefined;
					const refusal = refusalIn(entry);
					return refusal === undefined ? { record: { hash, read: false } } : { refusal };
				},
			},
			output: listedRecord(record({ hash: aStoryHash, read: isRead })),
		}),
		markReadById: operation('POST /reader/mark_story_as_read', {
			name: 'Mark as Read by ID (Deprecated)',
			action: 'Mark stories as read by ID (deprecated)',
			description: 'Mark stories of one feed as read by their IDs (deprecated: use Mark as Read)',
			idempotent: true,
			body: {
				story_id: required(
					// Story ids may contain commas.
					lines('Stories', {
						paramName: 'stories',
						example: 'https://news.example.com/?p=42',
						description: 'Story IDs, not hashes, as a list or one per line',
					}),
				),
				feed_id: feedId,
			},
			output: success,
		}),
		markFeedStoriesRead: operation('POST /reader/mark_feed_stories_as_read', {
			name: 'Mark as Read by Feed (Deprecated)',
			action: 'Mark stories of several feeds as read (deprecated)',
			description: 'Mark stories of several feeds as read by their IDs (deprecated: use Mark as Read)',
			idempotent: true,
			body: {
				feeds_stories: required(
					json('Stories by Feed (JSON)', {
						example: '{ "42": ["https://news.example.com/?p=42"] }',
						description: 'An object of feed IDs, each with a list of story IDs',
						accepts: isById(isStoryIds),
						expected: 'an object of feed IDs, each with a list of story IDs',
					}),
				),
			},
			output: success,
		}),
		markSocialStoriesRead: operation('POST /reader/mark_social_stories_as_read', {
			name: 'Mark as Read by User (Deprecated)',
			action: 'Mark shared stories as read (deprecated)',
			description: 'Mark stories shared by users as read by their IDs (deprecated: use Mark as Read)',
			idempotent: true,
			body: {
				users_feeds_stories: required(
					json('Stories by User (JSON)', {
						example: '{ "12": { "42": ["https://news.example.com/?p=42"] } }',
						description: 'An object of user IDs, each with an object of feed IDs and story IDs',
						accepts: isById(isById(isStoryIds)),
						expected: 'an object of user IDs, each with an object of feed IDs and lists of story IDs',
					}),
				),
			},
			output: success,
		}),
	},
);
