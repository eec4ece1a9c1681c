import type { IDataObject } from 'n8n-workflow';
import type { Batch, Output } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';
import { membersOf } from './answers';
import { isoFromSeconds } from './dates';
import { simplifyStory, storyOutput } from './stories';

/** The most stories that the service takes or gives by hash at once (interface document, Limits). */
export const HASHES_PER_REQUEST = 100;

/** The story of an answer that has this hash. */
const storyWithHash = ({ json }: Answer, hash: string): Record<string, unknown> | undefined =>
	(isRecord(json) ? (membersOf(json.stories) ?? []) : [])
		.filter(isRecord)
		.find((story) => story.story_hash === hash);

/** Stories by hash, in the order of the hashes; the service leaves out those that it doesn't have. */
export const storiesByHash: Batch = {
	field: 'h',
	size: HASHES_PER_REQUEST,
	max: HASHES_PER_REQUEST,
	outcome: (answer, hash) => {
		if (!isRecord(answer.json) || !membersOf(answer.json.stories)) {
			return { failure: 'The service answered without a list of stories' };
		}
		const story = storyWithHash(answer, hash);
		return story ? { record: story as IDataObject } : { notice: { story_hash: hash, missing: true } };
	},
};

/** Asked by hash, the service may tell of a read story that it is unread (seen in the wild): then it isn't told. */
export const storyOutputByHash: Output = {
	...storyOutput,
	simple: storyOutput.simple && {
		...storyOutput.simple,
		of: (story, answer, form) => {
			const { read, ...rest } = simplifyStory(story, answer, form);
			return read ? { ...rest, read } : rest;
		},
	},
};

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
