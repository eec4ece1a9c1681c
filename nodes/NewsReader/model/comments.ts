import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import { isRecord, toText } from '../../runtime/values';
import { membersOf, membersUnder } from './responses';

/** The hash of a story, from its own id: its feed, and six digits of the SHA-1 of that id (seen in the wild). */
const hashOfStory = (feedId: number, storyId: string): string =>
	`${feedId}:${createHash('sha1').update(storyId).digest('hex').slice(0, 6)}`;

/** The comments of the user and of followed users, which only the story itself contains (seen in the wild). */
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

/** The replies to the comment in a response; undefined if it has none. */
export function replyIdsIn({ json }: ApiResponse): string[] | undefined {
	const replies = isRecord(json) && isRecord(json.comment) ? membersOf(json.comment.replies) : undefined;
	return replies?.filter(isRecord).map(({ reply_id: id }) => toText(id));
}

/** Whether a response shows that a reply was not saved: the changed one, or a new one. */
export function isReplyMissing(response: ApiResponse, changed: string | undefined): boolean {
	const { json } = response;
	if (!isRecord(json) || !('reply_id' in json)) return false;
	const replies = replyIdsIn(response);
	const saved = json.reply_id;
	if (changed !== undefined && saved !== changed) return true;
	return replies !== undefined && !replies.includes(toText(saved));
}
