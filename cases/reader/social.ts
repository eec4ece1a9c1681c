import { optional, required } from '../endpoint.ts';
import { type ValuesByOperation, step, type Own, type Step } from '../fixture.ts';
import type { FixtureAccount } from './fixture-account.ts';
import {
	bare,
	envelope,
	ids,
	nth,
	profile,
	simpleProfile,
	simpleStory,
	story,
	storyList,
	HOST_PLACEHOLDER,
	type ExpectedCall,
	type Item,
	type ReaderCase,
	common,
} from './vocabulary.ts';

const done = { success: true };
const user = (n: number) => 12 + n;
/** A complete profile, without a source. */
const fullProfile = (n: number) => (({ source: _, ...rest }) => rest)(simpleProfile(n));
/** The three notations of a user id. */
const writtenUser = (n: number) => nth<unknown>(n, 12, 'social:13', '14');

const comment = {
	id: '5f0000000000000000000001',
	user_id: 12,
	comments: 'nice',
	date: '2026-09-01 12:30:00',
	replies: [
		{ reply_id: '5f0000000000000000000002', user_id: 34, date: '2026-09-01 13:30:00', comments: 'agreed' },
	],
	liking_users: [34],
	source_user_id: null,
};
const profiles = [
	{ user_id: 12, username: 'ada' },
	{ user_id: 34, username: 'eve' },
];
const simpleComment = {
	id: comment.id,
	userId: 12,
	username: 'ada',
	comment: 'nice',
	date: '2026-09-01T12:30:00.000Z',
	likedBy: [34],
	replies: [
		{
			id: '5f0000000000000000000002',
			userId: 34,
			username: 'eve',
			comment: 'agreed',
			date: '2026-09-01T13:30:00.000Z',
		},
	],
};

/** A call about a comment, with more request fields; the second item requests HTML. */
const ofComment = (
	call: string,
	form: object = {},
	body: Record<string, string> = {},
	reported: object = {},
	replies = comment.replies,
): ReaderCase => ({
	call,
	fields: { ...common.comment, format: common.format },
	item: (n) => ({
		form: {
			feedId: ids.feed(n),
			storyId: ids.guid(n),
			commentUserId: writtenUser(n),
			answerFormat: n === 1 ? 'html' : 'json',
			...form,
		},
		calls: [
			{
				body: {
					story_feed_id: String(ids.feed(n)),
					story_id: ids.guid(n),
					comment_user_id: String(user(n)),
					format: n === 1 ? 'html' : 'json',
					...body,
				},
				response:
					n === 1
						? '<div>nice</div>'
						: {
								code: 1,
								comment: { ...comment, replies },
								user_profiles: profiles,
								...reported,
								...envelope,
							},
			},
		],
		records: [
			n === 1
				? { html: '<div>nice</div>' }
				: {
						...simpleComment,
						replies: simpleComment.replies.slice(0, replies.length),
						source: HOST_PLACEHOLDER,
						success: true,
						...('reply_id' in reported && { replyId: reported.reply_id }),
					},
		],
	}),
});

/** The account's own profile. */
const ownProfile = { ...profile(0), id: 'social:7', user_id: 7 };

/** A call about another user; its response has the profile under `key`, or only a success. */
const ofUser = (call: string, key?: string): ReaderCase => ({
	call,
	fields: { user_id: required('integer') },
	item: (n) => ({
		form: { userId: writtenUser(n) },
		calls: [
			{
				body: { user_id: String(user(n)) },
				response: { code: 1, user_profile: ownProfile, ...(key && { [key]: profile(n) }), ...envelope },
			},
		],
		records: [{ ...(key && simpleProfile(n)), ...done }],
	}),
});

const events = (call: string, key: string): ReaderCase => ({
	call,
	fields: { user_id: optional('integer'), page: common.page, format: common.format },
	fixed: { returnAll: true },
	item: (n) => {
		const query = { user_id: String(user(n)), format: 'json' };
		const event = (m: number) => ({
			date: '2026-09-01 12:30:00',
			category: 'comment_reply',
			title: null,
			content: `text ${m}`,
			with_user_id: 34,
			with_user: { user_id: 34, username: 'eve' },
			story_feed_id: m === 0 ? 42 : null,
			content_id: m === 0 ? ids.guid(0) : null,
			story_hash: m === 0 ? ids.hash(0) : null,
			is_new: m === 0,
		});
		const simple = (m: number) => ({
			category: 'comment_reply',
			date: '2026-09-01T12:30:00.000Z',
			title: null,
			content: `text ${m}`,
			withUserId: 34,
			withUsername: 'eve',
			...(m === 0 && { feedId: 42, storyHash: ids.hash(0), storyId: ids.guid(0) }),
			isNew: m === 0,
			source: HOST_PLACEHOLDER,
		});
		return {
			form: { userId: writtenUser(n), answerFormat: 'json' },
			calls: [0, 1].map((m) => ({
				query: { ...query, page: String(m + 1) },
				response: { [key]: [event(m)], page: m + 1, has_next_page: m === 0, ...envelope },
			})),
			records: [simple(0), simple(1)],
		};
	},
});

/** A document of a share feed; the second item omits the name, but not the slash. */
const ofShareFeed = (
	call: string,
	caseOf: (n: number) => Pick<Item, 'records'> & Pick<ExpectedCall, 'response'>,
	more: Partial<ReaderCase> = {},
): ReaderCase => ({
	call,
	...more,
	item: (n) => ({
		form: { userId: writtenUser(n), shareUsername: nth(n, 'ada', '', 'c/y') },
		calls: [{ path: [user(n), nth(n, 'ada', '', 'c%2Fy')], response: caseOf(n).response }],
		records: caseOf(n).records,
	}),
});

const shared = (n: number) => story(n, { shared: true, shared_comments: 'Worth it' });
const sharedStory = (n: number) =>
	story(n, {
		share_user_ids: [12, 34],
		friend_shares: [{ id: 'b', user_id: 34, comments: '', date: '2026-09-03 08:00:00.250000', replies: [] }],
		friend_comments: [
			{
				id: 'a',
				user_id: 12,
				comments: 'Worth it',
				date: '2026-09-02 08:00:00.250000',
				liking_users: [7],
				replies: [{ reply_id: 'r', user_id: 34, comments: 'Indeed', date: '2026-09-02 09:00:00' }],
			},
		],
	});
const saidOfShare = {
	shareUserIds: [12, 34],
	sharedDate: '2026-09-03T08:00:00.000Z',
	comments: [
		{
			id: 'b',
			userId: 34,
			username: null,
			comment: '',
			date: '2026-09-03T08:00:00.000Z',
			likedBy: [],
			replies: [],
		},
		{
			id: 'a',
			userId: 12,
			username: null,
			comment: 'Worth it',
			date: '2026-09-02T08:00:00.000Z',
			likedBy: [7],
			replies: [{ id: 'r', userId: 34, username: null, comment: 'Indeed', date: '2026-09-02T09:00:00.000Z' }],
		},
	],
};
const simpleShared = (n: number) => (({ content: _, ...rest }) => ({ ...rest, ...done }))(simpleStory(n));

/** What the response to an unshared story does not say. */
const unsaid = { starred: null, userTags: null, highlights: null };

export const socialCases: ReaderCase[] = [
	{
		call: 'GET /social/river_stories',
		fields: { social_user_ids: required('integers'), page: common.page, order: common.order },
		seen: ['limit'],
		alsoReads: ['/reader/feeds'],
		fixed: { returnAll: true },
		item: (n) => ({
			form: { socialUserIds: [12, user(n) + 1], order: nth(n, 'newest', 'oldest', 'newest') },
			calls: storyList([sharedStory(n)], {
				query: {
					social_user_ids: ['12', String(user(n) + 1)],
					order: nth(n, 'newest', 'oldest', 'newest'),
					limit: '50',
				},
			}),
			records: [simpleStory(n, saidOfShare)],
		}),
	},
	{
		call: 'POST /social/share_story',
		fields: {
			...common.story,
			comments: optional(),
			source_user_id: optional('integer'),
			post_to_services: optional('strings'),
			format: common.format,
		},
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: {
				feedId: ids.feed(n),
				storyId: n === 2 ? ids.hash(n) : ids.guid(n),
				comment: `Worth it ${n}`,
				sourceUserId: writtenUser(n),
				postToServices: nth<unknown>(n, ['twitter'], ['twitter', 'facebook'], 'facebook'),
				answerFormat: 'json',
			},
			calls: [
				{
					body: {
						feed_id: String(ids.feed(n)),
						story_id: n === 2 ? ids.hash(n) : ids.guid(n),
						comments: `Worth it ${n}`,
						source_user_id: String(user(n)),
						post_to_services: nth<string | string[]>(n, 'twitter', ['twitter', 'facebook'], 'facebook'),
						format: 'json',
					},
					response: { code: 1, story: shared(n), user_profiles: [], ...envelope },
				},
			],
			records: [{ ...simpleShared(n), comment: 'Worth it' }],
		}),
	},
	{
		call: 'POST /social/unshare_story',
		fields: { ...common.story, format: common.format },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { feedId: ids.feed(n), storyId: ids.guid(n), answerFormat: n === 1 ? 'html' : 'json' },
			calls: [
				{
					body: {
						feed_id: String(ids.feed(n)),
						story_id: ids.guid(n),
						format: n === 1 ? 'html' : 'json',
					},
					response:
						n === 1
							? '<div>gone</div>'
							: { code: 1, message: 'Story unshared.', story: story(n), ...envelope },
				},
			],
			records: [
				n === 1 ? { html: '<div>gone</div>' } : { ...simpleShared(n), ...unsaid, message: 'Story unshared.' },
			],
		}),
	},
	{
		call: 'GET /social/load_user_friends',
		fixed: { returnAll: true },
		item: () => ({
			form: {},
			calls: [
				{
					response: {
						services: {},
						user_profile: profile(2),
						following_profiles: [profile(0)],
						follower_profiles: [profile(0), profile(1)],
						...envelope,
					},
				},
			],
			records: [
				{ ...simpleProfile(0), following: true, follower: true, you: false },
				{ ...simpleProfile(1), following: false, follower: true, you: false },
				{ ...simpleProfile(2), following: false, follower: false, you: true },
			],
		}),
	},
	{
		call: 'GET /social/profile',
		fields: { user_id: required('integer') },
		item: (n) => ({
			form: { userId: writtenUser(n) },
			calls: [
				{
					query: { user_id: String(user(n)) },
					response: {
						user_profile: profile(n),
						followers_youknow: [34],
						followers_everybody: [34, 35],
						following_youknow: [],
						following_everybody: [35],
						requested_follow: false,
						...envelope,
					},
				},
			],
			records: [{ ...simpleProfile(n), commonFollowers: [34], commonFollowings: [] }],
		}),
	},
	{
		call: 'GET /social/load_user_profile',
		item: () => ({
			form: {},
			calls: [{ response: { services: { gravatar: {} }, user_profile: profile(0), ...envelope } }],
			records: [{ ...fullProfile(0), services: { gravatar: {} } }],
		}),
	},
	{
		call: 'POST /social/save_user_profile',
		fields: {
			location: optional(),
			bio: optional(),
			website: optional(),
			photo_service: optional(['twitter', 'facebook', 'gravatar']),
		},
		seen: ['private', 'protected'],
		alsoReads: ['/social/load_user_profile'],
		item: (n) => ({
			form: nth<Record<string, unknown>>(
				n,
				{ location: 'Bergen', bio: 'b'.repeat(160), website: 'https://n.example', photoService: 'twitter' },
				{ location: 'Rome', bio: 'x', website: 'https://y.example', photoService: 'facebook' },
				{ location: 'Paris', bio: 'y', website: 'https://z.example', photoService: 'gravatar' },
			),
			calls: [
				{
					body: nth<Record<string, string>>(
						n,
						{
							location: 'Bergen',
							bio: 'b'.repeat(160),
							website: 'https://n.example',
							photo_service: 'twitter',
						},
						{ location: 'Rome', bio: 'x', website: 'https://y.example', photo_service: 'facebook' },
						{ location: 'Paris', bio: 'y', website: 'https://z.example', photo_service: 'gravatar' },
					),
					response: { code: 1, user_profile: profile(0), ...envelope },
				},
			],
			records: [{ ...fullProfile(0), ...done }],
		}),
	},
	events('GET /social/interactions', 'interactions'),
	events('GET /social/activities', 'activities'),
	ofUser('POST /social/follow', 'follow_profile'),
	ofUser('POST /social/unfollow', 'unfollow_profile'),
	ofUser('POST /social/mute_user'),
	ofUser('POST /social/unmute_user'),
	{
		call: 'GET /social/feed_trainer',
		fields: common.shareFeed,
		fixed: { returnAll: true },
		alsoReads: ['/social/load_user_profile'],
		item: (n, variant) => ({
			form: { userId: writtenUser(n) },
			calls: [
				{
					query: { user_id: String(user(n)) },
					response: bare(variant, 'feeds', [{ ...profile(n), classifiers: { tags: {} } }]),
				},
			],
			records: [{ ...fullProfile(n), classifiers: { tags: {} } }],
		}),
	},
	{
		call: 'GET /social/public_comments',
		fields: { ...common.story, format: common.format },
		alsoReads: ['/reader/river_stories'],
		fixed: { returnAll: true },
		item: (n) => ({
			form: { feedId: ids.feed(n), storyId: ids.guid(n), answerFormat: 'json' },
			calls: [
				{
					query: { story_id: ids.guid(n), feed_id: String(ids.feed(n)), format: 'json' },
					response: { comments: [comment], user_profiles: profiles, ...envelope },
				},
			],
			records: [{ ...simpleComment, source: HOST_PLACEHOLDER }],
		}),
	},
	{
		...ofComment(
			'POST /social/save_comment_reply',
			{ replyText: 'I agree, "fully"', replyId: '5f0000000000000000000002' },
			{ reply_comments: 'I agree, "fully"', reply_id: '5f0000000000000000000002' },
			{ reply_id: '5f0000000000000000000002' },
		),
		fields: { ...common.comment, reply_comments: required(), reply_id: optional(), format: common.format },
	},
	{
		...ofComment(
			'POST /social/remove_comment_reply',
			{ replyId: '5f0000000000000000000002' },
			{ reply_id: '5f0000000000000000000002' },
			{},
			[],
		),
		fields: { ...common.comment, reply_id: optional(), format: common.format },
	},
	ofComment('POST /social/like_comment'),
	ofComment('POST /social/remove_like_comment'),
	{
		call: 'GET /social/find_friends',
		fields: { query: required() },
		seen: ['limit'],
		fixed: { returnAll: true },
		item: (n) => ({
			form: { userQuery: `ada ${n}` },
			calls: [
				{ query: { query: `ada ${n}`, limit: '1000' }, response: { profiles: [profile(n)], ...envelope } },
			],
			records: [simpleProfile(n)],
		}),
	},
	ofShareFeed(
		'GET /social/rss/:user_id/:username',
		(n) => ({
			response: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:${n}</id><title>Ten &amp; more</title><link href="https://weekly.example/ten"/><author><name>Ada</name></author><published>2026-09-01T12:30:00Z</published><category term="cli"/><content type="html">&lt;p&gt;x&lt;/p&gt;</content></entry></feed>`,
			records: [
				{
					id: `urn:${n}`,
					title: 'Ten & more',
					link: 'https://weekly.example/ten',
					author: 'Ada',
					date: '2026-09-01T12:30:00.000Z',
					tags: ['cli'],
					content: '<p>x</p>',
				},
			],
		}),
		{ fixed: { feedResult: 'items' } },
	),
	{
		call: 'GET /social/stories/:user_id/:username',
		fields: { order: common.order, read_filter: common.readFilter },
		seen: ['page'],
		alsoReads: ['/reader/feeds'],
		fixed: { returnAll: true },
		item: (n) => ({
			form: {
				userId: writtenUser(n),
				shareUsername: nth(n, 'ada', '', 'c/y'),
				order: nth(n, 'newest', 'oldest', 'newest'),
				readFilter: nth(n, 'all', 'unread', 'all'),
			},
			calls: storyList([sharedStory(n)], {
				path: [user(n), nth(n, 'ada', '', 'c%2Fy')],
				query: { order: nth(n, 'newest', 'oldest', 'newest'), read_filter: nth(n, 'all', 'unread', 'all') },
			}),
			records: [simpleStory(n, saidOfShare)],
		}),
	},
	ofShareFeed(
		'GET /social/page/:user_id/:username',
		(n) => ({
			response: `<html>${n}</html>`,
			records: [{ html: `<html>${n}</html>` }],
		}),
		{ alsoReads: ['/social/load_user_profile'] },
	),
	ofShareFeed('GET /social/settings/:user_id/:username', (n) => ({
		// The caller's number replaces the user's own.
		response: { ...profile(n), ...envelope },
		records: [simpleProfile(n)],
	})),
	ofShareFeed('GET /social/statistics/:user_id/:username', () => ({
		response: { average_stories_per_month: 3, subscriber_count: '2', ...envelope },
		records: [{ averageStoriesPerMonth: 3, subscriberCount: 2 }],
	})),

	// Authentication calls
	{
		call: 'POST /api/logout',
		item: () => ({
			form: {},
			calls: [{ response: { code: 1, result: 'ok', authenticated: false } }],
			records: [done],
		}),
	},
	{
		call: 'POST /api/signup',
		fields: { username: required(), password: optional(), email: required() },
		isAnonymous: true,
		item: (n) => ({
			form: { newUsername: `new${n}`, newPassword: `secret ${n}`, newEmail: `new${n}@example.com` },
			calls: [
				{
					body: { username: `new${n}`, password: `secret ${n}`, email: `new${n}@example.com` },
					response: { code: 1, errors: null, result: 'ok', authenticated: true, user_id: 8 + n },
				},
			],
			records: [{ success: true, userId: 8 + n }],
		}),
	},
];

const ofStory = ({ feedId, storyId }: Own) => ({ feedId, storyId });
const ofOwnComment = (own: Own) => ({ ...ofStory(own), commentUserId: own.isShared ? own.me : undefined });

export const socialSteps: Step[] = [
	step('profile.get', () => ({}), {
		store: ({ id }, own) => {
			own.me = id;
		},
	}),
	step('apiRequest.send', () => ({ apiPath: '/social/load_user_profile' })),
	step('share.create', (own) => ({ ...ofStory(own), comment: own.name }), {
		store: (_record, own) => {
			own.isShared = true;
		},
		undo: step('share.delete', ofStory),
	}),
	step('comment.saveReply', (own) => ({ ...ofOwnComment(own), replyText: own.name }), {
		store: ({ replyId }, own) => {
			own.replyId = replyId;
		},
		undo: step('comment.removeReply', (own) => ({ ...ofOwnComment(own), replyId: own.replyId })),
	}),
];

/** Operations that change what the check did not create. */
export const socialOperationsNotTried = [
	'account.logOut',
	'account.signUp',
	'comment.like',
	'comment.removeLike',
	'profile.update',
	'user.follow',
	'user.mute',
	'user.unfollow',
	'user.unmute',
];

export const socialFixtures = ({
	reader,
	feedIds,
	stories,
	friendId,
	createComments,
}: FixtureAccount): ValuesByOperation => ({
	'account.signUp': {
		newUsername: ['ada', 'grace', 'joan'],
		newEmail: ['ada', 'grace', 'joan'].map((name) => `${name}@example.com`),
	},
	'apiRequest.send': {
		apiMethod: 'POST',
		apiPath: '/reader/mark_feed_as_read',
		additionalFields: { apiBody: JSON.stringify({ feed_id: feedIds[0] }) },
	},
	'comment.getAll': createComments,
	'comment.like': createComments,
	'comment.removeLike': createComments,
	'comment.removeReply': createComments,
	'comment.saveReply': createComments,
	'profile.update': { additionalFields: { bio: 'Reads a lot' } },
	'river.getShared': { socialUserIds: [[friendId], [friendId], [friendId]] },
	'share.create': { feedId: feedIds },
	'share.delete': async () => {
		for (const { story_feed_id: feed_id, id: story_id } of stories)
			await reader.write('/social/share_story', { feed_id, story_id });
		return { feedId: feedIds };
	},
	'user.find': { userQuery: 'friend' },
	'user.unfollow': async () => {
		await reader.write('/social/follow', { user_id: friendId });
		return {};
	},
});
