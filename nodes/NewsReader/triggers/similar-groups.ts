import { clock } from '../../runtime/clock';
import { toInteger } from '../../runtime/values';
import { hashesOfGroup } from '../model/stories';
import type { HashEvent, NewStory } from './saved-hashes';

/** New stories that are similar to each other. */
export interface StoryGroup {
	members: NewStory[];
	/** All known hashes of the group, also those of stories that are not new. */
	hashes: string[];
}

/** Groups similar stories. A story without similar ones is a group, and so is one that was marked as unread again. */
export function groupsOf(stories: NewStory[]): StoryGroup[] {
	const groups = new Set<StoryGroup>();
	const groupOf = new Map<string, StoryGroup>();
	for (const newStory of stories) {
		const hashes = newStory.event.returnCount > 0 ? [] : hashesOfGroup(newStory.story);
		const [first, ...others] = new Set(hashes.flatMap((hash) => groupOf.get(hash) ?? []));
		const group = first ?? { members: [], hashes: [] };
		group.members.push(...others.flatMap(({ members }) => members), newStory);
		group.hashes = [...new Set([...group.hashes, ...others.flatMap((other) => other.hashes), ...hashes])];
		for (const other of others) groups.delete(other);
		for (const hash of group.hashes) groupOf.set(hash, group);
		groups.add(group);
	}
	return [...groups];
}

/** The member with the highest score; the first one if several have it. */
export const bestOf = ({ members }: StoryGroup): NewStory | undefined =>
	members.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0];

const scoreOf = ({ story }: NewStory): number => toInteger(story.score) ?? 0;

/** By day since 1970, the hashes of the groups of similar stories that were emitted on that day. */
export type EmittedGroups = Record<number, string[]>;

const DAY_MS = 24 * 3_600_000;
/** Stories that join a group after it was emitted are skipped for this many days: the service keeps its groups that long. */
const GROUP_DAYS = 14;

export const today = (): number => Math.floor(clock.now() / DAY_MS);

/** The hashes of the groups that were emitted lately, each with the day on which that was. */
export function emittedDays(emittedGroups: EmittedGroups = {}): Map<string, number> {
	const since = today() - GROUP_DAYS;
	const recent = Object.entries(emittedGroups).filter(([day]) => Number(day) > since);
	return new Map(recent.flatMap(([day, hashes]) => hashes.map((hash) => [hash, Number(day)] as const)));
}

/** The emitted groups that a cursor remembers after these events. */
export function advanceGroups(
	previous: EmittedGroups = {},
	processed: HashEvent[],
): EmittedGroups | undefined {
	const added = processed.flatMap(({ group }) => group ?? []);
	const days = [...Object.keys(previous).map(Number), ...added.map(({ day }) => day)];
	const newest = days.reduce((latest, day) => Math.max(latest, day), 0);
	const recent = [...new Set(days)].filter((day) => day > newest - GROUP_DAYS);
	if (recent.length === 0) return undefined;
	const hashesOf = (day: number): string[] => [
		...(previous[day] ?? []),
		...added.filter((group) => group.day === day).flatMap(({ hashes }) => hashes),
	];
	return Object.fromEntries(recent.map((day) => [day, [...new Set(hashesOf(day))]]));
}
