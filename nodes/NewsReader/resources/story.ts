import { byVersion, IN_VERSION_1, shownIf, SINCE_VERSION_1_1 } from '../../runtime/fields/compound';
import { prominent, required } from '../../runtime/fields/field';
import { flag, json, lines } from '../../runtime/fields/kinds';
import { operation, resource, type Operation } from '../../runtime/table/operation';
import {
	aBoolean,
	aText,
	anInteger,
	anything,
	listOf,
	make,
	optional,
	record,
} from '../../runtime/table/record';
import { isRecord } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feedChoice';
import { acceptsPage, otherHosts, pageContent, pageFormat, storyContent, storyForm } from '../fields/formats';
import { feedId, oneStoryHash, storyHashes } from '../fields/locators';
import { includeHidden, includeTimestamps, order, readFilter, searchQuery } from '../fields/storyFilters';
import { storyPages, storyPagesUpToLast } from '../lists';
import { withoutEnvelope } from '../model/answers';
import { isIdsByFeed, isIdsByUser } from '../model/deprecatedMarks';
import { HASHES_PER_REQUEST, HIDDEN_AS_WELL, storiesByHash, storyOutputByHash } from '../model/hashes';
import { answerAbout, refusalIn } from '../model/marks';
import { inOurNames, STORY_NAMES } from '../model/names';
import { storyOutput } from '../model/stories';
import { storiesOf, unreadByFeed, unreadHashes, unreadInOrder } from '../model/unread';
import { completed } from '../model/unreadRest';
import { listedRecord } from '../../runtime/table/outputs';
import { success } from '../outputs';

const storyPage = record({ story_hash: aText, content: aText });
const storyText = record({
	...storyPage.members,
	feed_id: anInteger,
	story_id: optional(aText),
	image_urls: optional(listOf(aText)),
	secure_image_urls: optional(anything),
});

const getOriginalPage: Operation = operation('GET /rss_feeds/original_story', {
	name: 'Get Original Page',
	action: 'Get the original page of a story',
	description: 'Get the web page that a story comes from',
	query: { story_hash: oneStoryHash },
	form: { pageFormat, otherHosts },
	prepare: ({ form }) => acceptsPage(form),
	output: inOurNames(listedRecord(storyPage), STORY_NAMES),
	run: async ({ query, form }, api, parts) => {
		const answer = await api.ask(getOriginalPage, parts);
		const content = pageContent(answer.text, form);
		return await api.results([make(storyPage, { story_hash: query.story_hash, content })], answer);
	},
});

/** The service extracts the text of that page. */
const getOriginalText: Operation = operation('GET /rss_feeds/original_text', {
	name: 'Get Original Text',
	action: 'Get the original text of a story',
	description: 'Get the full text of a story, extracted from its web page',
	query: { story_hash: oneStoryHash },
	form: { pageFormat },
	output: inOurNames(listedRecord(storyText), STORY_NAMES),
	run: async ({ query, form }, api, parts) => {
		const answer = await api.ask(getOriginalText, parts);
		const { original_text: text, failed, ...others } = withoutEnvelope(answer) ?? {};
		if (failed === true || typeof text !== 'string' || text === '') {
			throw api.failure(
				`The service could not extract the text of ${query.story_hash}`,
				'The page may be gone or refuse the service. Get Original Page may still work.',
			);
		}
		const content = pageContent(text, form);
		return await api.results([{ story_hash: query.story_hash, ...others, content }], answer);
	},
});

/** Whether the service left a story out of those that it marked, as some hosts do with what was read already. */
const isLeftOut = (answer: unknown, hash: string): boolean =>
	isRecord(answer) && Array.isArray(answer.story_hashes) && !answer.story_hashes.includes(hash);

const contentFlag = flag('Include Story Content', 'the service sends the stories’ content', {
	parameter: 'includeStoryContent',
	default: true,
});
/** Content says it of simplified stories; in version 1 both may, and what either leaves out is left out. */
const sentContent = byVersion(contentFlag, shownIf({ '/simplify': [false] }, contentFlag));

/** In version 1 it also stands where nothing is simplified. */
const contentOfFeed: typeof storyContent = {
	...storyForm.content,
	properties: (name) => [
		...storyForm.content.properties(name),
		...shownIf({ ...IN_VERSION_1, simplify: [false] }, storyContent).properties(name),
	],
};

export const story = resource(
	'Story',
	{ description: 'Stories of your feeds, and which of them are read' },
	{
		getAll: operation('GET /reader/feed/{id}', {
			name: 'Get Many',
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
			form: { ...storyForm, content: contentOfFeed },
			prepare: ({ query, form }) => ({
				query: { ...query, ...(form.content === 'none' && { include_story_content: false }) },
			}),
			paging: storyPagesUpToLast,
			output: storyOutput,
		}),
		getByHash: operation('GET /reader/river_stories', {
			name: 'Get by Hash',
			action: 'Get stories by hash',
			description: 'Get stories by their hashes, up to a hundred in one request; missing ones are reported',
			query: { h: storyHashes() },
			form: storyForm,
			prepare: ({ query }) => ({ query: { ...query, ...HIDDEN_AS_WELL } }),
			batch: storiesByHash,
			output: storyOutputByHash,
		}),
		getHistory: operation('GET /reader/read_stories', {
			name: 'Get Read History',
			action: 'Get the history of read stories',
			description: 'List the stories that you have read, last read first',
			query: { order },
			form: storyForm,
			paging: storyPages,
			output: storyOutput,
		}),
		getOriginalPage,
		getOriginalText,
		/** What clients do: the hashes of what is unread, then the content of as many as are wanted. */
		getUnread: operation('GET /reader/unread_story_hashes', {
			name: 'Get Unread',
			action: 'Get unread stories',
			description: 'List the unread stories of all feeds, of some, or of a folder, with their content',
			composite: true,
			limited: true,
			form: {
				whichFeeds,
				chosenFeeds: chosenFeedsIfAny,
				firstOrder: shownIf(IN_VERSION_1, prominent(order)),
				order: shownIf(SINCE_VERSION_1_1, order),
				...storyForm,
			},
			output: storyOutput,
			run: async ({ form }, api) => {
				const limit = api.limit();
				const { byFeed } = await unreadByFeed(api, form.chosenFeeds, { include_timestamps: true });
				const wanted = form.order ?? form.firstOrder;
				const hashes = await unreadInOrder(api, byFeed, wanted === 'oldest', limit);
				return await storiesOf(api, hashes, limit);
			},
		}),
		getUnreadHashes: operation('GET /reader/unread_story_hashes', {
			name: 'Get Unread Hashes',
			action: 'Get the hashes of unread stories',
			description: 'List the hashes of all unread stories, without their content',
			form: { whichFeeds },
			query: { feed_id: chosenFeedsIfAny, include_timestamps: includeTimestamps },
			output: inOurNames(
				listedRecord(record({ story_hash: aText, feed_id: anInteger, date: aText })),
				STORY_NAMES,
			),
			run: async ({ query }, api) => {
				const { feed_id: chosen, ...others } = query;
				const { byFeed, answer } = await unreadByFeed(api, chosen, others);
				if (!answer) return [];
				const complete = await completed(api, byFeed);
				return await api.results(
					unreadHashes(complete).map((hash) => ({ ...hash })),
					answer,
				);
			},
		}),
		markRead: operation('POST /reader/mark_story_hashes_as_read', {
			name: 'Mark as Read',
			action: 'Mark stories as read',
			description: 'Mark stories as read, up to a hundred in one request',
			idempotent: true,
			body: { story_hash: storyHashes() },
			besideOthers: 'the service keeps every read story by itself, in no list (seen in the wild)',
			batch: {
				field: 'story_hash',
				size: HASHES_PER_REQUEST,
				outcome: ({ json: answer }, hash) => ({
					// Hosts name whatever they were sent: only what they leave out is known to be unchanged.
					record: { story_hash: hash, read: true, ...(isLeftOut(answer, hash) && { changed: false }) },
				}),
			},
			output: inOurNames(
				listedRecord(record({ story_hash: aText, read: aBoolean, changed: optional(aBoolean) })),
				STORY_NAMES,
			),
		}),
		markUnread: operation('POST /reader/mark_story_hash_as_unread', {
			name: 'Mark as Unread',
			action: 'Mark stories as unread',
			description: 'Mark stories as unread, which the service refuses for old ones',
			idempotent: true,
			body: { story_hash: storyHashes() },
			batch: {
				field: 'story_hash',
				size: HASHES_PER_REQUEST,
				// One story that is gone makes a request for several fail (seen in the wild).
				divisible: 'failed',
				outcome: (answer, hash) => {
					const entry = answerAbout(answer, hash);
					if (!entry) return { failure: `The service did not say whether ${hash} is unread now` };
					const failure = refusalIn(entry);
					return failure ? { failure } : { record: { story_hash: hash, read: false } };
				},
			},
			output: inOurNames(listedRecord(record({ story_hash: aText, read: aBoolean })), STORY_NAMES),
		}),
		markReadById: operation('POST /reader/mark_story_as_read', {
			name: 'Mark as Read by ID (Deprecated)',
			action: 'Mark stories as read by ID (deprecated)',
			description: 'Mark stories of one feed as read by their IDs (deprecated: use Mark as Read)',
			idempotent: true,
			body: {
				story_id: required(
					// The IDs of stories may hold commas.
					lines('Stories', {
						parameter: 'stories',
						example: 'https://news.example.com/?p=42',
						description: 'The stories’ own IDs, not their hashes, as a list or one a line',
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
						parameter: 'feedsStories',
						example: '{ "42": ["https://news.example.com/?p=42"] }',
						description: 'An object of feed IDs, each with a list of story IDs',
						accepts: isIdsByFeed,
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
						parameter: 'usersFeedsStories',
						example: '{ "12": { "42": ["https://news.example.com/?p=42"] } }',
						description: 'An object of user IDs, each with an object of feed IDs and story IDs',
						accepts: isIdsByUser,
						expected: 'an object of user IDs, each with an object of feed IDs and lists of story IDs',
					}),
				),
			},
			output: success,
		}),
	},
);
