import type { IDataObject } from 'n8n-workflow';
import { toBoolean, toInteger, toText } from '../../runtime/values';
import { membersOf } from './answers';

/** Which stories are wanted; each member narrows them down. Moments are Unix seconds. */
export interface StoryFilter {
	author?: string;
	focus?: boolean;
	newerThan?: number;
	olderThan?: number;
	saved?: boolean;
	tags?: string[];
	title?: string;
}

const includesText = (value: unknown, wanted: string | undefined): boolean =>
	wanted === undefined ||
	toText(value ?? '')
		.toLowerCase()
		.includes(wanted.toLowerCase());

/** Whether one of the wanted tags is among others, in any case. */
export const hasTag = (value: unknown, wanted: string[] | undefined): boolean => {
	const tags = (membersOf(value) ?? []).map((tag) => toText(tag).toLowerCase());
	return wanted === undefined || wanted.some((tag) => tags.includes(tag.toLowerCase()));
};

/** Whether a moment in Unix seconds lies between the two of a filter; one that is not known does. */
export const isInTime = (
	seconds: number | undefined,
	{ newerThan = -Infinity, olderThan = Infinity }: StoryFilter,
): boolean => seconds === undefined || (seconds > newerThan && seconds < olderThan);

/** Whether a filter narrows stories down by more than their dates. */
export const needsStories = (filter: StoryFilter): boolean =>
	Object.keys(filter).some((name) => name !== 'newerThan' && name !== 'olderThan');

/** Whether a story passes a filter. */
export function passes(story: IDataObject, filter: StoryFilter): boolean {
	const { author, focus, saved, tags, title } = filter;
	return (
		isInTime(toInteger(story.story_timestamp), filter) &&
		((toInteger(story.score) ?? 0) > 0 || focus !== true) &&
		(toBoolean(story.starred) === true || saved !== true) &&
		includesText(story.story_title, title) &&
		includesText(story.story_authors, author) &&
		hasTag(story.story_tags, tags)
	);
}
