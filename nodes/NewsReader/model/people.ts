import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
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
import { isRecord, toText } from '../../runtime/values';
import { isoFromUtc, membersOf } from './responses';
import type { Names } from './names';

export const profileRecord = record({
	id: aText,
	user_id: anInteger,
	username: aText,
	location: aText,
	bio: aText,
	website: aText,
	photo_url: aText,
	feed_title: aText,
	feed_address: aText,
	feed_link: aText,
});

/** A profile with all members that the service returns. */
export const fullProfileRecord = record({
	...profileRecord.members,
	large_photo_url: optional(aText),
	protected: optional(aBoolean),
	private: optional(aBoolean),
	active: optional(aBoolean),
	num_subscribers: optional(anInteger),
	shared_stories_count: optional(anInteger),
	following_count: optional(anInteger),
	follower_count: optional(anInteger),
	popular_publishers: optional(listOf(record({ id: anInteger, feed_title: aText, story_count: anInteger }))),
	stories_last_month: optional(anInteger),
	average_stories_per_month: optional(anInteger),
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
	popularPublishers: listOf(record({ feedTitle: aText, storyCount: anInteger, id: anInteger })),
};

/** A simplified user; a response may have fewer members. */
export const simpleProfile = record({
	username: optional(aText),
	location: optional(aText),
	bio: optional(aText),
	website: optional(aText),
	photoUrl: optional(aText),
	shareFeed: optional(aText),
	sharePage: optional(aText),
	followers: optional(anInteger),
	sharedStories: optional(anInteger),
	id: optional(anInteger),
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

/** The most followed users that a profile lists (seen in the wild). */
const MOST_LISTED = 48;

/** The users that the account follows, except itself; undefined if the response may not list all. */
export function followedIds({ json }: ApiResponse): number[] | undefined {
	const own = isRecord(json) && isRecord(json.user_profile) ? json.user_profile : {};
	const listed = membersOf(own.following_user_ids);
	return listed && listed.length < MOST_LISTED ? listed.map(Number) : undefined;
}

/** Whether a response shows that a user is the account's own. */
export const isOwnId = ({ json }: ApiResponse, id: number): boolean =>
	isRecord(json) && isRecord(json.user_profile) && json.user_profile.user_id === id;

/**
 * Whether the response to a follow or unfollow shows the user as followed; undefined if it shows neither. A pending
 * request to a private user counts as followed.
 */
export function isFollowed(response: ApiResponse, key: string, id: number): boolean | undefined {
	const { [key]: profile } = isRecord(response.json) ? response.json : {};
	if (!isRecord(profile) || typeof profile.followed_by_you !== 'boolean') return undefined;
	const isMissing = !isOwnId(response, id) && followedIds(response)?.includes(id) === false;
	return profile.requested_follow === true || (profile.followed_by_you && !isMissing);
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

const statement = { username: optional(aText), comment: aText, date: aText };
const statementIds = { userId: anInteger, id: aText };
const simpleReply = record({ ...statement, ...statementIds });

export const simpleComment = record({
	...statement,
	likedBy: listOf(anInteger),
	replies: listOf(simpleReply),
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
	title: aText,
	content: aText,
	category: aText,
	date: aText,
	withUsername: optional(aText),
	isNew: optional(aBoolean),
	withUserId: optional(anInteger),
	storyHash: optional(aText),
	storyId: optional(aText),
	feedId: optional(anInteger),
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
