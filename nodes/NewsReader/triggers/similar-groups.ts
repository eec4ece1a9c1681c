import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { getOrCreate, toInteger } from '../../runtime/values';
import { hashesOfGroup } from '../model/similar-stories';
import { pack, unpack, type Packed } from './packed-hashes';
import type { HashEvent } from './story-items';

const DAY_MS = 24 * 3_600_000;
/** Stories that join a group after it was emitted are skipped for this many days: the service keeps its groups that long. */
const GROUP_DAYS = 14;

/** By day since 1970 and feed, the hashes of the groups of similar stories that were emitted on that day. */
export type EmittedGroups = Record<string, Packed>;

/** A new story that passes the filters, and the response that contained it. */
export interface NewStory {
	event: HashEvent;
	story: IDataObject;
	response: ApiResponse;
}

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

export const today = (): number => Math.floor(clock.now() / DAY_MS);

/** The hashes of the groups that were emitted lately, each with the day on which that was. */
export function emittedDays(emittedGroups: EmittedGroups | undefined): Map<string, number> {
	const since = today() - GROUP_DAYS;
	const recent = hashesIn(emittedGroups).filter(([, day]) => day > since);
	return new Map(recent);
}

/** The emitted groups that a cursor remembers after these events. */
export function advanceGroups(
	previous: EmittedGroups | undefined,
	processed: HashEvent[],
): EmittedGroups | undefined {
	const added = processed.flatMap(({ group }) => group ?? []);
	if (added.length === 0) return previous;
	const all = hashesIn(previous);
	for (const { day, hashes } of added) for (const hash of hashes) all.push([hash, day]);
	const newest = all.reduce((latest, [, day]) => Math.max(latest, day), 0);
	const byDayAndFeed = new Map<string, Set<string>>();
	for (const [hash, day] of all) {
		if (day <= newest - GROUP_DAYS) continue;
		const [feed, own] = splitAtColon(hash);
		getOrCreate(byDayAndFeed, `${day}:${feed}`, () => new Set<string>()).add(own);
	}
	return Object.fromEntries([...byDayAndFeed].map(([key, hashes]) => [key, pack(hashes)]));
}

const hashesIn = (emittedGroups: EmittedGroups | undefined): Array<[hash: string, day: number]> =>
	Object.entries(emittedGroups ?? {}).flatMap(([key, packed]) => {
		const [day, feed] = splitAtColon(key);
		return [...unpack(packed)].map((own): [string, number] => [`${feed}:${own}`, Number(day)]);
	});

/** The text before the first colon, and the text after it. */
const splitAtColon = (text: string): [string, string] => {
	const colon = text.indexOf(':');
	return [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
};
