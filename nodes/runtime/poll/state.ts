import { isRecord } from '../values';

/** The format of saved states. After a change of the format, raise it, and still read the older format. */
const VERSION = 1;

/** The items that a poll emitted last: they are kept until it is certain that an execution has started with them. */
export interface Emission<Event = unknown> {
	/** Epoch milliseconds. */
	at: number;
	/** The process that emitted them. */
	instance: string;
	events: Event[];
}

/** What a trigger remembers between polls. */
export interface State<Cursor = unknown, Event = unknown> {
	/** Identifies the watched data. */
	key: string;
	/** Identifies the account by its credential. */
	account: string;
	/** The host and the user whose data it is, if the service names the user. Then the account is this user. */
	user?: string;
	/** What is known of the watched data, as the watch saves it. */
	cursor: Cursor;
	emitted?: Emission<Event>;
}

/** The state that n8n has saved for the node. */
type SavedState = { state: State } | 'none' | 'broken';

/** Reads a state that `serialize` wrote. */
export function readState(saved: unknown): SavedState {
	if (saved === undefined) return 'none';
	if (!isRecord(saved) || saved.version !== VERSION) return 'broken';
	const { key, account, user, cursor, emitted } = saved;
	if (typeof key !== 'string' || typeof account !== 'string' || cursor === undefined) return 'broken';
	return {
		state: {
			key,
			account,
			cursor,
			...(typeof user === 'string' && { user }),
			...(isEmission(emitted) && { emitted }),
		},
	};
}

const isEmission = (value: unknown): value is Emission =>
	isRecord(value) &&
	typeof value.at === 'number' &&
	typeof value.instance === 'string' &&
	Array.isArray(value.events) &&
	value.events.every(isRecord);

/** A state as plain JSON. */
export const serialize = ({ key, account, user, cursor, emitted }: State): Record<string, unknown> => ({
	version: VERSION,
	key,
	account,
	...(user !== undefined && { user }),
	cursor,
	...(emitted && { emitted }),
});
