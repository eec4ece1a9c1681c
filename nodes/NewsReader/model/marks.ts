import type { ApiResponse } from '../../runtime/api-types';
import { isRecord, toInteger } from '../../runtime/values';

/**
 * The entry for one story in a response; undefined if there is none. The response to one hash is a record; the response
 * to several is a list, possibly without an envelope. The list may have several entries for a story: for a story that is
 * too old, the service lists a refusal and a success, but the story stays read (seen in the wild). So the refusal counts.
 */
export function entryFor({ json }: ApiResponse, hash: string): Record<string, unknown> | undefined {
	const several = Array.isArray(json) ? json : isRecord(json) ? json.stories : undefined;
	if (Array.isArray(several)) {
		const entries = several.filter(isRecord).filter((entry) => entry.story_hash === hash);
		return entries.find(refusalIn) ?? entries[0];
	}
	const isAboutAnotherStory = isRecord(json) && json.story_hash !== undefined && json.story_hash !== hash;
	return isRecord(json) && !isAboutAnotherStory ? json : undefined;
}

/** Why a story was not marked, in the service's words; undefined if the story was marked. */
export function refusalIn(entry: Record<string, unknown>): string | undefined {
	const message = typeof entry.message === 'string' ? entry.message.trim() : '';
	const isFailure = (toInteger(entry.code) ?? 0) < 0 || message !== '';
	return isFailure ? message || 'The service refused and gave no reason' : undefined;
}
