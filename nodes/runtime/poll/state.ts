import { createHash } from 'crypto';
import { isRecord } from '../values';

/** The format of saved states. After a change of the format, raise it, and still read the older format. */
const VERSION = 1;

const DIGEST_LENGTH = 16;

/** What a poll emitted: the next poll emits it again if n8n ended before it started the execution. */
export interface Emission {
	at: number;
	instance: string;
	/** What the watch needs to make the items again. */
	events: unknown[];
}

/** What a trigger remembers between polls. */
export interface State {
	/** Identifies the watched data. A cursor of this version with the key of a watch is one of this watch. */
	key: string;
	/** Identifies the account by its credential. */
	account: string;
	/** The host and the user whose data it is, if the service names the user. Then the account is this user. */
	user?: string;
	/** What is known of the watched data, as the watch saves it. */
	cursor: unknown;
	emitted?: Emission;
}

/** Reads the state that n8n has saved for the node; undefined if there is none. */
export function readState(saved: unknown): State | undefined {
	if (saved === undefined) return undefined;
	const { version, ...state } = isRecord(saved) ? saved : {};
	// A state of another format has no known key: everything that exists now counts as known.
	return version === VERSION ? (state as unknown as State) : { key: '', account: '', cursor: undefined };
}

export const serialize = (state: State): Record<string, unknown> => ({ version: VERSION, ...state });

export const digestOf = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
