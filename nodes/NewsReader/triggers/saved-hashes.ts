import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';

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

/** A new story that passes the filters, and the response that contained it. */
export interface NewStory {
	event: HashEvent;
	story: IDataObject;
	response: ApiResponse;
}

/** Hashes without their feed: those of six hexadecimal digits, joined and in Base64; then all others, as they are. */
export type Packed = [usual: string, ...others: string[]];

/** The usual form of a story hash without its feed. */
const USUAL = /^[0-9a-f]{6}$/;
const USUAL_LENGTH = 6;

/** The members in the order in which they were packed; none for undefined. */
export function unpack(packed: Packed | undefined): Set<string> {
	const [usual = '', ...others] = packed ?? [];
	const hex = Buffer.from(usual, 'base64').toString('hex');
	const members = new Set<string>();
	for (let at = 0; at < hex.length; at += USUAL_LENGTH) members.add(hex.slice(at, at + USUAL_LENGTH));
	for (const other of others) members.add(other);
	return members;
}

export function pack(members: Iterable<string>): Packed {
	const all = [...members];
	const usual = all.filter((member) => USUAL.test(member)).join('');
	return [Buffer.from(usual, 'hex').toString('base64'), ...all.filter((member) => !USUAL.test(member))];
}
