/** The operations that only newer servers offer. Their calls are in no interface document. */
import type { ValuesByOperation } from '../fixture.ts';
import type { FixtureAccount } from './fixture-account.ts';

/** The parameters of one item, the request, the response, and the expected output. */
export interface NewerCase {
	form: object;
	path: string;
	fields: Record<string, string[]>;
	response: object;
	items: object[];
}

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const feedId = byId(42);

export const newerCases: Record<string, NewerCase> = {
	'feed.mute': {
		form: { feedId, additionalFields: { muteDays: 3 } },
		path: '/reader/set_feed_mute',
		fields: { feed_id: ['42'], mute_duration_days: ['3'], mute: ['true'] },
		response: { code: 1, feed_id: 42, muted: true, mute_expires_at: '2026-10-01T12:00:00' },
		items: [{ feedId: 42, muted: true, mutedUntil: '2026-10-01T12:00:00.000Z' }],
	},
	'feed.unmute': {
		form: { feedId },
		path: '/reader/set_feed_mute',
		fields: { feed_id: ['42'], mute: ['false'] },
		response: { code: 1, feed_id: 42, muted: false },
		items: [{ feedId: 42, muted: false, mutedUntil: null }],
	},
	'feed.getTrending': {
		form: { limit: 2, filters: { trendingDays: 3 } },
		path: '/reader/trending_feeds',
		fields: { days: ['3'], limit: ['2'] },
		response: {
			trending_feeds: [1, 2, 3].map((pk) => ({
				pk,
				feed_title: `Feed ${pk}`,
				feed_address: 'https://weekly.example/rss',
				feed_link: 'https://weekly.example',
				num_subscribers: 5,
				active_subscribers: 4,
				trending_read_seconds: 60,
			})),
		},
		items: [1, 2].map((id) => ({
			title: `Feed ${id}`,
			address: 'https://weekly.example/rss',
			website: 'https://weekly.example',
			numSubscribers: 5,
			activeSubscribers: 4,
			readSeconds: 60,
			id,
		})),
	},
	'feed.addMany': {
		form: { feedsToAdd: '42, 77', folder: byId('Tech / Deep') },
		path: '/reader/add_feeds',
		fields: { feed_ids: ['42', '77'], folder: ['Deep'], folder_path: ['["Tech","Deep"]'] },
		response: {
			batch_add_supported: true,
			code: 0,
			results: [
				{ feed_id: 42, code: 1, message: '', created: false },
				{ feed_id: 77, code: -1, message: 'Not in the catalog', created: false },
			],
		},
		items: [
			{ feedId: 42, success: true, created: false, message: null },
			{ feedId: 77, success: false, created: false, message: 'Not in the catalog' },
		],
	},
	'savedStory.renameTag': {
		form: { savedTag: byId('cli'), newTagName: 'tools' },
		path: '/reader/rename_starred_tag',
		fields: { old_tag_name: ['cli'], new_tag_name: ['tools'] },
		response: { code: 1, starred_counts: [{ tag: 'tools', count: 2 }] },
		items: [{ tag: 'tools' }],
	},
	'savedStory.deleteTag': {
		form: { savedTag: byId('cli') },
		path: '/reader/delete_starred_tag',
		fields: { tag_name: ['cli'] },
		response: { code: 1, starred_counts: [] },
		items: [{ success: true, message: null }],
	},
	'story.findByAddress': {
		form: { storyUrl: 'https://weekly.example/1' },
		path: '/reader/find_story_by_permalink',
		fields: { story_url: ['https://weekly.example/1'] },
		response: {
			code: 1,
			story_hash: '42:a1b2c3',
			story_feed_id: 42,
			is_subscribed: true,
			feed: { feed_title: 'Invented Weekly' },
		},
		items: [{ feedTitle: 'Invented Weekly', subscribed: true, hash: '42:a1b2c3', feedId: 42 }],
	},
	'story.markUnreadByDays': {
		form: { unreadStoriesOf: 'folder', folder: byId('Tech / Deep'), unreadDays: 3 },
		path: '/reader/mark_stories_as_unread',
		fields: { days: ['3'], folder: ['Tech - Deep'] },
		response: { code: 1, async: true },
		items: [{ success: true, queued: true }],
	},
	'notification.getAll': {
		form: { returnAll: true },
		path: '/notifications/',
		fields: {},
		response: { 42: { notification_types: ['email'], notification_filter: 'focus' } },
		items: [{ feedId: 42, types: ['email'], filter: 'focus' }],
	},
	'notification.set': {
		form: { feedId, notifyOf: 'focus', additionalFields: { notifyBy: ['email', 'web'] } },
		path: '/notifications/feed',
		fields: { feed_id: ['42'], notification_types: ['email', 'web'], notification_filter: ['focus'] },
		response: { code: 1 },
		items: [{ feedId: 42, types: ['email', 'web'], filter: 'focus' }],
	},
	'autoMarkRead.get': {
		form: {},
		path: '/reader/get_auto_mark_read_settings',
		fields: {},
		response: {
			folder_auto_mark_read: { Tech: { folder_title: 'Tech', auto_mark_read_days: 3 } },
			site_wide_days: 14,
			is_archive: true,
		},
		items: [{ folderAutoMarkRead: { Tech: 3 }, siteWideDays: 14, isArchive: true }],
	},
	'autoMarkRead.set': {
		form: { autoMarkOf: 'folder', folder: byId('Tech / Deep'), additionalFields: { autoMarkDays: 3 } },
		path: '/reader/save_folder_auto_mark_read',
		fields: { folder_title: ['Tech - Deep'], auto_mark_read_days: ['3'] },
		response: { code: 1 },
		items: [{ success: true, feedId: null, folder: 'Tech / Deep', days: 3, effectiveDays: null }],
	},
	'classifier.getAll': {
		form: { returnAll: true },
		path: '/reader/all_classifiers',
		fields: {},
		response: {
			folders: [
				{
					folder_name: 'Tech',
					feeds: [
						{
							feed_id: 42,
							feed_title: 'Invented Weekly',
							classifiers: {
								tags: [{ tag: 'cli', score: 1, is_regex: false }],
							},
						},
					],
				},
			],
			total_classifiers: 2,
			scoped_classifiers: {
				titles: [{ title: 'sol.*', score: -2, is_regex: true, scope: 'folder', folder_name: 'Tech' }],
			},
		},
		items: [
			{
				feedTitle: 'Invented Weekly',
				...{ opinion: 'like', kind: 'tag', value: 'cli' },
				...{ scope: 'feed', folder: null, feedId: 42 },
			},
			{
				feedTitle: null,
				...{ opinion: 'super_dislike', kind: 'title_regex', value: 'sol.*' },
				...{ scope: 'folder', folder: 'Tech', feedId: null },
			},
		],
	},
};

export const newerFixtures = ({ reader, stories, newFeeds }: FixtureAccount): ValuesByOperation => {
	const tags = ['one', 'two', 'three'];
	const tagStories = async () => {
		for (const [n, { story_hash }] of stories.entries())
			await reader.write('/reader/mark_story_hash_as_starred', { story_hash, user_tags: tags[n]! });
		return { savedTag: tags };
	};
	return {
		'autoMarkRead.set': { additionalFields: { autoMarkDays: 9 } },
		'feed.addMany': async () => {
			const ids = await newFeeds();
			for (const feed_id of ids) await reader.write('/reader/delete_feed', { feed_id });
			return { feedsToAdd: ids.map((id) => [id]) };
		},
		'notification.set': { additionalFields: { notifyBy: ['email'] } },
		'savedStory.deleteTag': tagStories,
		'savedStory.renameTag': async () => ({
			...(await tagStories()),
			newTagName: tags.map((tag) => `${tag} again`),
		}),
		// The service searches only the most popular feed of a site, and the sandbox has all feeds on one site.
		'story.findByAddress': { storyUrl: stories[0]!.story_permalink },
		'story.markUnreadByDays': { unreadDays: 3 },
	};
};
