import type { IDataObject } from 'n8n-workflow';
import { toBoolean, toInteger, toText } from '../../runtime/values';
import { membersOf } from './answers';

/** Which stories are wanted: a story must match every member. Dates are Unix seconds. */
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

/** Whether one of the wanted tags is among a story's tags, ignoring case. */
export const hasTag = (value: unknown, wanted: string[] | undefined): boolean => {
	const tags = (membersOf(value) ?? []).map((tag) => toText(tag).toLowerCase());
	return wanted === undefined || wanted.some((tag) => tags.includes(tag.toLowerCase()));
};

/** Whether a date in Unix seconds is between those of a filter; an unknown date is. */
export const isInTime = (
	seconds: number | undefined,
	{ newerThan = -Infinity, olderThan = Infinity }: StoryFilter,
): boolean => seconds === undefined || (seconds > newerThan && seconds < olderThan);

/** Whether a filter has more than dates. */
export const needsStories = (filter: StoryFilter): boolean =>
	Object.keys(filter).some((name) => name !== 'newerThan' && name !== 'olderThan');

/** Whether a story matches a filter. */
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
