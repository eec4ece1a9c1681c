import { createHash } from 'crypto';
import { isRecord } from '../values';

/** The form of what is saved; raised when it changes, with a reading of the older one. */
const VERSION = 1;

/** What a poll handed over last: until it is certain that it arrived, it can be handed over again. */
export interface HandOver<Event = unknown> {
	/** Epoch milliseconds. */
	at: number;
	/** The process that did it. */
	instance: string;
	events: Event[];
}

/** What a trigger remembers between polls. */
export interface State<Cursor = unknown, Event = unknown> {
	/** What is watched, in whose account: other settings make another key. */
	key: string;
	/** The user whose data it is, where the service tells. */
	user?: string;
	/** What of it is known; saved as `marks`. */
	cursor: Cursor;
	handedOver?: HandOver<Event>;
}

/** What n8n holds for the node: a state, nothing, or something that can't be read. */
export type SavedState = { state: State } | 'none' | 'broken';

/** The same value with the members of objects in one order: databases may keep them in another. */
function ordered(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(ordered);
	if (!isRecord(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, ordered(value[name])]));
}

/** The checksum of a cursor: one that lost a part would take what is known for new. */
const checksumOf = (cursor: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(ordered(cursor)))
		.digest('base64url')
		.slice(0, 12);

/** Reads what `serialize` made; anything else is broken, or none if there is nothing. */
export function readState(saved: unknown): SavedState {
	if (saved === undefined) return 'none';
	if (!isRecord(saved) || saved.version !== VERSION) return 'broken';
	const { key, user, marks: cursor, check, handedOver } = saved;
	if (typeof key !== 'string' || cursor === undefined) return 'broken';
	if (check !== undefined && check !== checksumOf(cursor)) return 'broken';
	return {
		state: {
			key,
			cursor,
			...(typeof user === 'string' && { user }),
			...(isHandOver(handedOver) && { handedOver }),
		},
	};
}

const isHandOver = (value: unknown): value is HandOver =>
	isRecord(value) &&
	typeof value.at === 'number' &&
	typeof value.instance === 'string' &&
	Array.isArray(value.events) &&
	value.events.every(isRecord);

/** A state as it is saved: plain JSON. */
export const serialize = ({ key, user, cursor: marks, handedOver }: State): Record<string, unknown> => ({
	version: VERSION,
	key,
	...(user !== undefined && { user }),
	marks,
	...(handedOver && { handedOver }),
	check: checksumOf(marks),
});
