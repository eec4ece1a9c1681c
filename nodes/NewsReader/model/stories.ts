import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import {
	aBoolean,
	aText,
	aTextOrNull,
	anInteger,
	aUrlOrNull,
	listOf,
	listOrEmpty,
} from '../../runtime/table/record';
import { isRecord, reasonOf, settled, toBoolean, toText } from '../../runtime/values';
import { isoFromSeconds, isoFromUtc, membersUnder, recordsIn, sourceOf } from './responses';
import { selection, simplifiedTo, aFeedId, aStoryHash } from './records';
import { feedTitlesOf, subscriptionsOf } from './subscriptions';
import { htmlToText } from '../../../vendor/html';
import { simpleComment } from './people';

/** The service calls a group of similar stories a cluster. */
export const hashesOfGroup = (story: IDataObject): string[] =>
	[story, ...recordsIn(story.cluster_stories)].map(({ story_hash: hash }) => toText(hash));

/**
 * Reads stories by hash. Of several similar stories, newer servers return only one: so this requests the others again,
 * until none comes. Returns the first response, with all stories in it; or one without a list of stories.
 */
export async function readWithSimilar(
	hashes: readonly string[],
	ask: (hashes: string[]) => Promise<ApiResponse>,
): Promise<ApiResponse> {
	const missing = new Set(hashes);
	const found: IDataObject[] = [];
	let first: ApiResponse | undefined;
	for (;;) {
		const response = await ask([...missing]);
		first ??= response;
		const stories = membersUnder('stories', response);
		if (!stories) return response;
		const fresh = recordsIn(stories).filter(({ story_hash: hash }) => missing.delete(toText(hash)));
		found.push(...fresh);
		if (missing.size === 0 || fresh.length === 0) break;
	}
	return { ...first, json: { ...(first.json as object), stories: found } };
}

/** Only a story that was left out has a date with seconds. */
const isLeftOutEntry = (entry: IDataObject): boolean => /:\d\d:\d\d/.test(toText(entry.story_date));

export const leftOutOf = (stories: readonly IDataObject[]): IDataObject[] =>
	stories.flatMap((story) => recordsIn(story.cluster_stories)).filter(isLeftOutEntry);

/** Empty if they can't be read: stories are useful without them. Tried once per run or poll. */
const subscribedTitles = async (api: Api): Promise<Map<number, string>> =>
	await api.once('feed titles', async () => {
		if (!api.hasTime()) return new Map<number, string>();
		const read = await settled(subscriptionsOf(api));
		if ('error' in read) api.hint(`The titles of feeds could not be read: ${reasonOf(read.error)}`);
		return 'error' in read ? new Map<number, string>() : feedTitlesOf(read.value);
	});

/** By feed id. A response can also be about one feed. */
function titlesIn({ json }: ApiResponse): Map<number, string> {
	const feeds = isRecord(json) ? recordsIn(json.feeds).concat(json as IDataObject) : [];
	const titled = feeds.filter(({ feed_title: title }) => typeof title === 'string');
	return new Map(titled.map((feed) => [Number(feed.id ?? feed.feed_id), String(feed.feed_title)]));
}

/** Adds `feed_title`, from the response or the subscriptions; null if unknown. */
export async function withFeedTitles(
	stories: IDataObject[],
	response: ApiResponse,
	api: Api,
): Promise<IDataObject[]> {
	const titles = titlesIn(response);
	const idOf = (story: IDataObject): number => Number(story.story_feed_id);
	const isComplete = stories.every((story) => titles.has(idOf(story)));
	const known = isComplete ? titles : new Map([...(await subscribedTitles(api)), ...titles]);
	return stories.map((story) => ({ ...story, feed_title: known.get(idOf(story)) ?? null }));
}

function contentOf(
	{ story_content: content }: IDataObject,
	_: ApiResponse,
	{ content: format }: Record<string, unknown>,
): string | undefined {
	if (content === undefined || format === 'none') return undefined;
	const html = toText(content ?? '');
	return format === 'text' ? htmlToText(html) : html;
}

export const storyMembers = {
	hash: ['story_hash', aStoryHash],
	permalink: ['story_permalink', aUrlOrNull.described('URL of the story')],
	title: ['story_title', aText.described('Title of the story')],
	feedTitle: ['feed_title', aTextOrNull.described('Title of the feed')],
	authors: ['story_authors', aText.described('Authors of the story, as one text')],
	date: [
		(story: IDataObject) => isoFromSeconds(story.story_timestamp) ?? isoFromUtc(story.story_date),
		aText.described('When the story was published'),
	],
	score: ['score', anInteger.described('Your classifiers: above 0 liked, below 0 hidden; null if unknown')],
	read: [
		({ read_status: status }: IDataObject) => (status === undefined ? undefined : toBoolean(status) === true),
		aBoolean.described('Whether you have read the story; null if the service does not say'),
	],
	starred: [
		({ starred }: IDataObject) => toBoolean(starred) ?? false,
		aBoolean.described('Whether you saved the story'),
	],
	starredDate: [
		(story: IDataObject) => isoFromSeconds(story.starred_timestamp),
		aText.described('When you first saved the story'),
	],
	tags: [
		({ story_tags: tags }: IDataObject) => tags ?? [],
		listOf(aText).described('Tags that the publisher gave the story'),
	],
	userTags: ['user_tags', listOrEmpty(aText).described('Tags that you gave the saved story')],
	highlights: ['highlights', listOrEmpty(aText).described('Passages that you highlighted')],
	id: ['id', aText.described('ID that the publisher gave the story')],
	feedId: ['story_feed_id', aFeedId],
	content: [contentOf, aText.described('Text of the story, in the chosen format')],
	source: [
		(_: IDataObject, response: ApiResponse, { source }: Record<string, unknown>) =>
			source === false ? undefined : sourceOf(response),
		aText.described('Host name of the service, which its terms require you to name'),
	],
} as const;

export const simpleStory = selection(storyMembers);

export const storyOutput = simplifiedTo(simpleStory, undefined, withFeedTitles);

const { hash, title, date, feedTitle, score, feedId } = storyMembers;
/** The service says whether it is read only if it left the story out. */
const similarStory = selection({
	hash,
	title,
	date,
	feedTitle,
	score,
	read: [
		(entry) => toBoolean(entry.read_status) === true || (isLeftOutEntry(entry) ? false : undefined),
		aBoolean.described('Whether you have read the story'),
	],
	feedId,
});

const simpleListedStory = selection({
	...storyMembers,
	similarStories: [
		(story, response) =>
			recordsIn(story.cluster_stories).map((entry) => similarStory.map(entry, response, {})),
		listOrEmpty(similarStory.schema).described(
			'Similar stories that the service lists in this one; `read` is null if the service did not look it up',
		),
	],
});

export const listedStoryOutput = simplifiedTo(simpleListedStory, undefined, withFeedTitles);

export const simpleSavedStory = selection({
	...storyMembers,
	// Older servers say of every saved story that it is read (seen in the wild); newer ones know only single marks.
	read: [() => undefined, aBoolean.described('Always null: the service does not say it reliably')],
	notes: [({ user_notes: notes }) => notes ?? '', aText.described('Your notes on the story')],
});

export const savedOutput = simplifiedTo(simpleSavedStory, undefined, withFeedTitles);

const SHARES = ['friend_shares', 'friend_comments', 'public_comments'];

const sharesOf = (story: IDataObject): IDataObject[] => SHARES.flatMap((list) => recordsIn(story[list]));

/** When the story of a share feed was shared, or any other was last shared, in ISO 8601; undefined if unknown. */
const sharedDateOf = (story: IDataObject): string | undefined =>
	isoFromUtc(story.shared_date) ??
	sharesOf(story)
		.map(({ date }) => isoFromUtc(date))
		.filter((date) => date !== null)
		.sort()
		.at(-1);

export const isSharedBy = ({ share_user_ids: sharers }: IDataObject, users: ReadonlySet<string>): boolean =>
	!Array.isArray(sharers) || sharers.some((id) => users.has(toText(id)));

/** Some servers reverse the order of each page (seen in the wild). */
export function oldestShareFirst(stories: IDataObject[]): IDataObject[] {
	const dateOf = (story: IDataObject | undefined): string =>
		(story && sharedDateOf(story)) ?? toText(story?.story_date ?? '');
	return dateOf(stories[0]) > dateOf(stories.at(-1)) ? [...stories].reverse() : stories;
}

export const simpleSharedStory = selection({
	...storyMembers,
	shareUserIds: ['share_user_ids', listOrEmpty(anInteger).described('IDs of the users who shared the story')],
	sharedDate: [sharedDateOf, aText.described('When the story was shared; in the river, when last shared')],
	comments: [
		(story, response) => sharesOf(story).map((share) => simpleComment.map(share, response, {})),
		listOf(simpleComment.schema).described('Shares with a comment or by users you follow, with replies'),
	],
});

export const sharedOutput = simplifiedTo(simpleSharedStory, undefined, withFeedTitles);
