import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { anInteger, aText, listOf, exact, optional, record, type RecordOf } from '../../runtime/table/record';
import { simplified, type Output } from '../../runtime/table/operation';
import { isRecord, toText } from '../../runtime/values';
import { isoFromUtc, membersOf } from './responses';
import { withFeedTitles } from './feed-titles';
import { simpleComment, simplifyComment } from './people';
import { simpleStory, simplifyStory, storyOutput } from './stories';

/** A shared story: who shared it, when it was last shared, and its comments. */
export const simpleSharedStory = record({
	...simpleStory.members,
	shareUserIds: listOf(anInteger).described('IDs of the users who shared the story'),
	sharedDate: optional(aText).described('When the story was shared'),
	comments: listOf(simpleComment).described('Comments on the story, with their replies'),
});

/** The members of a story that list its shares, with or without a comment. */
const SHARES = ['friend_shares', 'friend_comments', 'public_comments'];

const sharesOf = (story: IDataObject): Array<Record<string, unknown>> =>
	SHARES.flatMap((list) => membersOf(story[list]) ?? []).filter(isRecord);

/** When a story was last shared, in ISO 8601; undefined if unknown. */
const sharedDateOf = (story: IDataObject): string | undefined =>
	[story.shared_date, ...sharesOf(story).map(({ date }) => date)]
		.map(isoFromUtc)
		.filter((date) => date !== null)
		.sort()
		.at(-1);

/** Whether one of the users shared a story, as far as the story lists who did. */
export const isSharedBy = ({ share_user_ids: sharers }: IDataObject, users: ReadonlySet<string>): boolean =>
	!Array.isArray(sharers) || sharers.some((id) => users.has(toText(id)));

/** The stories of a page, oldest share first: some servers reverse the order of each page (seen in the wild). */
export function oldestShareFirst(stories: IDataObject[]): IDataObject[] {
	const dateOf = (story: IDataObject | undefined): string =>
		(story && sharedDateOf(story)) ?? toText(story?.story_date ?? '');
	return dateOf(stories[0]) > dateOf(stories.at(-1)) ? [...stories].reverse() : stories;
}

export function simplifySharedStory(
	story: IDataObject,
	response: ApiResponse,
	params: Record<string, unknown>,
): RecordOf<typeof simpleSharedStory> {
	const sharedDate = sharedDateOf(story);
	return exact(simpleSharedStory, {
		...simplifyStory(story, response, params),
		shareUserIds: story.share_user_ids ?? [],
		...(sharedDate && { sharedDate }),
		comments: sharesOf(story).map((share) => simplifyComment(share as IDataObject, response)),
	});
}

/** Stories from lists of what users share. */
export const sharedOutput: Output = {
	...storyOutput,
	shape: simplified(simpleSharedStory, simplifySharedStory, withFeedTitles),
};
