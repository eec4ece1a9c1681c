import type { IDataObject } from 'n8n-workflow';
import { optional, required } from '../endpoint.ts';
import { type Values, type ValuesByOperation, step, type Own, type Step } from '../fixture.ts';
import type { FixtureAccount } from './fixture-account.ts';
import {
	envelope,
	hiddenKey,
	ids,
	nth,
	simpleStory,
	story,
	storyList,
	type Item,
	type ReaderCase,
	common,
} from './vocabulary.ts';

const sent = (n: number) => ({ story_hash: ids.hash(n) });
/** The three notations of a story hash in a parameter. */
const written = (n: number) => ({
	storyHash: nth<unknown>(n, ids.hash(0), ` ${ids.hash(1)} `, [ids.hash(2)]),
});
const done = { success: true };
const order = (n: number) => nth(n, 'newest', 'oldest', 'newest');
const readFilter = (n: number) => nth(n, 'unread', 'all', 'unread');
const yes = (n: number) => nth(n, true, false, true);

const byHash = (n: number, beside: object = {}, more: object = {}): Item => {
	// By hash, hosts return every story as unread, so the output leaves that out.
	const { read: _, ...unread } = simpleStory(n, { starred: true, starredDate: '2026-09-01T12:31:00.000Z' });
	const missing = { hash: ids.hash(1), userTags: [], highlights: [], missing: true };
	const stories = [story(n, { read_status: 0, starred: true, starred_timestamp: 1788265860 })];
	return {
		form: written(n),
		calls: [
			{ query: { h: ids.hash(n), ...beside }, response: { stories: n === 1 ? [] : stories, ...envelope } },
		],
		records: [n === 1 ? missing : { ...unread, ...more, missing: false }],
	};
};

export const storyCases: ReaderCase[] = [
	{
		call: 'GET /reader/feed/:id',
		fields: {
			page: common.page,
			order: common.order,
			read_filter: common.readFilter,
			include_hidden: optional('boolean'),
			include_story_content: optional('boolean'),
			query: optional(),
		},
		alsoReads: ['/reader/feeds'],
		fixed: { returnAll: true },
		item: (n, variant) => {
			const query = {
				order: order(n),
				read_filter: readFilter(n),
				include_hidden: String(yes(n)),
				...(!yes(n) && { include_story_content: 'false' }),
				query: `solar ${n}`,
			};
			const hidden = hiddenKey(variant);
			// The second page is empty because its stories are hidden; the list goes on.
			const page = (number: number, stories: object[], count: number) => ({
				path: [ids.feed(n)],
				query: { ...query, page: String(number) },
				response: { stories, feed_id: ids.feed(n), [hidden]: count, ...envelope },
			});
			return {
				form: {
					feedId: ids.feed(n),
					order: order(n),
					readFilter: readFilter(n),
					includeHidden: yes(n),
					storyContent: yes(n) ? 'html' : 'none',
					searchQuery: `solar ${n}`,
				},
				calls: [
					page(1, [story(n)], 1),
					page(2, [], 3),
					page(3, [story(n), story((n + 1) % 3)], 0),
					page(4, [], 0),
				],
				// A search for unread stories also returns story 1, which is read.
				records: [n, (n + 1) % 3]
					.filter((number) => readFilter(n) === 'all' || number !== 1)
					.map((number) => {
						const { content, ...facts } = simpleStory(number, { similarStories: [] });
						return yes(n) ? { ...facts, content } : facts;
					}),
			};
		},
	},
	{
		call: 'GET /rss_feeds/original_text',
		fields: { story_hash: required() },
		item: (n) => ({
			form: { storyHash: ids.hash(n), pageFormat: nth(n, 'html', 'text', 'html') },
			calls: [
				{
					query: { story_hash: ids.hash(n) },
					response: {
						feed_id: ids.feed(n),
						story_hash: ids.hash(n),
						story_id: ids.guid(n),
						original_text: '<div><p>Whole &amp; long</p></div>',
						failed: false,
						...envelope,
					},
				},
			],
			records: [
				{
					hash: ids.hash(n),
					feedId: ids.feed(n),
					id: ids.guid(n),
					content: nth(
						n,
						'<div><p>Whole &amp; long</p></div>',
						'Whole & long',
						'<div><p>Whole &amp; long</p></div>',
					),
				},
			],
		}),
	},
	{
		call: 'GET /rss_feeds/original_story',
		fields: { story_hash: required() },
		item: (n) => ({
			form: { storyHash: ids.hash(n), pageFormat: nth(n, 'html', 'text', 'html') },
			calls: [{ query: { story_hash: ids.hash(n) }, response: `<html><body><p>Page ${n}</p></body></html>` }],
			records: [
				{
					hash: ids.hash(n),
					content: n === 1 ? 'Page 1' : `<html><body><p>Page ${n}</p></body></html>`,
				},
			],
		}),
	},
	{
		call: 'GET /reader/starred_stories',
		fields: {
			page: common.page,
			tag: optional(),
			highlights: optional('boolean'),
			query: optional(),
		},
		alsoReads: ['/reader/feeds'],
		fixed: { returnAll: true },
		item: (n) => ({
			form: { savedTag: nth(n, 'tools', 'to read', 'café'), highlightsOnly: yes(n), searchQuery: 'sun' },
			calls: storyList(
				[
					story(n, {
						starred: true,
						starred_timestamp: '1788265860',
						user_tags: ['x', nth(n, 'tools', 'to read', 'café')],
						highlights: [],
					}),
				],
				{
					query: { tag: nth(n, 'tools', 'to read', 'café'), highlights: String(yes(n)), query: 'sun' },
					more: { feeds: { [ids.feed(n)]: { id: ids.feed(n), feed_title: 'Far Away' } } },
				},
			),
			records: [
				simpleStory(n, {
					feedTitle: 'Far Away',
					starred: true,
					starredDate: '2026-09-01T12:31:00.000Z',
					userTags: ['x', nth(n, 'tools', 'to read', 'café')],
					highlights: [],
					notes: '',
					// Hosts do not say it reliably, so the output leaves it out.
					read: null,
				}),
			],
		}),
	},
	{
		// One line in the document. Stories by hash have no pages, and other parameters do not apply.
		call: 'GET /reader/starred_stories by h',
		fields: { h: optional('strings') },
		alsoReads: ['/reader/feeds'],
		item: (n) => byHash(n, {}, { notes: '' }),
	},
	{
		call: 'GET /reader/starred_story_hashes',
		fields: { include_timestamps: optional('boolean') },
		fixed: { returnAll: true },
		item: (n, variant) => {
			const time = variant === 'wild' ? '1788265860' : 1788265860;
			return {
				form: { includeTimestamps: n !== 1 },
				calls: [
					{
						query: { include_timestamps: String(n !== 1) },
						response: {
							starred_story_hashes: n === 1 ? ['42:a1', '43:b2'] : [['42:a1', time]],
							...envelope,
						},
					},
				],
				records:
					n === 1
						? [{ hash: '42:a1' }, { hash: '43:b2' }]
						: [{ hash: '42:a1', date: '2026-09-01T12:31:00.000Z' }],
			};
		},
	},
	{
		call: 'GET /reader/river_stories',
		fields: {
			feeds: required('integers'),
			page: common.page,
			order: common.order,
			read_filter: common.readFilter,
			include_hidden: optional('boolean'),
			query: optional(),
			infrequent: optional('any'),
		},
		seen: ['limit'],
		alsoReads: ['/reader/feeds', '/reader/refresh_feeds'],
		fixed: { returnAll: true, whichFeeds: 'feeds' },
		item: (n, variant) => ({
			form: {
				feedIds: nth<unknown>(n, [42, 77], '43', [44, '42']),
				order: order(n),
				readFilter: readFilter(n),
				includeHidden: yes(n),
				searchQuery: 'sun',
				infrequent: nth<unknown>(n, 30, '12', 5),
			},
			calls: storyList([story(n)], {
				query: {
					feeds: nth<string | string[]>(n, ['42', '77'], '43', ['44', '42']),
					order: order(n),
					read_filter: readFilter(n),
					include_hidden: String(yes(n)),
					query: 'sun',
					infrequent: nth(n, '30', '12', '5'),
					limit: '200',
				},
				more: { code: 1, message: '', [hiddenKey(variant)]: 0 },
			}),
			records: [simpleStory(n, { similarStories: [] })],
		}),
	},
	{
		call: 'GET /reader/river_stories by h',
		fields: { h: required('strings') },
		alsoReads: ['/reader/feeds'],
		item: (n) => byHash(n, { include_hidden: 'true' }),
	},
	{
		call: 'GET /reader/unread_story_hashes',
		fields: { feed_id: optional('integers'), include_timestamps: optional('boolean') },
		alsoReads: ['/reader/refresh_feeds'],
		fixed: { whichFeeds: 'feeds' },
		item: (n, variant) => {
			const time = variant === 'wild' ? 1788265800.5 : 1788265800;
			const date = `2026-09-01T12:30:00.${variant === 'wild' ? '5' : '0'}00Z`;
			return {
				form: { feedIds: [ids.feed(n), 77], includeTimestamps: n !== 1 },
				calls: [
					{
						query: { feed_id: [String(ids.feed(n)), '77'], include_timestamps: String(n !== 1) },
						response: {
							unread_feed_story_hashes: {
								[ids.feed(n)]: n === 1 ? [ids.hash(1)] : [[ids.hash(n), time]],
							},
							...envelope,
						},
					},
				],
				records: [{ hash: ids.hash(n), feedId: ids.feed(n), ...(n !== 1 && { date }) }],
			};
		},
	},
	{
		call: 'GET /reader/read_stories',
		fields: { page: common.page, order: common.order },
		seen: ['limit'],
		alsoReads: ['/reader/feeds'],
		fixed: { returnAll: true },
		item: (n) => ({
			form: { order: order(n) },
			// The first story of the second page is the last of the first one.
			calls: [[n, n + 1], [n + 1, n + 2], []].map((listed, index) => ({
				query: { order: order(n), page: String(index + 1), limit: '1000' },
				response: {
					stories: listed.map((m) => story(m % 3)),
					user_profiles: [],
					feeds: [{ id: 42, feed_title: 'First' }],
					...envelope,
				},
			})),
			records: [n, (n + 1) % 3, (n + 2) % 3].map((m) =>
				simpleStory(m, m === 0 ? { feedTitle: 'First' } : {}),
			),
		}),
	},
	{
		call: 'POST /reader/mark_story_hashes_as_read',
		fields: { story_hash: required('strings') },
		item: (n) => ({
			form: written(n),
			calls: [
				{
					body: sent(n),
					response: { code: 1, story_hashes: n === 1 ? [] : [ids.hash(n)], feed_ids: ['42'], ...envelope },
				},
			],
			records: [{ hash: ids.hash(n), read: true, ...(n === 1 && { changed: false }) }],
		}),
	},
	{
		call: 'POST /reader/mark_story_as_read',
		fields: { story_id: required('strings'), feed_id: required('integer') },
		deprecated: true,
		item: (n) => ({
			form: { stories: [ids.guid(n), 'tag:b,c'], feedId: ids.feed(n) },
			calls: [
				{
					body: { story_id: [ids.guid(n), 'tag:b,c'], feed_id: String(ids.feed(n)) },
					response: { code: 0, payload: [ids.guid(n)], ...envelope },
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/mark_feed_stories_as_read',
		fields: { feeds_stories: required('json') },
		deprecated: true,
		item: (n) => ({
			form: { feedsStories: nth<unknown>(n, { 42: ['a'] }, '{ "43": ["b", 5] }', { 44: ['c'] }) },
			calls: [
				{
					body: { feeds_stories: nth(n, '{"42":["a"]}', '{"43":["b",5]}', '{"44":["c"]}') },
					response: { code: 0, payload: ['a'], ...envelope },
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/mark_social_stories_as_read',
		fields: { users_feeds_stories: required('json') },
		deprecated: true,
		item: (n) => ({
			form: { usersFeedsStories: { [12 + n]: { 42: ['a'] } } },
			calls: [
				{
					body: { users_feeds_stories: JSON.stringify({ [12 + n]: { 42: ['a'] } }) },
					response: { code: 1, errors: [], ...envelope },
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/mark_story_hash_as_unread',
		fields: { story_hash: required('strings') },
		alsoReads: ['/reader/feed_unread_count'],
		item: (n) => ({
			form: written(n),
			calls: [{ body: sent(n), response: { code: 1, story_hash: ids.hash(n), feed_id: 42, ...envelope } }],
			records: [{ hash: ids.hash(n), read: false }],
		}),
	},
	{
		call: 'POST /reader/mark_story_hash_as_starred',
		fields: { story_hash: required(), user_tags: optional('strings'), highlights: optional('strings') },
		seen: ['user_notes'],
		alsoReads: ['/reader/starred_story_hashes'],
		item: (n) => ({
			form: {
				storyHash: ids.hash(n),
				userTags: nth<unknown>(n, 'cli, tools', ['a,b', 'c'], '["x"]'),
				highlights: nth<unknown>(n, 'one, whole line\nanother', ['x, y'], 'z'),
			},
			calls: [
				{
					body: {
						story_hash: ids.hash(n),
						user_tags: nth<string | string[]>(n, ['cli', 'tools'], ['a,b', 'c'], 'x'),
						highlights: nth<string | string[]>(n, ['one, whole line', 'another'], 'x, y', 'z'),
					},
					response: { code: 1, message: '', starred_count: 13 + n, starred_counts: [], ...envelope },
				},
			],
			records: [
				{
					hash: ids.hash(n),
					starred: true,
					starredCount: 13 + n,
					userTags: nth(n, ['cli', 'tools'], ['a,b', 'c'], ['x']),
					highlights: nth(n, ['one, whole line', 'another'], ['x, y'], ['z']),
					notes: '',
					existed: false,
				},
			],
		}),
	},
	{
		call: 'POST /reader/mark_story_hash_as_unstarred',
		fields: { story_hash: required('strings') },
		item: (n) => ({
			form: written(n),
			calls: [{ body: sent(n), response: { code: 1, starred_counts: [], messages: [], ...envelope } }],
			records: [{ hash: ids.hash(n), starred: false }],
		}),
	},
	{
		call: 'POST /reader/mark_feed_as_read',
		fields: {
			feed_id: required('integers'),
			cutoff_timestamp: optional('timestamp'),
			direction: optional(['older', 'newer']),
		},
		alsoReads: ['/reader/feeds'],
		fixed: { whichFeeds: 'feeds' },
		item: (n) => ({
			form: {
				feedIds: nth<unknown>(n, [42], '43', [44]),
				cutoffDate: nth<unknown>(n, '2026-09-01T12:30:00Z', 1788265800, '2026-09-01T14:30:00+02:00'),
				whichStories: nth(n, 'older', 'newer', 'older'),
			},
			calls: [
				{
					body: {
						feed_id: String(ids.feed(n)),
						cutoff_timestamp: '1788265800',
						direction: nth(n, 'older', 'newer', 'older'),
					},
					response: { code: 1, errors: [], cutoff_date: null, ...envelope },
				},
			],
			records: [{ feedId: ids.feed(n), read: true }],
		}),
	},
	{
		call: 'POST /reader/mark_all_as_read',
		fields: { days: optional('integer') },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { days: nth<unknown>(n, 0, 7, '30') },
			calls: [{ body: { days: nth(n, '0', '7', '30') }, response: { code: 1, ...envelope } }],
			records: [done],
		}),
	},
];

const ofStoryHash = ({ storyHash }: Own) => ({ storyHash });
const readingFeed = ({ feedId }: Own) => ({
	apiPath: feedId === undefined ? undefined : `/reader/feed/${String(feedId)}?read_filter=all`,
});

export const storySteps: Step[] = [
	// A story of the feed that the account has neither saved nor shared, perhaps before it left the feed.
	step('apiRequest.send', readingFeed, {
		store: ({ stories }, own) => {
			const listed = (stories ?? []) as IDataObject[];
			const fresh = listed.find(({ starred, shared }) => !starred && !shared);
			own.storyHash = fresh?.story_hash;
			own.storyId = fresh?.id;
			own.storyUrl = fresh?.story_permalink;
		},
	}),
	step('story.findByAddress', ({ storyUrl }) => ({ storyUrl })),
	step('story.markUnreadByDays', ({ feedId }) => ({ unreadStoriesOf: 'feed', feedId, unreadDays: 1 })),
	step('story.markRead', ofStoryHash),
	step('story.markUnread', ofStoryHash),
	step('story.markReadById', ({ feedId, storyId }) => ({ feedId, stories: storyId })),
	step('story.markFeedStoriesRead', ({ feedId, storyId }) => ({
		feedsStories: feedId === undefined ? undefined : { [String(feedId)]: [storyId] },
	})),
	step('savedStory.save', (own) => ({ ...ofStoryHash(own), additionalFields: { userTags: [own.name] } }), {
		store: (_record, own) => {
			own.tag = own.name;
			own.renamedTag = `${String(own.name)} 1`;
		},
		undo: step('savedStory.unsave', ofStoryHash),
	}),
	step('savedStory.renameTag', ({ tag, renamedTag }) => ({ savedTag: tag, newTagName: renamedTag })),
	step('savedStory.deleteTag', ({ renamedTag }) => ({ savedTag: renamedTag })),
];

/** Operations that change what the check did not create. */
export const storyOperationsNotTried = ['story.markSocialStoriesRead'];

export const storyFixtures = ({ reader, stories, friendId }: FixtureAccount): ValuesByOperation => {
	const byFeed = stories.map(({ story_feed_id: feed, id }) => ({ [feed]: [id] }));
	const saveStories = async (): Promise<Values> => {
		for (const { story_hash } of stories)
			await reader.write('/reader/mark_story_hash_as_starred', { story_hash });
		return {};
	};
	return {
		'savedStory.getByHash': saveStories,
		'savedStory.unsave': saveStories,
		'story.markFeedStoriesRead': { feedsStories: byFeed },
		'story.markReadById': { stories: stories.map(({ id }) => id) },
		'story.markSocialStoriesRead': { usersFeedsStories: byFeed.map((feeds) => ({ [friendId]: feeds })) },
	};
};
