import type { IDataObject } from 'n8n-workflow';
import { prominent } from '../../runtime/fields/field';
import { flag, text, texts } from '../../runtime/fields/kinds';
import { event } from '../../runtime/poll/event';
import type { Source } from '../../runtime/poll/watch';
import type { Answer } from '../../runtime/transport/http';
import { isRecord, toInteger } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feedChoice';
import { storyForm } from '../fields/formats';
import { membersOf } from '../model/answers';
import { simplifyStory } from '../model/stories';
import type { FeedChoice } from '../model/subscriptions';
import { savedStory } from '../resources/savedStory';
import { story as storyResource } from '../resources/story';
import { rowOf } from '../../runtime/poll/rows';
import { hashes, type HashSurvey } from './storyHashes';
import { feedsOf } from './scope';

/** A longer list of feeds makes the URL too long: then all are asked for, and the others left out. */
const MOST_FEEDS = 200;

const simplify = prominent(
	flag('Simplify', 'to return a simplified version of the response instead of the raw data', {
		default: true,
	}),
);

/** How stories come out: parameters of every event that hands over stories. */
export const storyFields = { ...storyForm, simplify };

export interface StoryValues {
	content?: string;
	source?: boolean;
	simplify?: boolean;
}

/** A story as the user wants it. Asked by hash, a service may tell of a read story that it is unread. */
export function presentStory(story: IDataObject, answer: Answer, values: StoryValues): IDataObject {
	if (values.simplify === false) {
		const { story_content: content, ...rest } = story;
		return values.content === 'none'
			? rest
			: { ...rest, ...(content !== undefined && { story_content: content }) };
	}
	const { read, ...simple } = simplifyStory(story, answer, { ...values });
	return read ? { ...simple, read } : simple;
}

const includesText = (value: unknown, wanted: string | undefined): boolean =>
	wanted === undefined ||
	String(value ?? '')
		.toLowerCase()
		.includes(wanted.toLowerCase());

const hasTag = (value: unknown, wanted: string[] | undefined): boolean => {
	const tags = (membersOf(value) ?? []).map((tag) => String(tag).toLowerCase());
	return wanted === undefined || wanted.some((tag) => tags.includes(tag.toLowerCase()));
};

/** What narrows stories down; hidden ones are left out unless they are wanted. */
export const storyFilters = {
	author: text('Author Contains', { parameter: 'authorContains', example: 'Ada' }),
	focus: flag('Focus Only', 'to hand over only stories that your classifiers like (with a positive score)', {
		parameter: 'focusOnly',
	}),
	hidden: flag('Include Hidden', 'to include stories that your classifiers hide', {
		parameter: 'includeHidden',
	}),
	tags: texts('Tags', {
		parameter: 'storyTags',
		example: 'tools, cli',
		description: 'At least one of these',
	}),
	title: text('Title Contains', { parameter: 'titleContains', example: 'solar' }),
};

interface FilterValues {
	author?: string;
	focus?: boolean;
	hidden?: boolean;
	tags?: string[];
	title?: string;
}

/** Whether a story passes the filters. */
export function passes(story: IDataObject, { author, focus, hidden, tags, title }: FilterValues): boolean {
	const score = toInteger(story.score) ?? 0;
	return (
		(score >= 0 || hidden === true) &&
		(score > 0 || focus !== true) &&
		includesText(story.story_title, title) &&
		includesText(story.story_authors, author) &&
		hasTag(story.story_tags, tags)
	);
}

/** The hashes of what is unread, by feed. */
async function unread(choice: FeedChoice, source: Source): Promise<HashSurvey> {
	const feeds = await feedsOf(choice, source);
	if (feeds?.size === 0) return new Map();
	const asked = feeds && feeds.size <= MOST_FEEDS ? { feed_id: [...feeds] } : {};
	const { json } = await source.ask(rowOf(storyResource, 'getUnreadHashes'), {
		query: { include_timestamps: true, ...asked },
	});
	const byFeed = isRecord(json) ? json.unread_feed_story_hashes : undefined;
	const isEmptyList = Array.isArray(byFeed) && byFeed.length === 0;
	if (!isRecord(byFeed) && !isEmptyList) {
		throw source.refuse(
			'Stories',
			'the service told no hashes',
			'It answered /reader/unread_story_hashes without a list of hashes',
		);
	}
	return new Map(
		Object.entries(byFeed as object)
			.filter(([feed]) => !feeds || feeds.has(Number(feed)))
			.map(([feed, list]) => [feed, membersOf(list) ?? []]),
	);
}

export const newUnreadStory = event({
	name: 'New Unread Story',
	description: 'When there is a story to read',
	fields: { whichFeeds, choice: chosenFeedsIfAny, ...storyFields },
	filters: {
		...storyFilters,
		again: flag('Marked Unread Again Counts', 'a story that you marked as unread again counts as new', {
			parameter: 'unreadAgain',
		}),
	},
	scope: ({ choice: chosen }) => chosen ?? null,
	watch: (values) =>
		hashes({
			name: 'unread',
			survey: async (source) => await unread(values.choice, source),
			byHash: rowOf(storyResource, 'getByHash'),
			countsAgain: values.again === true,
			isWanted: (story) => passes(story, values),
			item: (story, answer) => presentStory(story, answer, values),
		}),
});

/** The hashes of what is saved; all under one name, as the service tells them in one list. */
async function saved(source: Source): Promise<HashSurvey> {
	const { json } = await source.ask(rowOf(savedStory, 'getHashes'), { query: { include_timestamps: true } });
	const list = isRecord(json) ? membersOf(json.starred_story_hashes) : undefined;
	if (!list) {
		throw source.refuse(
			'Saved Stories',
			'the service told no hashes',
			'It answered /reader/starred_story_hashes without a list of hashes',
		);
	}
	const byFeed: HashSurvey = new Map();
	for (const entry of list) {
		const hash = String(Array.isArray(entry) ? entry[0] : entry);
		const feed = hash.slice(0, Math.max(hash.indexOf(':'), 0));
		const entries = byFeed.get(feed);
		if (entries) entries.push(entry);
		else byFeed.set(feed, [entry]);
	}
	return byFeed;
}

export const newSavedStory = event({
	name: 'New Saved Story',
	description: 'When you save a story',
	fields: storyFields,
	filters: {
		userTags: texts('Saved with Tags', {
			parameter: 'savedWithTags',
			example: 'to share, later',
			description: 'At least one of the tags that you gave it',
		}),
	},
	watch: (values) =>
		hashes({
			name: 'saved',
			survey: saved,
			byHash: rowOf(savedStory, 'getByHash'),
			countsAgain: true,
			isWanted: values.userTags && ((story) => hasTag(story.user_tags, values.userTags)),
			item: (story, answer) => presentStory(story, answer, values),
		}),
});
