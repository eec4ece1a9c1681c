import { required } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { aText, record } from '../../runtime/table/record';
import { operation, resource, type Output } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { acceptsHtml, answerFormat } from '../fields/formats';
import { commentUserId, feedId, replyLocator, storyId } from '../fields/locators';
import { orHtmlPages, singlePage } from '../lists';
import { membersUnder } from '../model/answers';
import { commentRecord, simpleComment, simplifyComment } from '../model/people';
import { listedRecord, orHtml, orSuccess } from '../outputs';

/** The comment as it is now; after a reply was saved, also that reply’s id. */
const changedComment: Output = orHtml(
	orSuccess({
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

/** Which comment is meant: theComment, on which story. */
const theComment = { story_feed_id: feedId, story_id: storyId, comment_user_id: commentUserId };

export const comment = resource(
	'Comment',
	{ description: 'Comments on shared stories, and the replies to them' },
	{
		getAll: operation('GET /social/public_comments', {
			name: 'Get Many',
			action: 'Get many comments',
			description: 'List the public comments on a story',
			query: { story_id: storyId, feed_id: feedId, format: answerFormat },
			prepare: acceptsHtml,
			paging: orHtmlPages(
				singlePage(
					(answer) => membersUnder('comments', answer),
					'comments',
					(entry) => entry.id,
				),
			),
			output: orHtml({
				...listedRecord(commentRecord),
				simple: { kind: simpleComment, of: simplifyComment },
			}),
		}),
		like: operation('POST /social/like_comment', {
			name: 'Like',
			action: 'Like a comment',
			description: 'Mark a comment as a favorite, which its author sees',
			body: { ...theComment, format: answerFormat },
			prepare: acceptsHtml,
			output: changedComment,
		}),
		removeLike: operation('POST /social/remove_like_comment', {
			name: 'Remove Like',
			action: 'Remove the like of a comment',
			description: 'Take back that a comment is a favorite',
			body: { ...theComment, format: answerFormat },
			prepare: acceptsHtml,
			output: changedComment,
		}),
		removeReply: operation('POST /social/remove_comment_reply', {
			name: 'Remove Reply',
			action: 'Remove a reply to a comment',
			description: 'Delete one of your replies to a comment',
			body: { ...theComment, reply_id: required(replyLocator()), format: answerFormat },
			prepare: acceptsHtml,
			output: changedComment,
		}),
		saveReply: operation('POST /social/save_comment_reply', {
			name: 'Save Reply',
			action: 'Save a reply to a comment',
			description: 'Reply to a comment, or change a reply of yours',
			body: {
				...theComment,
				reply_comments: required(text('Reply Text', { parameter: 'replyText', example: 'I agree', rows: 3 })),
				reply_id: replyLocator('The reply to change; leave blank to write a new one'),
				format: answerFormat,
			},
			prepare: acceptsHtml,
			output: changedComment,
		}),
	},
);
