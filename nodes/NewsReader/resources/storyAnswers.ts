import type { IDataObject } from 'n8n-workflow';
import type { Batch, Output } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord, toInteger } from '../../runtime/values';
import { membersOf } from './shared';
import { isoDate, simplifyStory, storyOutput } from './stories';

/** The most stories that the service takes or gives by hash at once (interface document, Limits). */
export const HASHES_PER_REQUEST = 100;

/** The story of an answer that has this hash. */
const storyOf = ({ json }: Answer, hash: string): Record<string, unknown> | undefined =>
	(isRecord(json) ? (membersOf(json.stories) ?? []) : [])
		.filter(isRecord)
		.find((story) => story.story_hash === hash);

/** Stories by hash, in the order of the hashes; the service leaves out those that it doesn't have. */
export const byHash: Batch = {
	field: 'h',
	size: HASHES_PER_REQUEST,
	max: HASHES_PER_REQUEST,
	outcome: (answer, hash) => {
		if (!isRecord(answer.json) || !membersOf(answer.json.stories)) {
			return { failure: 'The service answered without a list of stories' };
		}
		const story = storyOf(answer, hash);
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
export function hashAndDate(entry: unknown): StoryHash {
	if (!Array.isArray(entry)) return { story_hash: entry as string };
	const [hash, seconds] = entry as [string, unknown];
	return { story_hash: hash, date: isoDate(seconds) };
}

/**
 * What an answer says of one story: the answer to a single hash is a record; to several it is a list, also
 * without envelope (seen in the wild). Undefined if it says nothing of this one.
 */
export function saidOf({ json }: Answer, hash: string): Record<string, unknown> | undefined {
	const several = Array.isArray(json) ? json : isRecord(json) ? json.stories : undefined;
	if (Array.isArray(several)) return several.filter(isRecord).find((entry) => entry.story_hash === hash);
	const isOfAnother = isRecord(json) && json.story_hash !== undefined && json.story_hash !== hash;
	return isRecord(json) && !isOfAnother ? json : undefined;
}

/** Why a story was not marked, in the service's words; undefined if it was. */
export function objectionTo(said: Record<string, unknown>): string | undefined {
	const message = typeof said.message === 'string' ? said.message.trim() : '';
	const isFailure = (toInteger(said.code) ?? 0) < 0 || message !== '';
	return isFailure ? message || 'The service refused and gave no reason' : undefined;
}
