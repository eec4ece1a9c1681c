import { composeStory, numberOf } from './compose.ts';
import type { Publication } from './publication.ts';
import type { BuiltinStory } from './builtin-types.ts';

/** The date of story number 0 of every publication. */
const FOUNDED = Date.UTC(2020, 0, 6);
const HOUR = 3_600_000;
/** Maximum number of paced stories in a feed. */
const LISTED_TICKS = 50;

/** Stories published at an interval in seconds between two times; `until` is null while it continues. */
export interface Pace {
	everySeconds: number;
	from: number;
	until: number | null;
}

/** The regular time plus a delay of up to half the interval. */
function publishedAt({ slug, everyHours }: Publication, n: number): number {
	const interval = everyHours * HOUR;
	const delay = (numberOf(`${slug}/${n}/time`) / 2 ** 32) * (interval / 2);
	return FOUNDED + n * interval + Math.floor(delay / 60_000) * 60_000;
}

function regularStory(publication: Publication, n: number): BuiltinStory {
	return composeStory(publication, n, String(n), publishedAt(publication, n));
}

/** The newest regular stories at a time, newest first. They depend only on the time. */
export function regularStories(publication: Publication, now: number): BuiltinStory[] {
	const due = Math.floor((now - FOUNDED) / (publication.everyHours * HOUR));
	const newest = publishedAt(publication, due) > now ? due - 1 : due;
	return Array.from({ length: publication.count }, (_, i) => regularStory(publication, newest - i));
}

/** The newest stories published at a pace until now, newest first. */
export function pacedStories(publication: Publication, pace: Pace, now: number): BuiltinStory[] {
	const step = pace.everySeconds * 1000;
	const ticks = Math.floor((Math.min(now, pace.until ?? now) - pace.from) / step);
	return Array.from({ length: Math.max(0, Math.min(ticks, LISTED_TICKS)) }, (_, i) =>
		tickStory(publication, Math.round(pace.from + (ticks - i) * step)),
	);
}

function tickStory(publication: Publication, time: number): BuiltinStory {
	return composeStory(publication, Math.floor(time / 1000), `t${time}`, time);
}

/** The story with this page path ('1234-title', 't1788265800000-title'), even if the feed no longer lists it. */
export function storyAt(publication: Publication, path: string, now: number): BuiltinStory | undefined {
	const [, tick, digits] = /^(t)?(\d{1,15})(?:-|$)/.exec(path) ?? [];
	if (!digits) return undefined;
	const number = Number(digits);
	const story = tick ? tickStory(publication, number) : regularStory(publication, number);
	return story.publishedAt <= now ? story : undefined;
}
