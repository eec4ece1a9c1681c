import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import { classOf } from '../../runtime/errors/errors';
import {
	aBoolean,
	aText,
	anInteger,
	listOf,
	exact,
	optional,
	record,
	type RecordOf,
} from '../../runtime/table/record';
import { isRecord, settled, toText } from '../../runtime/values';
import { isoFromUtc, membersOf } from './responses';
import type { Names } from './names';

export const profileRecord = record({
	id: aText.described('ID of the user'),
	username: aText.described('Name of the user'),
	website: aText.described('URL of the user’s website'),
	user_id: anInteger.described('ID of the user'),
	location: aText.described('Where the user is'),
	bio: aText.described('What the user says about themselves'),
	photo_url: aText.described('URL of the photo'),
	feed_title: aText.described('Title of the user’s share feed'),
	feed_address: aText.described('URL of the share feed as RSS'),
	feed_link: aText.described('URL of the share feed as a web page'),
});

/** A profile with all members that the service returns. */
export const fullProfileRecord = record({
	...profileRecord.members,
	large_photo_url: optional(aText).described('URL of the large photo'),
	protected: optional(aBoolean).described('Whether only accepted followers may reply'),
	private: optional(aBoolean).described('Whether only accepted followers see the share feed'),
	active: optional(aBoolean).described('Whether the user is active'),
	num_subscribers: optional(anInteger).described('Number of followers'),
	shared_stories_count: optional(anInteger).described('Number of stories that the user shared'),
	following_count: optional(anInteger).described('Number of users followed'),
	follower_count: optional(anInteger).described('Number of followers'),
	popular_publishers: optional(
		listOf(record({ id: anInteger, feed_title: aText, story_count: anInteger })),
	).described('Feeds whose stories the user shares most'),
	stories_last_month: optional(anInteger).described('Number of stories shared in the last month'),
	average_stories_per_month: optional(anInteger).described('Average number of stories shared in a month'),
});

/** The names of a profile's members, as all records of users have them. The profile's own id only repeats the user's id. */
export const PROFILE_NAMES: Names = {
	id: undefined,
	user_id: 'id',
	feed_address: 'shareFeed',
	feed_link: 'sharePage',
	num_subscribers: 'followers',
	shared_stories_count: 'sharedStories',
};
export const INSIDE_PROFILE = {
	popularPublishers: listOf(record({ feedTitle: aText, storyCount: anInteger, id: anInteger })).described(
		'Feeds whose stories the user shares most',
	),
};

/** A simplified user; a response may have fewer members. */
export const simpleProfile = record({
	id: optional(anInteger).described('ID of the user'),
	sharePage: optional(aText).described('URL of the share feed as a web page'),
	username: optional(aText).described('Name of the user'),
	website: optional(aText).described('URL of the user’s website'),
	location: optional(aText).described('Where the user is'),
	bio: optional(aText).described('What the user says about themselves'),
	photoUrl: optional(aText).described('URL of the photo'),
	shareFeed: optional(aText).described('URL of the share feed as RSS'),
	followers: optional(anInteger).described('Number of followers'),
	sharedStories: optional(anInteger).described('Number of shared stories'),
});

/** The members of a record under other names, given as `{ ours: theirs }`. Missing members stay missing. */
export const renamed = <const Names extends Record<string, string>>(
	record: IDataObject,
	names: Names,
): { [Name in keyof Names]?: unknown } =>
	Object.fromEntries(
		Object.entries(names).flatMap(([name, key]) => (key in record ? [[name, record[key]] as const] : [])),
	) as { [Name in keyof Names]?: unknown };

export const simplifyProfile = (profile: IDataObject): RecordOf<typeof simpleProfile> =>
	exact(
		simpleProfile,
		renamed(profile, {
			id: 'user_id',
			username: 'username',
			location: 'location',
			bio: 'bio',
			website: 'website',
			photoUrl: 'photo_url',
			shareFeed: 'feed_address',
			sharePage: 'feed_link',
			followers: 'num_subscribers',
			sharedStories: 'shared_stories_count',
		}),
	);

/** Whether a response shows that a user is the account's own. */
export const isOwnId = ({ json }: ApiResponse, id: number): boolean =>
	isRecord(json) && isRecord(json.user_profile) && json.user_profile.user_id === id;

/**
 * Whether the response to a follow or unfollow shows the user as followed; undefined if it shows neither. A pending
 * request to a private user counts as followed.
 */
export function isFollowed(response: ApiResponse, key: string): boolean | undefined {
	const { [key]: profile } = isRecord(response.json) ? response.json : {};
	if (!isRecord(profile) || typeof profile.followed_by_you !== 'boolean') return undefined;
	return profile.requested_follow === true || profile.followed_by_you;
}

/** What a request about a user returns. The service fails with 500 for a user who does not exist: then the error says so. */
export async function aboutUser<Done>(id: number, api: Api, work: Promise<Done>): Promise<Done> {
	const done = await settled(work);
	if ('value' in done) return done.value;
	if (classOf(done.error) === 'failed') {
		const query = { user_id: id };
		const profile = await settled(api.send({ method: 'GET', path: '/social/profile', query }));
		if ('error' in profile && classOf(profile.error) === 'failed') {
			throw api.parameterError('User', `${id} is not a user of the service`, 'Choose one from the list');
		}
	}
	throw done.error;
}

/** The names of the users in a response, by id. */
function namesIn({ json }: ApiResponse): Map<number, string> {
	const profiles = isRecord(json) ? (membersOf(json.user_profiles) ?? []) : [];
	return new Map(
		profiles.filter(isRecord).map((user) => [Number(toText(user.user_id)), toText(user.username)]),
	);
}

export const commentRecord = record({
	id: aText,
	user_id: anInteger,
	comments: aText,
	date: aText,
	liking_users: listOf(anInteger),
	source_user_id: anInteger,
});

const statement = {
	username: optional(aText).described('Name of the user'),
	comment: aText.described('Text of the comment'),
	date: aText.described('When it was written'),
};
const statementIds = {
	userId: anInteger.described('ID of the user'),
	id: aText.described('ID of the comment or reply'),
};
const simpleReply = record({ ...statement, ...statementIds });

export const simpleComment = record({
	...statement,
	likedBy: listOf(anInteger).described('IDs of the users who like the comment'),
	replies: listOf(simpleReply).described('Replies to the comment'),
	...statementIds,
});

/** A comment with its replies, and the names of their authors if the response has them. */
export function simplifyComment(comment: IDataObject, response: ApiResponse): RecordOf<typeof simpleComment> {
	const names = namesIn(response);
	const simplifyReply = (id: unknown, reply: Record<string, unknown>): RecordOf<typeof simpleReply> => {
		const username = names.get(Number(toText(reply.user_id)));
		return exact(simpleReply, {
			id,
			userId: reply.user_id,
			...(username !== undefined && { username }),
			comment: reply.comments,
			date: isoFromUtc(reply.date),
		});
	};
	return exact(simpleComment, {
		...simplifyReply(comment.id, comment),
		likedBy: comment.liking_users ?? [],
		replies: (membersOf(comment.replies) ?? [])
			.filter(isRecord)
			.map((reply) => simplifyReply(reply.reply_id, reply)),
	});
}

export const interactionRecord = record({ category: aText, date: aText, title: aText, content: aText });

export const simpleInteraction = record({
	title: aText.described('What the event is about'),
	content: aText.described('Text of the event'),
	category: aText.described('Kind of event, such as follow or comment_reply'),
	date: aText.described('When it happened'),
	withUsername: optional(aText).described('Name of the other user'),
	isNew: optional(aBoolean).described('Whether you have not seen the event in the reader yet'),
	withUserId: optional(anInteger).described('ID of the other user'),
	storyHash: optional(aText).described('Hash of the story that the record is about'),
	storyId: optional(aText).described('ID of the story that the record is about'),
	feedId: optional(anInteger).described('ID of the feed'),
});

/** An interaction or an activity; both have the same members: the category, the other user, and the story. */
export function simplifyInteraction(interaction: IDataObject): RecordOf<typeof simpleInteraction> {
	const withUser = isRecord(interaction.with_user) ? interaction.with_user : {};
	return exact(simpleInteraction, {
		category: interaction.category,
		date: isoFromUtc(interaction.date),
		title: interaction.title ?? null,
		content: interaction.content ?? null,
		...(interaction.with_user_id !== null && {
			withUserId: interaction.with_user_id,
			...(typeof withUser.username === 'string' && { withUsername: withUser.username }),
		}),
		...(Boolean(interaction.story_feed_id) && {
			feedId: interaction.story_feed_id,
			storyHash: interaction.story_hash,
			storyId: interaction.content_id,
		}),
		...('is_new' in interaction && { isNew: interaction.is_new }),
	});
}
