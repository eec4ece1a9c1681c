import type { IDataObject } from 'n8n-workflow';
import { toBoolean, toInteger, toText } from '../../runtime/values';
import { membersOf } from './responses';

/** A filter of stories; a story passes if it matches every member. Dates are Unix seconds. */
export interface StoryFilter {
	author?: string;
	focus?: boolean;
	newerThan?: number;
	olderThan?: number;
	saved?: boolean;
	tags?: string[];
	title?: string;
	unread?: boolean;
}

/**
 * A text to compare: without regard to case, with one form of each letter that Unicode composes in several ways. Titles
 * are HTML: the service writes some `&` as `&amp;` (seen in the wild).
 */
const folded = (text: string): string => text.toLowerCase().normalize('NFC').replaceAll('&amp;', '&');

const includesText = (value: unknown, searched: string | undefined): boolean =>
	searched === undefined || folded(toText(value ?? '')).includes(folded(searched.trim()));

/** Whether one of the given tags is among a story's tags, ignoring case. */
export const hasTag = (value: unknown, given: string[] | undefined): boolean => {
	const tags = (membersOf(value) ?? []).map((tag) => folded(toText(tag)));
	return given === undefined || given.some((tag) => tags.includes(folded(tag)));
};

/** Whether a date (Unix seconds) is between the dates of a filter; true for an unknown date. */
export const isInTime = (
	seconds: number | undefined,
	{ newerThan = -Infinity, olderThan = Infinity }: StoryFilter,
): boolean => seconds === undefined || (seconds > newerThan && seconds < olderThan);

/** Whether a filter has more than dates. */
export const needsStories = (filter: StoryFilter): boolean =>
	Object.keys(filter).some((name) => name !== 'newerThan' && name !== 'olderThan');

/** Returns the date of a story that a filter compares with its own dates: when it was published or saved, in Unix seconds. */
export type DateOf = (story: IDataObject) => number | undefined;

export const publishedAt: DateOf = (story) => toInteger(story.story_timestamp);
export const savedAt: DateOf = (story) => toInteger(story.starred_timestamp);

/** Whether a story matches a filter. */
export function passes(story: IDataObject, filter: StoryFilter, dateOf = publishedAt): boolean {
	const { author, focus, saved, tags, title, unread } = filter;
	return (
		isInTime(dateOf(story), filter) &&
		((toInteger(story.score) ?? 0) > 0 || focus !== true) &&
		(toBoolean(story.starred) === true || saved !== true) &&
		(toBoolean(story.read_status) !== true || unread !== true) &&
		includesText(story.story_title, title) &&
		includesText(story.story_authors, author) &&
		hasTag(story.story_tags, tags)
	);
}
