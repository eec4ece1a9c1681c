import { createHash } from 'crypto';
import { clock } from '../../runtime/transport/rateLimit';
import { isRecord } from '../../runtime/values';
import type { Item, Source, Taken, Watch } from '../../runtime/poll/watch';

/** One entry of a list that shows the newest first. */
export interface Entry {
	/** What tells it from others; entries alike are told apart by their number. */
	key: string;
	/** Its date in seconds, where entries come in the order of their dates. */
	at?: number;
	/** Whose it is, or what it was found by: what a group that joins the list brings along is not new. */
	group?: string;
	/** Whether it is among what the user wants. */
	isWanted: boolean;
	/** What its item is made of. */
	record: Record<string, unknown>;
	/** What of it is kept for handing it over again. */
	kept: Record<string, unknown>;
}

/** An entry that is new, with the number of the occurrence. */
export interface RecentEvent {
	id: string;
	at?: number;
	kept: Record<string, unknown>;
	record?: Record<string, unknown>;
	isWanted?: boolean;
}

export interface RecentMarks {
	/** Fingerprints of known entries with their dates, oldest knowledge first: `fingerprint.seconds`, joined by `;`. */
	known: string;
	/** Entries of this date and before are not new; 0 where that isn't known. */
	floor: number;
	/** The groups that were there; null where there are none. */
	groups: string[] | null;
}

export interface RecentSurvey {
	/** Newest first. */
	entries: Entry[];
	groups: string[] | null;
	/** The list goes on after what was read. */
	hasMore: boolean;
	fault?: unknown;
}

export interface RecentOptions {
	/** What its event ids begin with. */
	name: string;
	/** The lists to read, one after another, and the groups they stand for. */
	lists(source: Source): Promise<{ lists: RecentList[]; groups: string[] | null }>;
	/** How many pages of each list a first poll gets to know, and of one that a group joins. */
	depth: number;
	/** Entries stand by their dates, and may come with an older one: down to so many seconds ago it is looked for them. */
	lateSeconds?: number;
	item(record: Record<string, unknown>): Item['json'] | Record<string, unknown>;
	/** The records of what was kept; those that are gone are left out. */
	restore(
		kept: Array<Record<string, unknown>>,
		source: Source,
	): Promise<Array<Record<string, unknown> | undefined>>;
}

/** Reads one page of a list. */
export type RecentList = (page: number) => Promise<{ entries: Entry[]; more: boolean }>;

/** Known entries are remembered up to this many. */
const MOST_KNOWN = 5_000;
/** More pages than this are not read in one poll. */
const MOST_PAGES = 400;

const fingerprint = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 9);

const knownIn = (marks: RecentMarks): Set<string> =>
	new Set(marks.known === '' ? [] : marks.known.split(';').map((entry) => entry.split('.')[0] ?? ''));

/** Entries with an id each, oldest first: alike ones are numbered from the oldest, several lists come as one. */
function numbered(entries: Entry[]): Array<{ id: string; entry: Entry }> {
	const counts = new Map<string, number>();
	const all = [...entries].reverse().map((entry) => {
		const number = counts.get(entry.key) ?? 0;
		counts.set(entry.key, number + 1);
		return { id: number === 0 ? entry.key : `${entry.key}#${number}`, entry };
	});
	return all.sort((a, b) => (a.entry.at ?? 0) - (b.entry.at ?? 0));
}

const isOld = ({ at }: Entry, floor: number): boolean => at !== undefined && floor > 0 && at <= floor;

/** Watches lists that show the newest first, and only part of all that ever was. */
export function recent(options: RecentOptions): Watch<RecentMarks, RecentSurvey, RecentEvent> {
	const itemOf = (id: string, record: Record<string, unknown>): Item => ({
		json: { ...options.item(record), eventId: `${options.name}:${id}` },
	});
	return {
		read: (saved) => (isMarks(saved) ? saved : undefined),
		survey: async (marks, source) => {
			const { lists, groups } = await options.lists(source);
			const survey: RecentSurvey = { entries: [], groups, hasMore: false };
			for (const list of lists) await readList(list, marks, options, source, survey);
			return survey;
		},
		fault: (survey) => survey.fault,
		baseline: (survey, spare) => {
			const groups = survey.groups;
			if (spare === Infinity) return { known: '', floor: 0, groups };
			const all = numbered(survey.entries);
			const news = all.filter(({ entry }) => entry.isWanted).slice(spare > 0 ? -spare : all.length);
			const left = new Set(news.map(({ id }) => id));
			const dates = survey.entries.map(({ at }) => at).filter((at) => at !== undefined);
			const floor = survey.hasMore && dates.length > 0 ? Math.min(...dates) : 0;
			const known = all.filter(({ id }) => !left.has(id)).map(({ id, entry }) => writtenEntry(id, entry.at));
			return { known: known.join(';'), floor, groups };
		},
		detect: (marks, survey) => {
			if (survey.fault !== undefined) return { events: [], marks };
			const known = knownIn(marks);
			const unknown = numbered(survey.entries).filter(
				({ id, entry }) => !known.has(fingerprint(id)) && !isOld(entry, marks.floor),
			);
			const events = unknown
				.filter(({ entry }) => !hasJoined(entry, marks))
				.map(({ id, entry }): RecentEvent => {
					const { at, kept, record, isWanted } = entry;
					return { id, at, kept, record, isWanted };
				});
			const joined = unknown.filter(({ entry }) => hasJoined(entry, marks));
			const quiet = joined.map(({ id, entry }) => ({ id, at: entry.at }));
			return { events, marks: { ...learnt(marks, quiet), groups: survey.groups } };
		},
		take: async (events, maximum) => {
			const taken: Taken<RecentEvent> = { done: [], handed: [], items: [] };
			// What is not wanted becomes known in its turn: known entries above others would hide them.
			for (const event of events) {
				const { id, at, kept, record, isWanted } = event;
				if (isWanted !== false && taken.items.length >= maximum) break;
				taken.done.push(event);
				if (isWanted === false) continue;
				taken.handed.push({ id, at, kept });
				taken.items.push(itemOf(id, record ?? {}));
			}
			return taken;
		},
		advance: (marks, done) => learnt(marks, done),
		repeat: async (handed, source) => {
			const records = await options.restore(
				handed.map(({ kept }) => kept),
				source,
			);
			return handed.flatMap(({ id }, place) => {
				const record = records[place];
				return record ? [itemOf(id, record)] : [];
			});
		},
	};
}

/** Reads a list from its newest entries down to those that are no news, or as deep as a first poll goes. */
async function readList(
	list: RecentList,
	marks: RecentMarks | undefined,
	{ depth, lateSeconds }: RecentOptions,
	source: Source,
	survey: RecentSurvey,
): Promise<void> {
	const lateFrom = lateSeconds === undefined ? Infinity : clock.now() / 1000 - lateSeconds;
	const known = marks && knownIn(marks);
	const own: Entry[] = [];
	for (let number = 1; ; number += 1) {
		const page = await list(number);
		own.push(...page.entries);
		const hasMore = page.more && page.entries.length > 0;
		const mayHideMore =
			own.some((entry) => hasJoined(entry, marks)) || (page.entries.at(-1)?.at ?? -Infinity) > lateFrom;
		const isDeep =
			marks && known
				? isNoNews(own, page.entries, known, marks) && (number >= depth || !mayHideMore)
				: number >= depth;
		if (!hasMore || isDeep) {
			survey.hasMore ||= hasMore;
			break;
		}
		if (number >= MOST_PAGES || !source.hasTime()) {
			if (known) survey.fault = tooMuch(source);
			survey.hasMore = true;
			break;
		}
	}
	survey.entries.push(...own);
}

const tooMuch = (source: Source): Error =>
	source.refuse(
		'Trigger On',
		'more is new than one poll has time to read',
		'Poll more often. To begin anew with what is there now, give the node another name',
	);

/** Whether a page holds nothing new, nor ends amid entries that are alike. */
function isNoNews(all: Entry[], page: Entry[], known: Set<string>, marks: RecentMarks): boolean {
	const last = page.at(-1)?.key;
	if (all.filter(({ key }) => key === last).length > 1) return false;
	const own = new Set(page);
	return numbered(all)
		.filter(({ entry }) => own.has(entry))
		.every(
			({ id, entry }) => known.has(fingerprint(id)) || isOld(entry, marks.floor) || hasJoined(entry, marks),
		);
}

/** Whether an entry's group was not there before: what it brings along is not new. */
const hasJoined = ({ group }: Entry, marks: RecentMarks | undefined): boolean =>
	marks !== undefined && marks.groups !== null && group !== undefined && !marks.groups.includes(group);

const writtenEntry = (id: string, at: number | undefined): string =>
	`${fingerprint(id)}.${at === undefined ? '' : Math.floor(at)}`;

/** Marks that know these as well. Of too many the oldest are dropped; what is no newer counts as known. */
function learnt(marks: RecentMarks, done: Array<{ id: string; at?: number }>): RecentMarks {
	if (done.length === 0) return marks;
	const entries = marks.known === '' ? [] : marks.known.split(';');
	entries.push(...done.map(({ id, at }) => writtenEntry(id, at)));
	const excess = Math.max(entries.length - MOST_KNOWN, 0);
	const dates = entries.slice(0, excess).map((entry) => Number(entry.split('.')[1] ?? 0));
	return { ...marks, known: entries.slice(excess).join(';'), floor: Math.max(marks.floor, ...dates) };
}

const isMarks = (saved: unknown): saved is RecentMarks =>
	isRecord(saved) &&
	typeof saved.known === 'string' &&
	(saved.known === '' || saved.known.split(';').every((entry) => /^[\w-]{9}\.\d*$/.test(entry))) &&
	typeof saved.floor === 'number' &&
	(saved.groups === null || Array.isArray(saved.groups));
