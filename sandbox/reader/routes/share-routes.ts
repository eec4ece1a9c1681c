import { html } from '../../shared/html.ts';
import { Fault, Rejection, type RouteResponse } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import type { ShareRow, StoryRow } from '../storage/queries.ts';
import { presentStories } from '../stories/present-stories.ts';
import { commentRecords, peopleIn, type CommentRecord } from '../social/comments.ts';
import { commentFragment, inFormat } from './fragment-routes.ts';
import { findStory, findUser, needComment } from './search-routes.ts';
import { compactProfiles, followedBy } from '../social/profile-records.ts';
import {
	addReply,
	editReply,
	feedsSharedToday,
	lastReply,
	likeComment,
	removeReply,
	shareOf,
	shareStory,
	unlikeComment,
	unshare,
} from '../social/sharing.ts';

const services = ['twitter', 'facebook'];

/** The response of share endpoints: the story with the profiles of all mentioned users. */
function storyResponse(call: Call, story: StoryRow, extra: object = {}): RouteResponse {
	const { stories, user_profiles } = presentStories(call.reader, call.user, [story], { list: 'answer' });
	return inFormat(call, { code: 1, ...extra, story: stories[0], user_profiles }, () => {
		const share = shareOf(call.reader, call.user.id, story.id);
		return share ? commentFragment(call, commentOf(call, share)) : html`<p>Story unshared.</p>`;
	});
}

function commentOf(call: Call, share: ShareRow): CommentRecord {
	const comment = commentRecords(call.reader, [share]).get(share.id);
	if (comment === undefined) throw new Fault('The comment is gone.', 404);
	return comment;
}

function commentResponse(call: Call, share: ShareRow, extra: object = {}): RouteResponse {
	const comment = commentOf(call, share);
	const user_profiles = compactProfiles(call.reader, peopleIn([comment]));
	return inFormat(call, { code: 1, comment, user_profiles, ...extra }, () => commentFragment(call, comment));
}

/** Interface document, "Social"; cross-posting needs a connected service, and sandbox accounts have none. */
function share(call: Call): RouteResponse {
	const { parameters, reader, user } = call;
	const story = findStory(call, 'feed_id');
	if (story === undefined) {
		throw new Rejection('Could not find the original story and no copies could be found.', 404);
	}
	const unknown = parameters.list('post_to_services').filter((name) => !services.includes(name));
	if (unknown.length > 0) throw new Rejection(`There is no service ${unknown.join(', ')} to post to.`);
	const source = parameters.text('source_user_id');
	const sourceUser = source ? findUser(call, source) : undefined;
	const comments = parameters.text('comments') ?? '';
	refuseAboveQuota(call, story);
	if (source && sourceUser === undefined) {
		throw new Rejection(`There is no user ${source}.`, 404);
	}
	shareStory(reader, user, story, comments, sourceUser && sourceUser.id !== user.id ? sourceUser.id : null);
	return storyResponse(call, story);
}

/** Real hosts: the quota also holds for a story that is shared again. */
function refuseAboveQuota(call: Call, story: StoryRow): void {
	const { reader, user } = call;
	if (!reader.isReal) return;
	const feeds = feedsSharedToday(reader, user, story);
	const isPremium = reader.isPremium(user);
	if (!isPremium && feeds.includes(story.feed_id)) {
		throw new Rejection('Only premium users can share multiple stories per day from the same site.', 403);
	}
	const quota = isPremium ? 100 : 3;
	if (feeds.length < quota) return;
	const advice = isPremium ? '' : ' as a free user. Upgrade to premium to share more';
	throw new Rejection(`You can only share up to ${quota} stories per day${advice}.`, 403);
}

function unshareStory(call: Call): RouteResponse {
	const story = findStory(call, 'feed_id');

	const own = story && shareOf(call.reader, call.user.id, story.id);
	if (story === undefined || own === undefined) throw new Rejection('Shared story not found.', 404);
	unshare(call.reader, own);
	return storyResponse(call, story, { message: 'Story unshared.' });
}

/** Without those of people the account follows, which come with the story; as HTML real hosts show them too. */
function publicComments(call: Call): RouteResponse {
	const { reader, user } = call;
	const story = findStory(call, 'feed_id');
	if (story === undefined) throw new Rejection('Story not found.', 404);
	const { stories, user_profiles } = presentStories(reader, user, [story], { content: false });
	const listed = (key: string) => (stories[0]?.[key] ?? []) as CommentRecord[];
	const comments = listed('public_comments');
	const friends = listed('friend_comments');
	return inFormat(
		call,
		{ comments, user_profiles },
		() => html`${[...friends, ...comments].map((comment) => commentFragment(call, comment))}`,
	);
}

/** On real hosts, changing a reply that is not there, or not one's own, silently changes nothing. */
function saveReply(call: Call): RouteResponse {
	const { reader, user, parameters } = call;
	const comments = parameters.text('reply_comments') ?? '';
	if (comments.trim() === '') throw new Rejection('Reply comments cannot be empty.');

	refuseUnlessFollowed(call);
	const { share: target, story } = needComment(call, 'Shared story cannot be found.');
	const requested = parameters.text('reply_id');
	if (!requested)
		return commentResponse(call, target, { reply_id: addReply(reader, user, target, story, comments) });
	needReplyId(requested);
	const edited = editReply(reader, user, { share: target, story }, requested, comments);

	return commentResponse(call, target, { reply_id: edited ? requested : null });
}

/** Rejects replies to a protected account from users who do not follow it. */
function refuseUnlessFollowed(call: Call): void {
	const { reader, user } = call;
	const author = findUser(call, call.need('comment_user_id'));
	if (!author?.is_protected || author.id === user.id) return;
	if (followedBy(reader, user.id).includes(author.id)) return;
	throw new Rejection(`You must be following ${author.username} to reply to them.`, 403);
}

/** Real hosts fail for an id in another format. */
function needReplyId(id: string): void {
	if (!/^[0-9a-f]{24}$/.test(id)) throw new Fault(`${id} is no reply's id.`, 500);
}

/** Contract: the reply's id is optional, and the last own reply is meant without it; real hosts remove nothing then. */
function removeOwnReply(call: Call): RouteResponse {
	const { reader, user } = call;
	const { share: target } = needComment(call, 'Shared story cannot be found.');
	const requested = call.parameters.text('reply_id');
	if (requested && lastReply(reader, user, target)) needReplyId(requested);
	if (requested) removeReply(reader, user, target, requested);
	return commentResponse(call, target);
}

function like(call: Call): RouteResponse {
	if (findUser(call, call.need('comment_user_id'))?.id === call.user.id) {
		throw new Rejection('You cannot favorite your own shared story comment.');
	}
	const { share: target, story } = needComment(call, 'The shared comment cannot be found.');
	likeComment(call.reader, call.user, target, story);
	return commentResponse(call, target);
}

function unlike(call: Call): RouteResponse {
	const { share: target } = needComment(call, 'The shared comment cannot be found.');
	unlikeComment(call.reader, call.user, target);
	return commentResponse(call, target);
}

export const shareRoutes: readonly Route[] = [
	write('/social/share_story', share),
	write('/social/unshare_story', unshareStory),
	read('/social/public_comments', publicComments),
	write('/social/save_comment_reply', saveReply),
	write('/social/remove_comment_reply', removeOwnReply),
	write('/social/like_comment', like),
	write('/social/remove_like_comment', unlike),
];
