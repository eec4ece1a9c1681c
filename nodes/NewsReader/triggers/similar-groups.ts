import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../runtime/clock';
import { getOrCreate, toInteger } from '../../runtime/values';
import { hashesOfGroup } from '../model/similar-stories';
import { HashSet, type HashCursor, type HashEvent } from './hash-cursor';

const DAY_MS = 24 * 3_600_000;
/** Stories that join a group after it was emitted are skipped for this many days: the service keeps its groups that long. */
const GROUP_DAYS = 14;

/** A new story that passes the filters. */
export interface NewStory {
	event: HashEvent;
	story: IDataObject;
}

/** New stories that are similar to each other. */
export interface StoryGroup {
	members: NewStory[];
	/** All known hashes of the group, also those of stories that are not new. */
	hashes: string[];
}

/** Groups similar stories; a story without similar ones is a group of its own. */
export function groupsOf(stories: NewStory[]): StoryGroup[] {
	let groups: StoryGroup[] = [];
	for (const newStory of stories) {
		const hashes = hashesOfGroup(newStory.story);
		const overlapping = groups.filter((group) => group.hashes.some((hash) => hashes.includes(hash)));
		const merged: StoryGroup = {
			members: [...overlapping.flatMap(({ members }) => members), newStory],
			hashes: [...new Set([...overlapping.flatMap((group) => group.hashes), ...hashes])],
		};
		// The merged group takes the place of the first one that it contains.
		const place = overlapping[0] ? groups.indexOf(overlapping[0]) : groups.length;
		const others = groups.slice(place).filter((group) => !overlapping.includes(group));
		groups = [...groups.slice(0, place), merged, ...others];
	}
	return groups;
}

/** The member with the highest score; the first one if several have it. */
export function bestOf({ members }: StoryGroup): NewStory | undefined {
	const scoreOf = ({ story }: NewStory): number => toInteger(story.score) ?? 0;
	const highest = members.reduce((score, member) => Math.max(score, scoreOf(member)), -Infinity);
	return members.find((member) => scoreOf(member) === highest);
}

const today = (): number => Math.floor(clock.now() / DAY_MS);

/** The groups that were emitted lately: those of a cursor, and those of the current poll. */
export class EmittedGroups {
	private readonly byDay: Map<number, HashSet>;

	constructor(cursor: HashCursor) {
		this.byDay = unpacked(cursor.emittedGroups);
	}

	/** The day on which a group was emitted; today if it is emitted now. */
	dayOf({ hashes }: StoryGroup): { day: number; isEmitted: boolean } {
		const since = today() - GROUP_DAYS;
		const containsGroup = ([day, set]: [number, HashSet]): boolean =>
			day > since && hashes.some((hash) => set.has(hash));
		const [day] = [...this.byDay].find(containsGroup) ?? [];
		return day === undefined ? { day: today(), isEmitted: false } : { day, isEmitted: true };
	}

	/** Remembers a group of the current poll. */
	add(day: number, { hashes }: StoryGroup): void {
		addTo(this.byDay, day, hashes);
	}
}

/** The emitted groups that a cursor remembers after these events. */
export function advanceGroups(
	previous: HashCursor['emittedGroups'],
	processed: HashEvent[],
): HashCursor['emittedGroups'] {
	const groups = processed.flatMap(({ group }) => group ?? []);
	if (groups.length === 0) return previous;
	const byDay = unpacked(previous);
	for (const { day, hashes } of groups) addTo(byDay, day, hashes);
	const newest = [...byDay.keys()].reduce((latest, day) => Math.max(latest, day), 0);
	const kept = [...byDay].filter(([day]) => day > newest - GROUP_DAYS);
	return Object.fromEntries(kept.map(([day, set]) => [String(day), set.pack()]));
}

const unpacked = (packed: HashCursor['emittedGroups'] = {}): Map<number, HashSet> =>
	new Map(Object.entries(packed).map(([day, set]) => [Number(day), HashSet.of(set)]));

function addTo(byDay: Map<number, HashSet>, day: number, hashes: string[]): void {
	const set = getOrCreate(byDay, day, () => HashSet.of(''));
	for (const hash of hashes) set.add(hash);
}
