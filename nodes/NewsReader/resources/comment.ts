import { required } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { aText, record } from '../../runtime/table/record';
import { operation, resource, type Output } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { acceptsFormat, format, orHtml, orHtmlPages } from './formats';
import { commentUserId, feedId, reply, storyId } from './locators';
import { commentRecord, simpleComment, simplifyComment } from './people';
import { each, membersOf, orDone, wholeList } from './shared';

/** The comment as it is now; after a reply was saved, also that reply’s id. */
const changedComment: Output = orHtml(
	orDone({
		kind: record({ ...commentRecord.members, reply_id: aText }),
		pick: ({ json }) =>
			isRecord(json) && isRecord(json.comment)
				? { ...json.comment, ...('reply_id' in json && { reply_id: json.reply_id }) }
				: undefined,
		simple: {
			kind: record({ ...simpleComment.members, replyId: aText }),
			of: (comment, answer) => ({
				...simplifyComment(comment, answer),
				...('reply_id' in comment && { replyId: comment.reply_id }),
			}),
		},
	}),
);

/** Which comment is meant: whose, on which story. */
const whose = { story_feed_id: feedId, story_id: storyId, comment_user_id: commentUserId };

export const comment = resource(
	'Comment',
	{ description: 'Comments on shared stories, and the replies to them' },
	{
		getAll: operation('GET /social/public_comments', {
			name: 'Get Many',
			action: 'Get many comments',
			description: 'List the public comments on a story',
			query: { story_id: storyId, feed_id: feedId, format },
			prepare: acceptsFormat,
			paging: orHtmlPages(
				wholeList(
					({ json }) => (isRecord(json) ? membersOf(json.comments) : undefined),
					'comments',
					(entry) => entry.id,
				),
			),
			output: orHtml({ ...each(commentRecord), simple: { kind: simpleComment, of: simplifyComment } }),
		}),
		like: operation('POST /social/like_comment', {
			name: 'Like',
			action: 'Like a comment',
			description: 'Mark a comment as a favorite, which its author sees',
			body: { ...whose, format },
			prepare: acceptsFormat,
			output: changedComment,
		}),
		removeLike: operation('POST /social/remove_like_comment', {
			name: 'Remove Like',
			action: 'Remove the like of a comment',
			description: 'Take back that a comment is a favorite',
			body: { ...whose, format },
			prepare: acceptsFormat,
			output: changedComment,
		}),
		removeReply: operation('POST /social/remove_comment_reply', {
			name: 'Remove Reply',
			action: 'Remove a reply to a comment',
			description: 'Delete one of your replies to a comment',
			body: { ...whose, reply_id: required(reply()), format },
			prepare: acceptsFormat,
			output: changedComment,
		}),
		saveReply: operation('POST /social/save_comment_reply', {
			name: 'Save Reply',
			action: 'Save a reply to a comment',
			description: 'Reply to a comment, or change a reply of yours',
			body: {
				...whose,
				reply_comments: required(text('Reply Text', { parameter: 'replyText', example: 'I agree', rows: 3 })),
				reply_id: reply('The reply to change; leave blank to write a new one'),
				format,
			},
			prepare: acceptsFormat,
			output: changedComment,
		}),
	},
);
