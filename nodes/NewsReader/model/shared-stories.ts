import type { IDataObject } from 'n8n-workflow';
import { anInteger, aText, listOf } from '../../runtime/table/record';
import { isRecord, toText } from '../../runtime/values';
import { isoFromUtc, membersOf } from './responses';
import { withFeedTitles } from './feed-titles';
import { simpleComment } from './people';
import { selection, simplifiedTo } from './selection';
import { storyMembers } from './stories';

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

/** A shared story: who shared it, when it was last shared, and its comments. */
export const simpleSharedStory = selection({
	...storyMembers,
	shareUserIds: [
		({ share_user_ids: ids }) => ids ?? [],
		listOf(anInteger).described('IDs of the users who shared the story'),
	],
	sharedDate: [sharedDateOf, aText.described('When the story was shared')],
	comments: [
		(story, response) =>
			sharesOf(story).map((share) => simpleComment.map(share as IDataObject, response, {})),
		listOf(simpleComment.schema).described('Comments on the story, with their replies'),
	],
});

/** Stories from lists of what users share. */
export const sharedOutput = simplifiedTo(simpleSharedStory, undefined, withFeedTitles);
