import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import type { Output } from '../../runtime/table/operation';
import { classOf } from '../../runtime/errors/errors';
import { aBoolean, aText, anInteger, listOf, listOrEmpty, record } from '../../runtime/table/record';
import { asRecord, isRecord, omit, settled, toBoolean, toText } from '../../runtime/values';
import { isoFromUtc, membersUnder, recordsIn } from './responses';
import { aFeedId, inOurNames, selection, type Names } from './records';

export const profileMembers = {
	id: ['user_id', anInteger.described('ID of the user')],
	sharePage: ['feed_link', aText.described('URL of the share feed as a web page')],
	username: ['username', aText.described('Name of the user')],
	website: ['website', aText.described('URL of the user’s website')],
	location: ['location', aText.described('Where the user is')],
	bio: ['bio', aText.described('What the user says about themselves')],
	photoUrl: ['photo_url', aText.described('URL of the photo')],
	shareFeed: ['feed_address', aText.described('URL of the share feed as RSS')],
	followers: ['num_subscribers', anInteger.described('Number of followers')],
	sharedStories: ['shared_stories_count', anInteger.described('Number of stories that the user shared')],
} as const;
export const simpleProfile = selection(profileMembers);

export const fullProfileRecord = record({
	...simpleProfile.raw.members,
	feed_title: aText.described('Title of the user’s share feed'),
	large_photo_url: aText.described('URL of the large photo'),
	protected: aBoolean.described('Whether only accepted followers may reply'),
	private: aBoolean.described('Whether only followers see the share feed'),
	active: aBoolean.described('Whether the user is active'),
	following_count: anInteger.described('Number of users followed'),
	follower_count: anInteger.described('Number of followers'),
	popular_publishers: listOf(record({ feedTitle: aText, storyCount: anInteger, id: anInteger })).described(
		'Feeds whose stories the user shares most',
	),
	stories_last_month: anInteger.described('Shares in the last month; null if unknown, or 0'),
	average_stories_per_month: anInteger.described('Average number of stories shared in a month'),
});

/** Our names of a profile's members. Its own id only repeats the user's id. */
const PROFILE_NAMES: Names = {
	...Object.fromEntries(Object.entries(profileMembers).map(([own, [service]]) => [service, own])),
	id: undefined,
};
export const profileInOurNames = (output: Output): Output =>
	inOurNames(output, PROFILE_NAMES, ['popularPublishers', 'services']);

/** Undefined if the response does not say. A pending request counts. Users follow themselves. */
export function isFollowed(response: ApiResponse, key: string): boolean | undefined {
	const { [key]: profile, user_profile: own } = isRecord(response.json) ? response.json : {};
	if (!isRecord(profile)) return undefined;
	if (isRecord(own) && own.user_id === profile.user_id) return true;
	return profile.requested_follow === true || toBoolean(profile.followed_by_you);
}

/** For a user who does not exist, the service fails with 500: then the error says so. */
export async function aboutUser<Done>(id: number, api: Api, work: Promise<Done>): Promise<Done> {
	const done = await settled(work);
	if ('value' in done) return done.value;
	if (classOf(done.error) === 'failed') {
		const query = { user_id: id };
		const profile = await settled(api.send({ method: 'GET', path: '/social/profile', query }));
		if ('error' in profile && classOf(profile.error) === 'failed') {
			throw api.parameterError('User', `${id} is not a user of the service, or it fails now`);
		}
	}
	throw done.error;
}

type Raw = Record<string, unknown>;

function authorOf({ user_id: id }: Raw, response: ApiResponse): unknown {
	const users = recordsIn(membersUnder('user_profiles', response));
	return users.find((user) => toText(user.user_id) === toText(id))?.username;
}

const statement = {
	username: [authorOf, aText.described('Name of the user')],
	comment: ['comments', aText.described('Text of the comment')],
	date: [({ date }: Raw) => isoFromUtc(date), aText.described('When it was written')],
} as const;
const userOf = ['user_id', anInteger.described('ID of the user')] as const;
const statementId = aText.described('ID of the comment or reply');

const simpleReply = selection({ ...statement, userId: userOf, id: ['reply_id', statementId] });

export const commentMembers = {
	...statement,
	likedBy: ['liking_users', listOrEmpty(anInteger).described('IDs of the users who like the comment')],
	replies: [
		({ replies }: Raw, response: ApiResponse) =>
			recordsIn(replies).map((reply) => simpleReply.map(reply, response, {})),
		listOf(simpleReply.schema).described('Replies to the comment'),
	],
	userId: userOf,
	id: ['id', statementId],
} as const;
export const simpleComment = selection(commentMembers, { source_user_id: anInteger });

const ofStory = (name: string) => (interaction: Raw) =>
	interaction.story_feed_id ? interaction[name] : undefined;

export const simpleInteraction = selection({
	title: ['title', aText.described('What the event is about')],
	content: ['content', aText.described('Text of the event')],
	category: ['category', aText.described('Kind of event, such as follow or comment_reply')],
	date: [({ date }) => isoFromUtc(date), aText.described('When it happened')],
	withUsername: [
		({ with_user_id: id, with_user: user }) => (id === null ? undefined : asRecord(user).username),
		aText.described('Name of the other user, or of the list’s own user'),
	],
	isNew: ['is_new', aBoolean.described('Whether the user of the list has not seen the event yet')],
	withUserId: ['with_user_id', anInteger.described('ID of the other user, or of the list’s own user')],
	storyHash: [ofStory('story_hash'), aText.described('Hash of the story that the record is about')],
	storyId: [ofStory('content_id'), aText.described('ID of the story that the record is about')],
	feedId: [ofStory('story_feed_id'), aFeedId],
});

export function interactionKey(record: IDataObject): string {
	const { date, category, with_user_id: who, feed_id: feed, story_hash: hash, content_id: id } = record;
	const steady = omit(record, 'time_since', 'is_new', 'photo_url', 'with_user');
	const identity = JSON.stringify(date ? [date, category, who, feed, hash, id] : steady);
	return createHash('sha256').update(identity).digest('base64url').slice(0, 16);
}
