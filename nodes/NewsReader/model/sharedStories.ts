import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../runtime/exchange';
import { anInteger, aText, listOf, make, optional, record, type RecordOf } from '../../runtime/table/record';
import { simplified, type Output } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { isoFromUtc, membersOf } from './answers';
import { withFeedTitles } from './feedTitles';
import { simpleComment, simplifyComment } from './people';
import { simpleStory, simplifyStory, storyOutput } from './stories';

/** A shared story: who shared it, when it was shared last, and what was said of it. */
export const simpleSharedStory = record({
	...simpleStory.members,
	shareUserIds: listOf(anInteger),
	sharedDate: optional(aText),
	comments: listOf(simpleComment),
});

/** The lists of a story that hold shares, with a comment or without. */
const SHARES = ['friend_shares', 'friend_comments', 'public_comments'];

export function simplifySharedStory(
	story: IDataObject,
	answer: Answer,
	form: Record<string, unknown>,
): RecordOf<typeof simpleSharedStory> {
	const shares = SHARES.flatMap((list) => membersOf(story[list]) ?? []).filter(isRecord);
	const dates = [story.shared_date, ...shares.map(({ date }) => date)].map(isoFromUtc);
	const sharedDate = dates
		.filter((date) => date !== null)
		.sort()
		.at(-1);
	return make(simpleSharedStory, {
		...simplifyStory(story, answer, form),
		shareUserIds: story.share_user_ids ?? [],
		...(sharedDate && { sharedDate }),
		comments: shares.map((share) => simplifyComment(share as IDataObject, answer)),
	});
}

/** Stories from lists of what users share. */
export const sharedOutput: Output = {
	...storyOutput,
	simple: simplified(simpleSharedStory, simplifySharedStory, withFeedTitles),
};
