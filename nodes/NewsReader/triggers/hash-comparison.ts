import { omit } from '../../runtime/values';
import {
	HashSet,
	NO_KNOWN_STORIES,
	withoutFeed,
	type HashCursor,
	type HashEvent,
	type Packed,
} from './hash-cursor';
import { datesOf, knownUntilOf, separatingTime } from './hash-dates';
import type { HashEntry, HashSnapshot, ListBehavior } from './hash-snapshot';
import { MAX_DOUBTED_POLLS } from './newest-first-cursor';

/** The most stories in `gone`. If more leave the list at once, the response is doubted. */
const MAX_GONE = 20_000;

/** The cursor that knows all stories of a list except `hashes`. */
export function allKnownBut(snapshot: HashSnapshot, hashes: string[], behavior: ListBehavior): HashCursor {
	const unknown = new Set(hashes);
	const present: HashCursor['present'] = {};
	const knownUntil: Record<string, number> = {};
	for (const [feed, entries] of snapshot) {
		const set = HashSet.of('');
		for (const { hash } of entries) if (!unknown.has(hash)) set.add(withoutFeed(hash));
		present[feed] = set.pack();
		const limit = knownUntilOf(entries, behavior, undefined, set.size === entries.length);
		if (limit !== undefined) knownUntil[feed] = limit;
	}
	return { ...NO_KNOWN_STORIES, present, ...datesOf(undefined, knownUntil, snapshot, behavior) };
}

/** Compares a list with what is known. New, returned and redated stories become events, oldest first. */
export function compareHashes(
	cursor: HashCursor,
	snapshot: HashSnapshot,
	behavior: ListBehavior,
): { events: HashEvent[]; cursor: HashCursor } {
	const { doubtedPolls = 0 } = cursor;
	const isDoubted = doubtedPolls < MAX_DOUBTED_POLLS && missingCount(cursor, snapshot) > MAX_GONE;
	const feeds = new Set([...Object.keys(cursor.present), ...snapshot.keys()]);
	const compared = [...feeds].map((feed) =>
		compareFeed(cursor, feed, snapshot.get(feed) ?? [], isDoubted, behavior),
	);
	// A story that the list contains several times is one event.
	const found = new Map(compared.flatMap(({ events }) => events).map((event) => [event.hash, event]));
	const events = [...found.values()].sort((a, b) => a.at - b.at).map((event): HashEvent => omit(event, 'at'));
	const redated = events.flatMap(({ hash, returnedIfEnteredSince: since }) =>
		since === undefined ? [] : [[hash, since] as const],
	);
	return {
		events,
		cursor: {
			...setsOf(cursor, compared),
			returnCounts: cursor.returnCounts,
			unreadable: cursor.unreadable,
			...datesOf(cursor.latest, limitsOf(cursor, compared, isDoubted), snapshot, behavior),
			...(redated.length > 0 && { redated: Object.fromEntries(redated) }),
			...(isDoubted && { doubtedPolls: doubtedPolls + 1 }),
			...(cursor.emittedGroups && { emittedGroups: cursor.emittedGroups }),
		},
	};
}

/** How many known stories are no longer in the list; 0 if too few are known to doubt the list. */
function missingCount(cursor: HashCursor, snapshot: HashSnapshot): number {
	// A packed hash takes at least four characters.
	const characters = Object.values(cursor.present).reduce((sum, { length }) => sum + length, 0);
	if (characters < 4 * MAX_GONE) return 0;
	const counts = Object.entries(cursor.present).map(([feed, packed]) => {
		const missing = HashSet.of(packed);
		for (const { hash } of snapshot.get(feed) ?? []) missing.delete(withoutFeed(hash));
		return missing.size;
	});
	return counts.reduce((sum, count) => sum + count, 0);
}

type DatedEvent = HashEvent & { at: number };

/** The events of one feed, and its part of the next cursor. */
interface ComparedFeed {
	feed: string;
	events: DatedEvent[];
	/** Left out if both sets are unchanged. */
	sets?: { present: Packed; gone: Packed };
	knownUntil: number | undefined;
}

function compareFeed(
	cursor: HashCursor,
	feed: string,
	entries: HashEntry[],
	isDoubted: boolean,
	behavior: ListBehavior,
): ComparedFeed {
	const present = HashSet.of(cursor.present[feed]);
	const gone = HashSet.of(cursor.gone[feed]);
	const known: KnownOfFeed = { present, gone, knownUntil: cursor.knownUntil?.[feed] ?? -Infinity };
	const events: DatedEvent[] = [];
	const skipped: string[] = [];
	let stillListed = 0;
	for (const entry of [...entries].reverse()) {
		const { hash, at } = entry;
		const change = changeOf(entry, known, cursor, behavior);
		const unreadable = cursor.unreadable[hash];
		const event = { feed, hash, at, ...(unreadable !== undefined && { unreadable }) };
		const returnCount = (cursor.returnCounts[hash] ?? 0) + 1;
		switch (change.kind) {
			case 'none':
				stillListed += 1;
				break;
			case 'redated':
				stillListed += 1;
				events.push({ ...event, returnCount, ...omit(change, 'kind') });
				break;
			case 'returned':
				events.push({ ...event, returnCount, ...omit(change, 'kind') });
				break;
			case 'skipped':
				skipped.push(withoutFeed(hash));
				break;
			case 'new':
				events.push({ ...event, returnCount: 0 });
		}
	}
	const knownUntil = knownUntilOf(entries, behavior, cursor.knownUntil?.[feed], events.length === 0);
	const isUnchanged = stillListed === present.size && skipped.length === 0;
	if (isUnchanged) return { feed, events, knownUntil };
	const listed = entries.map(({ hash }) => withoutFeed(hash));
	const nextPresent = HashSet.of('');
	if (isDoubted) {
		// A doubted list may lack stories: all known stories stay.
		for (const hash of skipped) nextPresent.add(hash);
		nextPresent.addRest(present, []);
	} else {
		const stillPresent = listed.filter((hash) => present.has(hash));
		for (const hash of [...stillPresent, ...skipped]) nextPresent.add(hash);
		gone.addRest(present, listed);
	}
	for (const hash of skipped) gone.delete(hash);
	return { feed, events, sets: { present: nextPresent.pack(), gone: gone.pack() }, knownUntil };
}

/** What a cursor knows of the stories of one feed. */
interface KnownOfFeed {
	present: HashSet;
	gone: HashSet;
	/** Unix seconds. */
	knownUntil: number;
}

/**
 * What happened to a story that the list contains:
 * - `none`: the story is known.
 * - `redated`: the story is known, but its date is new. It was changed, or it left and came back between two polls.
 * - `returned`: the story had left the list, and is back.
 * - `skipped`: the story becomes known without an event, because it is not newer than `knownUntil`, because the trigger
 *   does not emit returned stories, or because the story had never left the list.
 * - `new`: the story is unknown, and newer than `knownUntil`.
 */
type StoryChange =
	| { kind: 'none' | 'skipped' | 'new' }
	| { kind: 'redated'; returnedIfEnteredSince: number }
	| { kind: 'returned'; returnedIfEnteredSince?: number };

function changeOf(
	entry: HashEntry,
	{ present, gone, knownUntil }: KnownOfFeed,
	{ redated, latest }: HashCursor,
	{ emitsReturned, datedByEntry = false }: ListBehavior,
): StoryChange {
	const own = withoutFeed(entry.hash);
	const isOld = entry.at <= knownUntil;
	const returnedIfEnteredSince = redated?.[entry.hash] ?? separatingTime(entry, latest);
	if (present.has(own)) {
		return returnedIfEnteredSince === undefined
			? { kind: 'none' }
			: { kind: 'redated', returnedIfEnteredSince };
	}
	if (!gone.has(own)) return { kind: isOld ? 'skipped' : 'new' };
	if (!emitsReturned || isOld) return { kind: 'skipped' };
	if (!datedByEntry) return { kind: 'returned' };
	// In a list that is dated by entry, a story with an old date never left: a response had left it out.
	return returnedIfEnteredSince === undefined
		? { kind: 'skipped' }
		: { kind: 'returned', returnedIfEnteredSince };
}

/** The known stories after a poll. */
function setsOf(cursor: HashCursor, compared: ComparedFeed[]): Pick<HashCursor, 'present' | 'gone'> {
	const present: HashCursor['present'] = {};
	const gone: HashCursor['gone'] = { ...cursor.gone };
	for (const { feed, sets } of compared) {
		const packed = sets?.present ?? cursor.present[feed];
		if (packed) present[feed] = packed;
		if (sets?.gone) gone[feed] = sets.gone;
		else if (sets) delete gone[feed];
	}
	return { present, gone: boundedGone(gone) };
}

/** `gone` without its oldest stories, if it has too many: each feed loses the same share. */
function boundedGone(gone: HashCursor['gone']): HashCursor['gone'] {
	const sets = Object.entries(gone).map(([feed, packed]) => [feed, HashSet.of(packed)] as const);
	const total = sets.reduce((sum, [, set]) => sum + set.size, 0);
	if (total <= MAX_GONE) return gone;
	for (const [, set] of sets) set.keepLast(Math.floor((set.size * MAX_GONE) / total));
	return Object.fromEntries(sets.map(([feed, set]) => [feed, set.pack()]));
}

/** The next `knownUntil`. A doubted list may lack feeds: their dates stay. */
function limitsOf(cursor: HashCursor, compared: ComparedFeed[], isDoubted: boolean): Record<string, number> {
	const limits: Record<string, number> = isDoubted ? { ...cursor.knownUntil } : {};
	for (const { feed, knownUntil } of compared) if (knownUntil !== undefined) limits[feed] = knownUntil;
	return limits;
}
