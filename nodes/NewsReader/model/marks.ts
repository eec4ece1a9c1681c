import type { Answer } from '../../runtime/exchange';
import { isRecord, toInteger } from '../../runtime/values';

/**
 * What an answer says of one story: the answer to a single hash is a record; to several it is a list, also
 * without envelope, where a refusal counts: a story too old is refused and then told to be marked, and stays read
 * (seen in the wild). Undefined if it says nothing of this one.
 */
export function answerAbout({ json }: Answer, hash: string): Record<string, unknown> | undefined {
	const several = Array.isArray(json) ? json : isRecord(json) ? json.stories : undefined;
	if (Array.isArray(several)) {
		const entries = several.filter(isRecord).filter((entry) => entry.story_hash === hash);
		return entries.find(refusalIn) ?? entries[0];
	}
	const isOfAnother = isRecord(json) && json.story_hash !== undefined && json.story_hash !== hash;
	return isRecord(json) && !isOfAnother ? json : undefined;
}

/** Why a story was not marked, in the service's words; undefined if it was. */
export function refusalIn(answered: Record<string, unknown>): string | undefined {
	const message = typeof answered.message === 'string' ? answered.message.trim() : '';
	const isFailure = (toInteger(answered.code) ?? 0) < 0 || message !== '';
	return isFailure ? message || 'The service refused and gave no reason' : undefined;
}
