import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse, RequestParts } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { requiredText } from '../../runtime/fields/kinds';
import { aText } from '../../runtime/table/record';
import { operation, resource, type Output } from '../../runtime/table/operation';
import { asRecord, isRecord, toText } from '../../runtime/values';
import { acceptsHtml, responseFormat } from '../fields/formats';
import {
	commentUserId,
	feedOfStory,
	replyLocator,
	storyFeed,
	storyId,
	toStoryHash,
} from '../fields/locators';
import { orHtmlPages, singlePage } from '../lists';
import { membersOf, membersUnder } from '../model/responses';
import { readStories } from '../model/hashes';
import { commentMembers, simpleComment } from '../model/people';
import { selection, simplifiedTo } from '../model/records';
import { withSource, orHtml, orSuccess } from '../outputs';

/** The comment after the change. If a reply was saved, the record has the reply’s id, too. */
const changedComment: Output = orHtml(
	orSuccess(
		withSource(
			simplifiedTo(
				selection({
					...commentMembers,
					replyId: ['reply_id', aText.described('ID of your reply')],
				}),
				({ json }) =>
					isRecord(json) && isRecord(json.comment)
						? { ...json.comment, ...('reply_id' in json && { reply_id: json.reply_id }) }
						: undefined,
			),
		),
	),
);

const commentIdentity = { story_id: storyId, story_feed_id: storyFeed, comment_user_id: commentUserId };

/** A story's hash: the id of its feed, and the first six digits of the SHA-1 of its own id (seen in the wild). */
const hashOfStory = (feedId: number, storyId: string): string =>
	`${feedId}:${createHash('sha1').update(storyId).digest('hex').slice(0, 6)}`;

/** The story's own id and its feed. The service accepts no hash here: if the user entered a hash, the story is looked up. */
async function storyOfComments(
	written: string,
	feed: number | undefined,
	api: Api,
): Promise<[id: string, feedId: number]> {
	const feedId = feedOfStory(written, feed, api);
	const hash = toStoryHash(written);
	if (!hash) return [written, feedId];
	const { id } = (await readStories(api, [hash])).stories.get(hash) ?? {};
	if (id) return [toText(id), feedId];
	throw api.inputError(
		`There is no story ${hash}`,
		'The service may have deleted it. Try its ID and its feed',
	);
}

async function prepareChange<Body extends { story_id: string; story_feed_id?: number; format?: string }>(
	{ body }: { body: Body },
	api: Api,
): Promise<Partial<RequestParts>> {
	const [story_id, story_feed_id] = await storyOfComments(body.story_id, body.story_feed_id, api);
	return { ...acceptsHtml({ query: {}, body }), body: { ...body, story_id, story_feed_id } };
}

/**
 * The comments of the user and of followed users. Only the story contains them, not the list of comments (seen in the
 * wild).
 */
async function friendComments(
	feedId: number,
	storyId: string,
	api: Api,
): Promise<{ comments: IDataObject[]; response: ApiResponse }> {
	const hash = hashOfStory(feedId, storyId);
	const { stories, response } = await readStories(api, [hash]);
	const comments = (membersOf(stories.get(hash)?.friend_comments) ?? []).filter(isRecord);
	return { comments: comments as IDataObject[], response };
}

/** The ids of the replies to the comment in a response; undefined if the response has no comment. */
function replyIdsIn({ json }: ApiResponse): string[] | undefined {
	const replies = isRecord(json) && isRecord(json.comment) ? membersOf(json.comment.replies) : undefined;
	return replies?.filter(isRecord).map(({ reply_id: id }) => toText(id));
}

export const comment = resource(
	'Comment',
	{ description: 'Comments on shared stories, and the replies to them' },
	{
		getAll: operation('GET /social/public_comments', {
			description: 'List the comments on a story: those of the public, of users you follow, and your own',
			query: { story_id: storyId, feed_id: storyFeed, format: responseFormat },
			prepare: async (inputs, api) => {
				const { query } = inputs;
				const [story_id, feed_id] = await storyOfComments(query.story_id, query.feed_id, api);
				return { ...acceptsHtml(inputs), query: { ...query, story_id, feed_id } };
			},
			paging: orHtmlPages(singlePage((response) => membersUnder('comments', response), 'comments')),
			output: orHtml(withSource(simplifiedTo(simpleComment))),
			run: async ({ query }, api, parts) => {
				const { records, response } = await api.page(api.row, 1, parts);
				if (query.format === 'html') return await api.results(records, response);
				const friends = await friendComments(Number(parts.query.feed_id), toText(parts.query.story_id), api);
				const known = new Set(records.map(({ id }) => id));
				const others = friends.comments.filter(({ id }) => !known.has(toText(id)));
				const results = [
					...(await api.results(records, response)),
					...(await api.results(others, friends.response)),
				];
				return results.slice(0, api.limit());
			},
		}),
		like: operation('POST /social/like_comment', {
			description: 'Like a comment; its author sees it',
			idempotent: true,
			body: { ...commentIdentity, format: responseFormat },
			prepare: prepareChange,
			output: changedComment,
		}),
		removeLike: operation('POST /social/remove_like_comment', {
			action: 'Remove the like of a comment',
			description: 'Remove your like from a comment',
			idempotent: true,
			body: { ...commentIdentity, format: responseFormat },
			prepare: prepareChange,
			output: changedComment,
		}),
		/** The service doesn't remove another user's reply, but still reports success (seen in the wild). */
		removeReply: operation('POST /social/remove_comment_reply', {
			action: 'Remove a reply to a comment for good',
			description: 'Delete one of your replies to a comment',
			body: {
				...commentIdentity,
				reply_id: required(replyLocator('Your reply, by its ID from Get Many')),
				format: responseFormat,
			},
			prepare: prepareChange,
			output: changedComment,
			present: async ({ body }, response, api) => {
				if (replyIdsIn(response)?.includes(body.reply_id)) {
					throw api.apiError(
						`The service did not remove the reply ${body.reply_id}`,
						'Only replies of your own can be removed.',
					);
				}
				return [await api.record(response)];
			},
		}),
		/** The service doesn't change a missing reply or another user's, but still reports success (seen in the wild). */
		saveReply: operation('POST /social/save_comment_reply', {
			action: 'Save a reply to a comment',
			description: 'Reply to a comment, or change a reply of yours',
			body: {
				...commentIdentity,
				reply_comments: requiredText('Reply Text', {
					paramName: 'replyText',
					example: 'I agree',
					rows: 3,
					description: 'The text of your reply',
				}),
				reply_id: replyLocator('The reply to change; leave blank to write a new one'),
				format: responseFormat,
			},
			prepare: prepareChange,
			output: changedComment,
			present: async ({ body }, response, api) => {
				const isChanged =
					asRecord(response.json).reply_id === body.reply_id &&
					replyIdsIn(response)?.includes(body.reply_id ?? '') !== false;
				if (body.reply_id && body.format !== 'html' && !isChanged) {
					throw api.apiError(
						`The service did not change the reply ${body.reply_id}`,
						'It is gone, or not yours.',
					);
				}
				return [await api.record(response)];
			},
		}),
	},
);
