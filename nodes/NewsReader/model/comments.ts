import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import { isRecord, toText } from '../../runtime/values';
import { membersOf, membersUnder } from './responses';

/** Computes a story's hash: the id of its feed, and the first six digits of the SHA-1 of its own id (seen in the wild). */
const hashOfStory = (feedId: number, storyId: string): string =>
	`${feedId}:${createHash('sha1').update(storyId).digest('hex').slice(0, 6)}`;

/**
 * The comments of the user and of followed users. Only the story contains them, not the list of comments (seen in the
 * wild).
 */
export async function friendComments(
	feedId: number,
	storyId: string,
	api: Api,
): Promise<{ comments: IDataObject[]; response: ApiResponse }> {
	const query = { h: hashOfStory(feedId, storyId), include_hidden: true };
	const response = await api.send({ method: 'GET', path: '/reader/river_stories', query });
	const stories = membersUnder('stories', response) ?? [];
	const [story] = stories.filter(isRecord).filter(({ id }) => id === storyId);
	const comments = (membersOf(story?.friend_comments) ?? []).filter(isRecord);
	return { comments: comments as IDataObject[], response };
}

/** The ids of the replies to the comment in a response; undefined if the response has no comment. */
export function replyIdsIn({ json }: ApiResponse): string[] | undefined {
	const replies = isRecord(json) && isRecord(json.comment) ? membersOf(json.comment.replies) : undefined;
	return replies?.filter(isRecord).map(({ reply_id: id }) => toText(id));
}

/**
 * Whether a response shows that a reply was not saved. `changed` is the id of the reply to change; undefined for a new
 * reply.
 */
export function isReplyMissing(response: ApiResponse, changed: string | undefined): boolean {
	const { json } = response;
	if (!isRecord(json) || !('reply_id' in json)) return false;
	const replies = replyIdsIn(response);
	const saved = json.reply_id;
	if (changed !== undefined && saved !== changed) return true;
	return replies !== undefined && !replies.includes(toText(saved));
}
