import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../runtime/clock';
import { toInteger } from '../../runtime/values';

export interface StoryGroup<Story> {
	stories: Story[];
	/** All hashes that the service lists for the group, also of stories that are not new; none if stories are not grouped. */
	hashes: string[];
}

/** Groups stories by the hashes that the service lists with each. */
export class StoryGroups<Story extends { story: IDataObject }> {
	readonly all: Array<StoryGroup<Story>> = [];
	private readonly groupOf = new Map<string, StoryGroup<Story>>();

	/** Adds a story. Each story of a group lists the others. */
	add(story: Story, hashes: string[]): void {
		const existing = hashes.map((hash) => this.groupOf.get(hash)).find((group) => group !== undefined);
		const group = existing ?? { stories: [], hashes: [] };
		if (!existing) this.all.push(group);
		group.stories.push(story);
		group.hashes = [...new Set([...group.hashes, ...hashes])];
		for (const hash of hashes) this.groupOf.set(hash, group);
	}

	has(hash: string): boolean {
		return this.groupOf.has(hash);
	}
}

/** The story of a group with the highest score; the first one if several have it. */
export const bestOf = <Story extends { story: IDataObject }>({ stories }: StoryGroup<Story>): Story =>
	stories.toSorted((a, b) => scoreOf(b.story) - scoreOf(a.story))[0]!;

const scoreOf = ({ score }: IDataObject): number => toInteger(score) ?? 0;

/** The hashes of the groups of similar stories that were emitted lately, each with the day (since 1970) on which that was. */
export type EmittedGroups = Record<string, number>;

const DAY_MS = 24 * 3_600_000;
/** Stories that join a group are skipped for at least this many days after its emission: the service keeps its groups that long. */
const GROUP_DAYS = 14;

export const today = (): number => Math.floor(clock.now() / DAY_MS);

/** The days by hash, without those that are too long ago. */
export function recentDays(emittedGroups: EmittedGroups): Map<string, number> {
	const since = today() - GROUP_DAYS;
	return new Map(Object.entries(emittedGroups).filter(([, day]) => day >= since));
}
