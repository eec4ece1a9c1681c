import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import { simplified, type Batch, type Output } from '../../runtime/table/operation';
import { aBoolean, record, type RecordSchema } from '../../runtime/table/record';
import { chunksOf, getOrCreate, omit, toText } from '../../runtime/values';
import { isoFromSeconds, membersUnder, recordsIn } from './responses';
import { withFeedTitles, readWithSimilar, simpleStory, simpleSavedStory, storyOutput } from './stories';
import type { Selection } from './records';

/** The most hashes in one request (interface document, Limits). */
export const HASHES_PER_REQUEST = 100;

/** The error for the response to GET `path` if it lacks a list. */
export const withoutList = (api: Api, listed: string, path: string): NodeApiError =>
	api.apiError(`The service responded without a list of ${listed}`, `The request was GET ${path}.`);

/** The service leaves out stories that are not saved. */
export const savedStoriesByHash: Batch<'h'> = {
	field: 'h',
	max: HASHES_PER_REQUEST,
	readEntry: (response, hash) => {
		const stories = membersUnder('stories', response);
		if (!stories) return undefined;
		const story = recordsIn(stories).find(({ story_hash: own }) => own === hash);
		return { record: story ?? { story_hash: hash, missing: true } };
	},
};

/** Stories by hash, in the order of the hashes, including similar ones. */
export const storiesByHash: Batch<'h'> = {
	...savedStoriesByHash,
	send: async (hashes, _, ask) => await readWithSimilar(hashes, ask),
};

export interface StoriesByHash {
	stories: Map<string, IDataObject>;
	response: ApiResponse;
}

/** Also in a request by hash, the service returns hidden stories only with this parameter (seen in the wild). */
export const HIDDEN_AS_WELL = { include_hidden: true };

const STORIES_PATH = '/reader/river_stories';
const SAVED_PATH = '/reader/starred_stories';

/** Reads up to a hundred stories by hash, including similar ones. */
export async function readStories(api: Api, hashes: string[]): Promise<StoriesByHash> {
	const response = await readWithSimilar(
		hashes,
		async (h) => await api.send({ method: 'GET', path: STORIES_PATH, query: { h, ...HIDDEN_AS_WELL } }),
	);
	return byHash(api, STORIES_PATH, response);
}

/** Reads stories, a hundred at once. In the order of the hashes, with the response; undefined for stories that are gone. */
export async function readInChunks(
	hashes: string[],
	read: (chunk: string[]) => Promise<StoriesByHash>,
): Promise<Array<{ story: IDataObject; response: ApiResponse } | undefined>> {
	const all = [];
	for (const chunk of chunksOf(hashes, HASHES_PER_REQUEST)) {
		const { stories, response } = await read(chunk);
		for (const hash of chunk) {
			const story = stories.get(hash);
			all.push(story && { story, response });
		}
	}
	return all;
}

/** Their `read_status` is no state: see `simpleSavedStory`. */
export async function readSavedStories(api: Api, hashes: string[]): Promise<StoriesByHash> {
	const response = await api.send({ method: 'GET', path: SAVED_PATH, query: { h: hashes } });
	return byHash(api, SAVED_PATH, response);
}

function byHash(api: Api, path: string, response: ApiResponse): StoriesByHash {
	const stories = membersUnder('stories', response);
	if (!stories) throw withoutList(api, 'stories', path);
	const coerced = recordsIn(stories).map((story) => simpleStory.raw.coerce(story) as IDataObject);
	return { stories: new Map(coerced.map((story) => [toText(story.story_hash), story])), response };
}

/** By hash, a read story may be reported as unread (seen in the wild): only `read: true` is kept. */
const withoutFalseUnread = <Story extends { read?: unknown }>({ read, ...story }: Story): Story =>
	(read ? { ...story, read } : story) as Story;

/** The output of stories by hash; a story that the service left out has `missing: true`, which `meaning` explains. */
const outputByHash = ({ schema, map }: Selection, meaning: string): Output => ({
	...storyOutput,
	shape: simplified<RecordSchema>(
		record({ ...schema.members, missing: aBoolean.described(meaning) }),
		(story, ...others) =>
			story.missing
				? { hash: story.story_hash, missing: true }
				: { ...withoutFalseUnread(map(story, ...others)), missing: false },
		async (stories, ...others) =>
			stories.some((story) => story.missing) ? stories : await withFeedTitles(stories, ...others),
	),
});

export const storyOutputByHash = outputByHash(simpleStory, 'Whether the service no longer has the story');
export const savedOutputByHash = outputByHash(simpleSavedStory, 'Whether you did not save the story');

export interface StoryValues {
	content?: string;
	source?: boolean;
	simplify?: boolean;
}

export async function presentStory(
	story: IDataObject,
	response: ApiResponse,
	values: StoryValues,
	api: Api,
	simplify: Selection['map'] = simpleStory.map,
): Promise<IDataObject> {
	if (values.simplify === false) return story;
	const [withTitle = story] = await withFeedTitles([story], response, api);
	return withoutFalseUnread(simplify(withTitle, response, { ...values }));
}

/** For each story (its hash and what the trigger added), the function that makes its item; undefined if it is gone. */
export async function storyItemMakers(
	kept: Array<Record<string, unknown>>,
	values: StoryValues,
	api: Api,
	simplify?: Selection['map'],
): Promise<Array<(() => Promise<IDataObject>) | undefined>> {
	const hashes = kept.map(({ hash }) => toText(hash));
	const read = await readInChunks(hashes, async (chunk) => await readStories(api, chunk));
	return read.map((found, index) => {
		if (!found) return undefined;
		return async () => {
			const story = await presentStory(found.story, found.response, values, api, simplify);
			return { ...story, ...omit(kept[index]!, 'hash') } as IDataObject;
		};
	});
}

/** A hash and its date in Unix seconds; 0 if the service returned none. */
export interface StoryHash {
	hash: string;
	at: number;
}

/** The entries of a list of hashes: each is the hash alone, or a pair of hash and Unix seconds. */
export const storyHashesIn = (list: unknown[]): StoryHash[] =>
	list.flatMap((entry) => {
		const [hash, seconds] = Array.isArray(entry) ? (entry as unknown[]) : [entry];
		return typeof hash === 'string' ? [{ hash, at: Number(toText(seconds)) || 0 }] : [];
	});

export const hashRecord = ({ hash, at }: StoryHash) => ({ hash, date: at === 0 ? null : isoFromSeconds(at) });

export type HashesByFeed = Map<string, StoryHash[]>;

export async function savedByFeed(api: Api): Promise<HashesByFeed> {
	const path = '/reader/starred_story_hashes';
	const response = await api.send({ method: 'GET', path, query: { include_timestamps: true } });
	const hashes = membersUnder('starred_story_hashes', response);
	if (!hashes) throw withoutList(api, 'hashes', path);
	const byFeed: HashesByFeed = new Map();
	for (const entry of storyHashesIn(hashes)) {
		const [feed = ''] = entry.hash.split(':');
		getOrCreate(byFeed, feed, (): StoryHash[] => []).push(entry);
	}
	return byFeed;
}
