import type { IDataObject } from 'n8n-workflow';
import { aBoolean, aText, anInteger, listOf, record } from '../../runtime/table/record';
import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';
import { membersOf } from './answers';
import { isoFromUtc } from './dates';

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

/** What most people want of a user. */
export const simpleProfile = record({
	id: anInteger,
	username: aText,
	location: aText,
	bio: aText,
	website: aText,
	photoUrl: aText,
	shareFeed: aText,
	sharePage: aText,
	followers: anInteger,
	sharedStories: anInteger,
	followedByYou: aBoolean,
	followingYou: aBoolean,
});

const present = (record: IDataObject, names: Record<string, string>): IDataObject =>
	Object.fromEntries(
		Object.entries(names).flatMap(([name, key]) => (key in record ? [[name, record[key]] as const] : [])),
	);

/** Members that the answer doesn't have are not invented. */
export const simplifyProfile = (profile: IDataObject): IDataObject =>
	present(profile, {
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
		followedByYou: 'followed_by_you',
		followingYou: 'following_you',
	});

/** The names of the users that an answer brings along, by id. */
function namesIn({ json }: Answer): Map<number, string> {
	const profiles = isRecord(json) ? (membersOf(json.user_profiles) ?? []) : [];
	return new Map(profiles.filter(isRecord).map((user) => [Number(user.user_id), String(user.username)]));
}

export const commentRecord = record({
	id: aText,
	user_id: anInteger,
	comments: aText,
	date: aText,
	liking_users: listOf(anInteger),
	source_user_id: anInteger,
});

export const simpleComment = record({
	id: aText,
	userId: anInteger,
	username: aText,
	comment: aText,
	date: aText,
	likedBy: listOf(anInteger),
	replies: listOf(record({ id: aText, userId: anInteger, username: aText, comment: aText, date: aText })),
});

/** A comment with its replies, and the names of who wrote them where the answer has them. */
export function simplifyComment(comment: IDataObject, answer: Answer): IDataObject {
	const names = namesIn(answer);
	const said = (id: unknown, words: Record<string, unknown>): IDataObject => {
		const username = names.get(Number(words.user_id));
		return {
			id: id as string,
			userId: words.user_id as number,
			...(username !== undefined && { username }),
			comment: words.comments as string,
			date: isoFromUtc(words.date),
		};
	};
	return {
		...said(comment.id, comment),
		likedBy: comment.liking_users ?? [],
		replies: (membersOf(comment.replies) ?? []).filter(isRecord).map((reply) => said(reply.reply_id, reply)),
	};
}

export const eventRecord = record({ category: aText, date: aText, title: aText, content: aText });

export const simpleEvent = record({
	category: aText,
	date: aText,
	title: aText,
	content: aText,
	withUserId: anInteger,
	withUsername: aText,
	feedId: anInteger,
	storyHash: aText,
	storyId: aText,
	isNew: aBoolean,
});

/** What happened, with whom, and to which story. */
export function simplifyEvent(event: IDataObject): IDataObject {
	const withUser = isRecord(event.with_user) ? event.with_user : {};
	return {
		category: event.category,
		date: isoFromUtc(event.date),
		title: event.title ?? null,
		content: event.content ?? null,
		...(event.with_user_id !== null && {
			withUserId: event.with_user_id,
			...(typeof withUser.username === 'string' && { withUsername: withUser.username }),
		}),
		...(event.story_feed_id && {
			feedId: event.story_feed_id,
			storyHash: event.story_hash,
			storyId: event.content_id,
		}),
		...('is_new' in event && { isNew: event.is_new }),
	};
}
