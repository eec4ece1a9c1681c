import { createHash } from 'crypto';
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
import { membersOf, recordsIn } from '../model/responses';
import { readStories } from '../model/hashes';
import { commentMembers, simpleComment } from '../model/people';
import { selection, simplifiedTo } from '../model/records';
import { withSource, orHtml, orSuccess } from '../outputs';

/** If a reply was saved, the record has its id, too. */
const simpleChange = selection({
	...commentMembers,
	replyId: ['reply_id', aText.described('ID of the reply that you saved; null otherwise')],
});
const changed: Output = simplifiedTo(simpleChange, ({ json }) => {
	const { comment: found, reply_id } = asRecord(json);
	return isRecord(found) ? { ...found, reply_id } : undefined;
});

const commentFields = {
	story_id: storyId,
	story_feed_id: storyFeed,
	comment_user_id: commentUserId,
	format: responseFormat,
};

const INCOMPLETE =
	'Comments by you and by users you follow are missing: the service does not return the story itself. Share → Get Many of each user returns them';

/** The service accepts no hash here: a story with one is looked up. */
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

const change = {
	body: commentFields,
	output: orHtml(orSuccess(withSource(changed))),
	prepare: async (
		{ body }: { body: { story_id: string; story_feed_id?: number; format?: string } },
		api: Api,
	): Promise<Partial<RequestParts>> => {
		const [story_id, story_feed_id] = await storyOfComments(body.story_id, body.story_feed_id, api);
		return { ...acceptsHtml({ query: {}, body }), body: { ...body, story_id, story_feed_id } };
	},
};

const ID_IN_HTML = /\b[\da-f]{24}\b/;

/** Undefined if the response does not show it. HTML has the ids of comments and replies, too. */
function hasReply({ json, text }: ApiResponse, id: string): boolean | undefined {
	if (json === undefined) return ID_IN_HTML.test(text) ? text.includes(id) : undefined;
	const replies = membersOf(asRecord(asRecord(json).comment).replies);
	return replies && recordsIn(replies).some(({ reply_id }) => toText(reply_id) === id);
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
			paging: orHtmlPages(singlePage('comments', 'comments')),
			output: orHtml(withSource(simplifiedTo(simpleComment))),
			run: async ({ query }, api, parts) => {
				const { records, response } = await api.page(api.row, 1, parts);
				const results = await api.results(records, response);
				if (query.format === 'html') return results;
				// What the user and followed users wrote is only in the story (seen in the wild): comments, and shares without
				// one, which can have replies. Its hash: the id of its feed, and six digits of the SHA-1 of its own id.
				const digest = createHash('sha1').update(toText(parts.query.story_id)).digest('hex');
				const hash = `${toText(parts.query.feed_id)}:${digest.slice(0, 6)}`;
				const read = await readStories(api, [hash]);
				if (!read.stories.has(hash)) api.hint(INCOMPLETE);
				const known = new Set(records.map(({ id }) => id));
				const { friend_comments: commented, friend_shares: silent } = read.stories.get(hash) ?? {};
				const answered = recordsIn(silent).filter(({ replies }) => recordsIn(replies).length > 0);
				const others = [...recordsIn(commented), ...answered].filter(({ id }) => !known.has(id));
				return [...results, ...(await api.results(others, read.response))].slice(0, api.limit());
			},
		}),
		like: operation('POST /social/like_comment', {
			...change,
			description: 'Like a comment; its author sees it',
			idempotent: true,
		}),
		removeLike: operation('POST /social/remove_like_comment', {
			...change,
			action: 'Remove the like of a comment',
			description: 'Remove your like from a comment',
			idempotent: true,
		}),
		/** The service doesn't remove another user's reply, but still reports success (seen in the wild). */
		removeReply: operation('POST /social/remove_comment_reply', {
			...change,
			action: 'Remove a reply to a comment for good',
			description: 'Delete one of your replies to a comment',
			body: {
				...commentFields,
				reply_id: required(replyLocator('By its ID from Get Many; the service confirms unknown ones, too')),
			},
			present: async ({ body }, response, api) => {
				if (hasReply(response, body.reply_id)) {
					const message = `The service did not remove the reply ${body.reply_id}`;
					throw api.apiError(message, 'Only replies of your own can be removed.', 'undone');
				}
				return [await api.resultIn(response)];
			},
		}),
		/** The service doesn't change a missing reply or another user's, but still reports success (seen in the wild). */
		saveReply: operation('POST /social/save_comment_reply', {
			...change,
			action: 'Save a reply to a comment',
			description: 'Reply to a comment, or change a reply of yours',
			body: {
				...commentFields,
				reply_comments: requiredText('Reply Text', {
					paramName: 'replyText',
					example: 'I agree',
					rows: 3,
					description: 'The text of your reply',
				}),
				reply_id: replyLocator(
					'Your reply to change; blank for a new one. With HTML, changing another user’s looks like success.',
				),
			},
			present: async ({ body }, response, api) => {
				const { reply_id: id, format } = body;
				const isConfirmed = format === 'html' || asRecord(response.json).reply_id === id;
				if (id && (!isConfirmed || hasReply(response, id) === false)) {
					const message = `The service did not change the reply ${id}`;
					throw api.apiError(message, 'It is gone, or not yours.');
				}
				return [await api.resultIn(response)];
			},
		}),
	},
);
