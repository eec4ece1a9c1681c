import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';

/** What every answer says about itself, mixed into the data (seen in the wild); it is no part of a record. */
const ENVELOPE = new Set(['result', 'authenticated', 'code', 'errors']);

/** The answer's own data. `user_id` is the caller's wherever the envelope is, so it goes, too. */
export function withoutEnvelope({ json }: Answer): Record<string, unknown> | undefined {
	if (!isRecord(json)) return undefined;
	const hasEnvelope = 'authenticated' in json;
	return Object.fromEntries(
		Object.entries(json).filter(([key]) => !ENVELOPE.has(key) && !(hasEnvelope && key === 'user_id')),
	);
}

/** The members of a collection: a list, or an object keyed by id (an empty one may come as a list). */
export function membersOf(collection: unknown): unknown[] | undefined {
	if (Array.isArray(collection)) return collection;
	return isRecord(collection) ? Object.values(collection) : undefined;
}

/** The collection under one key of an answer; undefined if there is none. */
export const membersUnder = (key: string, { json }: Answer): unknown[] | undefined =>
	isRecord(json) ? membersOf(json[key]) : undefined;

/**
 * The message of an answer; undefined if it has none. Calls for premium accounts answer others with nothing else
 * (seen in the wild).
 */
export const messageOf = (json: unknown): string | undefined =>
	isRecord(json) && typeof json.message === 'string' && json.message !== '' ? json.message : undefined;
