import { isRecord } from '../../runtime/values';

type IdsByFeed = Record<string, Array<string | number>>;

const isStoryIds = (value: unknown): value is Array<string | number> =>
	Array.isArray(value) && value.every((id) => typeof id === 'string' || typeof id === 'number');

/** Feed ids to lists of story ids; at least one feed. */
export const isIdsByFeed = (value: unknown): value is IdsByFeed =>
	isRecord(value) &&
	Object.keys(value).length > 0 &&
	Object.entries(value).every(([id, stories]) => /^\d+$/.test(id) && isStoryIds(stories));

/** User ids to feed ids to lists of story ids; at least one user. */
export const isIdsByUser = (value: unknown): value is Record<string, IdsByFeed> =>
	isRecord(value) &&
	Object.keys(value).length > 0 &&
	Object.entries(value).every(([id, feeds]) => /^\d+$/.test(id) && isIdsByFeed(feeds));
