import { dependent, nothing } from '../../runtime/fields/compound';
import { required } from '../../runtime/fields/field';
import { integer, requiredChoice, requiredText } from '../../runtime/fields/kinds';
import { aBoolean, aTextOrNull, record } from '../../runtime/table/record';
import { operation } from '../../runtime/table/operation';
import { asRecord } from '../../runtime/values';
import { feedId, folderAlone } from '../fields/locators';
import { withoutEnvelope } from '../model/responses';
import { onNewerServers, flatFolderOf, refuseUnsubscribed } from '../model/subscriptions';
import { selected, selection, aFeedId, aStoryHash } from '../model/records';
import { countSoon, leaveCounted } from '../model/unread-counts';
import { aConfirmation } from '../outputs';

const foundStory = selection({
	feedTitle: [({ feed }) => asRecord(feed).feed_title || null, aTextOrNull.described('Title of the feed')],
	subscribed: ['is_subscribed', aBoolean.described('Whether you subscribe to it and it is not muted')],
	hash: ['story_hash', aStoryHash],
	feedId: ['story_feed_id', aFeedId],
});

export const findStoryByAddress = onNewerServers(
	operation('GET /reader/find_story_by_permalink', {
		action: 'Find a story by address',
		description: 'Find a story by its web address, in the best known feed of its site (newer servers)',
		query: {
			story_url: requiredText('Story URL', {
				example: 'https://news.example.com/2031/solar',
				description: 'The web address of the story',
			}),
		},
		output: selected(foundStory, withoutEnvelope),
	}),
);

const queuedRecord = record({
	success: aConfirmation,
	queued: aBoolean.described('Whether the service marks the stories in the background'),
});

const unreadStoriesOf = requiredChoice(
	'Which Stories',
	{ all: 'Of All Feeds', feed: 'Of One Feed', folder: 'Of a Folder' },
	{
		paramName: 'unreadStoriesOf',
		default: 'feed',
		description: 'Whether to mark stories of all feeds, of one feed or of a folder',
	},
);

export const markStoriesUnreadByDays = onNewerServers(
	operation('POST /reader/mark_stories_as_unread', {
		name: 'Mark as Unread by Days',
		action: 'Mark the stories of the last days as unread',
		description: 'Mark the stories of the last days as unread (newer servers)',
		idempotent: true,
		params: {
			whichStories: unreadStoriesOf,
			feedOrFolder: dependent<number | string | undefined>(unreadStoriesOf, {
				feed: feedId,
				folder: folderAlone,
				all: nothing,
			}),
		},
		body: {
			days: required(
				integer('Days', {
					paramName: 'unreadDays',
					min: 1,
					max: 365,
					default: 1,
					description: 'How many days to go back: at most 14 with a free account, 30 with Premium',
				}),
			),
		},
		output: { schema: queuedRecord, select: ({ json }) => json },
		run: async ({ params, body }, api) => {
			const { feedOrFolder } = params;
			const isFeed = typeof feedOrFolder === 'number';
			if (isFeed) await refuseUnsubscribed(feedOrFolder, api);
			const folder = typeof feedOrFolder === 'string' ? await flatFolderOf(feedOrFolder, api) : undefined;
			const target = isFeed ? { feed_id: feedOrFolder } : { folder: folder?.flatName };
			const response = await api.ask(api.row, { body: { ...body, ...target } });
			const queued = asRecord(response.json).async === true;
			await (isFeed ? leaveCounted(api, [feedOrFolder]) : countSoon(api));
			return await api.results([{ success: true, queued }], response);
		},
	}),
);
