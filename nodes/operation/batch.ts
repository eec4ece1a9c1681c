import type { Parts } from './row';

/** One item's share of a batch: the entries it brings, and all that must be alike to join it to others. */
export interface Share {
	item: number;
	entries: string[];
	/** Where the request goes and in whose name: shares of different kinds never join. */
	kind: string;
	parts: Parts;
}

/** One request for the entries of many items, sent in the name of the first. */
export interface BatchRequest {
	item: number;
	parts: Parts;
	entries: string[];
}

/** The place of a batched list among the parts of a request. */
export const listPlace = (parts: Parts, field: string): 'query' | 'body' =>
	field in parts.query ? 'query' : 'body';

/** Joins shares into as few requests as their size allows; an entry that several items bring is sent once. */
export function joinShares(shares: Share[], field: string, size: number): BatchRequest[] {
	const open = new Map<string, BatchRequest>();
	const placed = new Set<string>();
	const requests: BatchRequest[] = [];
	for (const { item, entries, kind, parts } of shares) {
		const place = listPlace(parts, field);
		for (const entry of entries) {
			if (placed.has(entryKey(kind, entry))) continue;
			placed.add(entryKey(kind, entry));
			let request = open.get(kind);
			if (!request || request.entries.length >= size) {
				const sent: string[] = [];
				request = { item, entries: sent, parts: { ...parts, [place]: { ...parts[place], [field]: sent } } };
				open.set(kind, request);
				requests.push(request);
			}
			request.entries.push(entry);
		}
	}
	return requests;
}

/** What identifies an entry among those of all items. */
export const entryKey = (kind: string, entry: string): string => `${kind} ${entry}`;
