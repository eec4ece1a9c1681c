import type { Packed } from './packed-hashes';

/** A new or returned story. */
export interface HashEvent {
	/** The feed under which the list contains the story. */
	feed: string;
	hash: string;
	/** How often the story came back into the list; 0 for a new one. */
	returnCount: number;
	/** How often the story could not be read. */
	unreadable?: number;
	/** The group of similar stories that the story was processed with, and the day on which that group was emitted. */
	group?: { day: number; hashes: string[] };
}

/** By day since 1970 and feed, the hashes of the groups of similar stories that were emitted on that day. */
export type EmittedGroups = Record<string, Packed>;
