import { createHash } from 'crypto';
import { isRecord } from '../values';

/** The form of what is saved; raised when it changes, with a reading of the older one. */
const VERSION = 1;

/** What a poll handed over last: until it is certain that it arrived, it can be handed over again. */
export interface HandedOver<Event = unknown> {
	/** Epoch milliseconds. */
	at: number;
	/** The process that did it. */
	instance: string;
	events: Event[];
}

/** What a trigger remembers between polls. */
export interface State<Marks = unknown, Event = unknown> {
	/** What is watched, in whose account: other settings make another key. */
	key: string;
	/** The user whose data it is, where the service tells. */
	user?: string;
	marks: Marks;
	handedOver?: HandedOver<Event>;
}

/** What n8n holds for the node: a state, nothing, or something that can't be read. */
export type Saved = { state: State } | 'none' | 'broken';

/** The same value with the members of objects in one order: databases may keep them in another. */
function ordered(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(ordered);
	if (!isRecord(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, ordered(value[name])]));
}

/** A fingerprint of marks: some that lost a part would take what is known for new. */
const checkOf = (marks: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(ordered(marks)))
		.digest('base64url')
		.slice(0, 12);

/** Reads what `written` made; anything else is broken, or none if there is nothing. */
export function readState(saved: unknown): Saved {
	if (saved === undefined) return 'none';
	if (!isRecord(saved) || saved.version !== VERSION) return 'broken';
	const { key, user, marks, check, handedOver } = saved;
	if (typeof key !== 'string' || marks === undefined) return 'broken';
	if (check !== undefined && check !== checkOf(marks)) return 'broken';
	return {
		state: {
			key,
			marks,
			...(typeof user === 'string' && { user }),
			...(isHandedOver(handedOver) && { handedOver }),
		},
	};
}

const isHandedOver = (value: unknown): value is HandedOver =>
	isRecord(value) &&
	typeof value.at === 'number' &&
	typeof value.instance === 'string' &&
	Array.isArray(value.events) &&
	value.events.every(isRecord);

/** A state as it is saved: plain JSON. */
export const written = (state: State): Record<string, unknown> => ({
	version: VERSION,
	...state,
	check: checkOf(state.marks),
});
