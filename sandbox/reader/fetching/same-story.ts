import { diffChars } from 'diff';

/** The fields for comparing stored and fetched stories. */
export interface Comparable {
	guid: string;
	title: string;
	link: string;
	content: string;
	/** Epoch milliseconds. */
	publishedAt: number;
}

export interface SameStory<Kept> {
	kept: Kept;
	/** Whether real hosts replace the stored story with the fetched one. */
	changed: boolean;
}

const dayMs = 86_400_000;
const titleShare = 0.75;
const contentShare = 0.98;
/** Minimum length for comparing contents, unless title and link are the same. */
const tellingLength = { usually: 1000, sameTitleAndLink: 20 };

/**
 * Finds the stored version of a fetched story like real hosts: by guid, otherwise a story that left the feed with a
 * similar title, date and content. Edits are stored only if title and date stay similar.
 * @param inDocument the guids of all fetched stories
 */
export function sameStory<Kept extends Comparable>(
	story: Comparable,
	all: readonly Kept[],
	inDocument: ReadonlySet<string>,
): SameStory<Kept> | undefined {
	const own = all.find(({ guid }) => guid === story.guid);
	if (own) return { kept: own, changed: isNear(story, own) && isEdited(story, own) };
	const renamed = all.find(
		(kept) => !inDocument.has(kept.guid) && isNear(story, kept) && hasSameContent(story, kept),
	);
	return renamed && { kept: renamed, changed: true };
}

function isNear(story: Comparable, kept: Comparable): boolean {
	const laterMs = story.publishedAt - kept.publishedAt;
	return laterMs > -2 * dayMs && laterMs <= dayMs && areAlike(story.title, kept.title, titleShare);
}

/** A new title alone is an edit only if the content is long enough to identify the story. */
function isEdited(story: Comparable, kept: Comparable): boolean {
	if (story.content !== kept.content || story.link !== kept.link) return true;
	return story.title !== kept.title && hasSameContent(story, kept);
}

function hasSameContent(story: Comparable, kept: Comparable): boolean {
	const isSame = story.title === kept.title && story.link === kept.link;
	const least = isSame ? tellingLength.sameTitleAndLink : tellingLength.usually;
	return story.content.length > least && areAlike(story.content, kept.content, contentShare);
}

/** Whether both texts share at least this part of their characters, in the same order. */
function areAlike(one: string, other: string, share: number): boolean {
	const maxEditLength = Math.floor((1 - share) * (one.length + other.length));
	return one === other || diffChars(one, other, { maxEditLength }) !== undefined;
}
