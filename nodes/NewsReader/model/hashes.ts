import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../runtime/exchange';
import { simplified, type Batch, type Output, type Api } from '../../runtime/table/operation';
import { aBoolean, record, type RecordKind } from '../../runtime/table/record';
import { isRecord, toText } from '../../runtime/values';
import { isoFromSeconds, membersUnder } from './answers';
import { withFeedTitles } from './feedTitles';
import {
	simpleStory,
	simpleSavedStory,
	simplifyStory,
	simplifySavedStory,
	storyOutput,
	storyRecord,
} from './stories';

/** The most stories that the service takes or gives by hash at once (interface document, Limits). */
export const HASHES_PER_REQUEST = 100;

/** What is wrong with an answer that should hold stories, or hashes. */
const NO_STORIES = 'The service answered without a list of stories';
export const NO_HASHES = 'The service answered without a list of hashes';

/** Stories by hash, in the order of the hashes; the service leaves out those that it doesn't have. */
export const storiesByHash: Batch<'h'> = {
	field: 'h',
	size: HASHES_PER_REQUEST,
	max: HASHES_PER_REQUEST,
	outcome: (answer, hash) => {
		const stories = membersUnder('stories', answer);
		if (!stories) return { failure: NO_STORIES };
		const story = stories.filter(isRecord).find(({ story_hash: own }) => own === hash);
		return story ? { record: story as IDataObject } : { notice: { story_hash: hash, missing: true } };
	},
};

/** Stories that were asked for by hash, by hash, and the answer that they came with. */
export interface StoriesByHash {
	stories: Map<string, IDataObject>;
	answer: Answer;
}

/** Asked by hash, too, the service keeps back what classifiers hide unless it is told not to (seen in the wild). */
export const HIDDEN_AS_WELL = { include_hidden: true };

/** Reads up to a hundred stories by hash; those that are gone are left out. */
export const readStories = async (api: Api, hashes: string[]): Promise<StoriesByHash> =>
	await readByHash(api, '/reader/river_stories', { h: hashes, ...HIDDEN_AS_WELL });

/** The same among the saved stories. */
export const readSavedStories = async (api: Api, hashes: string[]): Promise<StoriesByHash> =>
	await readByHash(api, '/reader/starred_stories', { h: hashes });

async function readByHash(api: Api, path: string, query: Record<string, unknown>): Promise<StoriesByHash> {
	const answer = await api.send({ method: 'GET', path, query });
	const stories = membersUnder('stories', answer);
	if (!stories) throw api.failure(NO_STORIES, `It was asked for them at ${path}.`);
	const tidied = stories.filter(isRecord).map((story) => storyRecord.tidy(story) as IDataObject);
	return { stories: new Map(tidied.map((story) => [toText(story.story_hash), story])), answer };
}

/** Asked by hash, the service may tell of a read story that it is unread (seen in the wild): then it isn't told. */
export const withoutFalseUnread = <S extends { read?: unknown }>({ read, ...story }: S): S =>
	(read ? { ...story, read } : story) as S;

const outputByHash = ({ members }: RecordKind, simplifyIt: Simplify): Output => {
	const simple: Simplify = (story, answer, form) => withoutFalseUnread(simplifyIt(story, answer, form));
	return {
		...storyOutput,
		simple: simplified<RecordKind>(storyRecord, simple, withFeedTitles),
		whole: simplified<RecordKind>(
			record({ ...members, missing: aBoolean }),
			(story, answer, form) =>
				story.missing
					? { hash: story.story_hash, missing: true }
					: { ...simple(story, answer, form), missing: false },
			async (stories, ...others) =>
				stories.some((story) => story.missing) ? stories : await withFeedTitles(stories, ...others),
		),
	};
};

type Simplify = (story: IDataObject, answer: Answer, form: Record<string, unknown>) => IDataObject;

export const storyOutputByHash = outputByHash(simpleStory, simplifyStory);
/** The same of saved stories. */
export const savedOutputByHash = outputByHash(simpleSavedStory, simplifySavedStory);

export interface StoryValues {
	content?: string;
	source?: boolean;
	simplify?: boolean;
}

/** A story as the user wants it. */
export async function presentStory(
	story: IDataObject,
	answer: Answer,
	values: StoryValues,
	api: Api,
	simplifyIt: Simplify = simplifyStory,
): Promise<IDataObject> {
	if (values.simplify !== false) {
		const [titled = story] = await withFeedTitles([story], answer, api);
		return withoutFalseUnread(simplifyIt(titled, answer, { ...values }));
	}
	const { story_content: content, ...rest } = story;
	const isLeftOut = values.content === 'none' || content === undefined;
	return isLeftOut ? rest : { ...rest, story_content: content };
}

/** What of a story is kept for handing it over again: its hash, and what its item has beside the story. */
export type KeptStory = Record<string, unknown>;

/** The items of kept stories, in their order; undefined for those that are gone. */
export async function restoreStories(
	kept: KeptStory[],
	values: StoryValues,
	api: Api,
	simplifyIt?: Simplify,
): Promise<Array<IDataObject | undefined>> {
	const restored: Array<IDataObject | undefined> = [];
	for (let next = 0; next < kept.length; next += HASHES_PER_REQUEST) {
		const chunk = kept.slice(next, next + HASHES_PER_REQUEST);
		const { stories, answer } = await readStories(
			api,
			chunk.map(({ hash }) => toText(hash)),
		);
		for (const { hash, ...beside } of chunk) {
			const story = stories.get(toText(hash));
			restored.push(
				story &&
					({ ...(await presentStory(story, answer, values, api, simplifyIt)), ...beside } as IDataObject),
			);
		}
	}
	return restored;
}

/** A hash, and what belongs to it: ISO 8601, or null where the service told none. */
export interface StoryHash {
	story_hash: string;
	date?: string | null;
}

/** One entry of a list of hashes: the hash alone, or a pair of hash and Unix seconds. Odd ones stay as they came. */
export function hashWithDate(entry: unknown): StoryHash {
	if (!Array.isArray(entry)) return { story_hash: entry as string };
	const [hash, seconds] = entry as [string, unknown];
	return { story_hash: hash, date: isoFromSeconds(seconds) };
}

/** The stories of each feed as the service tells them: hashes, or pairs of hash and Unix seconds. */
export type HashesByFeed = Map<string, unknown[]>;

/** Asks for the hashes of what is saved. The service tells them in one list. */
export async function savedByFeed(api: Api): Promise<HashesByFeed> {
	const path = '/reader/starred_story_hashes';
	const answer = await api.send({ method: 'GET', path, query: { include_timestamps: true } });
	const hashes = membersUnder('starred_story_hashes', answer);
	if (!hashes) throw api.failure(NO_HASHES, `It was asked for them at ${path}.`);
	const byFeed: HashesByFeed = new Map();
	for (const entry of hashes) {
		const hash = toText(Array.isArray(entry) ? entry[0] : entry);
		const feed = hash.slice(0, Math.max(hash.indexOf(':'), 0));
		const entries = byFeed.get(feed);
		if (entries) entries.push(entry);
		else byFeed.set(feed, [entry]);
	}
	return byFeed;
}
