import type { Clock } from '../../shared/clock.ts';
import { sha1 } from '../hash.ts';
import { htmlToPlain } from '../text.ts';
import type { Publication } from './publication.ts';
import { pacedStories, regularStories, storyAt, type Pace } from './timeline.ts';
import { sharedReportAt, sharedReports } from './shared-reports.ts';
import type {
	BuiltinFeedsOptions,
	BuiltinStory,
	PublishedStory,
	PublishedStoryStore,
} from './builtin-types.ts';

const DAY = 24 * 3_600_000;

/** Stores published stories in memory. */
function memoryStore(): PublishedStoryStore {
	return { load: () => [], save: () => undefined };
}

function toBuiltin(story: PublishedStory): BuiltinStory {
	const text = htmlToPlain(story.content);
	return {
		path: publishedPath(story.guid),
		guid: story.guid,
		title: story.title,
		authors: story.author ? [story.author] : [],
		publishedAt: story.publishedAt,
		tags: story.tags,
		content: story.content,
		excerpt: text.length > 200 ? `${text.slice(0, 200)}…` : text,
		picture: null,
	};
}

export function publishedPath(guid: string): string {
	return `p-${sha1(guid).slice(0, 12)}`;
}

/** The current stories of the built-in feeds, and the state that control requests change. */
export class Newsroom {
	readonly #clock: Clock;
	readonly #store: PublishedStoryStore;
	readonly #hasSharedReports: boolean;
	readonly #startedAt: number;
	readonly #published = new Map<string, Map<string, PublishedStory>>();
	readonly #changedAt = new Map<string, number>();
	readonly #paces = new Map<string, Pace[]>();
	readonly #broken = new Set<string>();

	constructor(clock: Clock, options: Pick<BuiltinFeedsOptions, 'store' | 'sharedReports'> = {}) {
		const { store = memoryStore(), sharedReports: hasSharedReports = false } = options;
		this.#clock = clock;
		this.#store = store;
		this.#hasSharedReports = hasSharedReports;
		this.#startedAt = clock.now();
		for (const story of store.load()) this.#keep(story);
	}

	/** Publishes a story; a known guid replaces its story. */
	publish(story: PublishedStory): void {
		this.#store.save(story);
		this.#keep(story);
		this.#changedAt.set(story.feed, this.#clock.now());
	}

	/** Publishes a story every `everySeconds` from now on; 0 stops it. */
	setPace(slug: string, everySeconds: number): void {
		const now = this.#clock.now();
		const paces = (this.#paces.get(slug) ?? []).map((pace) => ({ ...pace, until: pace.until ?? now }));
		this.#paces.set(slug, everySeconds > 0 ? [...paces, { everySeconds, from: now, until: null }] : paces);
	}

	setBroken(slug: string, broken: boolean): void {
		if (broken) this.#broken.add(slug);
		else this.#broken.delete(slug);
	}

	isBroken(slug: string): boolean {
		return this.#broken.has(slug);
	}

	/**
	 * The stories of a feed, newest first.
	 * @param everySeconds adds a story at this interval since the start of the sandbox
	 */
	stories(publication: Publication, everySeconds?: number): BuiltinStory[] {
		const now = this.#clock.now();
		const paces = [...(this.#paces.get(publication.slug) ?? [])];
		if (everySeconds) paces.push({ everySeconds, from: this.#startedAt, until: null });
		const stories = [
			...regularStories(publication, this.#edition(now)),
			...(this.#hasSharedReports ? sharedReports(publication, this.#edition(now)) : []),
			...paces.flatMap((pace) => pacedStories(publication, pace, now)),
			...[...this.#publishedIn(publication.slug).values()].map(toBuiltin),
		];
		const latest = new Map(stories.map((story) => [story.guid, story]));
		return [...latest.values()].sort((a, b) => b.publishedAt - a.publishedAt);
	}

	story(publication: Publication, path: string): BuiltinStory | undefined {
		const published = [...this.#publishedIn(publication.slug).values()].find(
			({ guid }) => publishedPath(guid) === path,
		);
		if (published) return toBuiltin(published);
		const now = this.#clock.now();
		return storyAt(publication, path, now) ?? sharedReportAt(publication, path, now);
	}

	/** The date for Last-Modified: of the newest story, or of the last control request that published one. */
	changedAt(slug: string, stories: BuiltinStory[]): number {
		return Math.max(this.#changedAt.get(slug) ?? 0, ...stories.map(({ publishedAt }) => publishedAt));
	}

	/** Regular stories appear once a day after the start, so that lists do not change during tests. */
	#edition(now: number): number {
		return this.#startedAt + Math.floor((now - this.#startedAt) / DAY) * DAY;
	}

	#publishedIn(slug: string): Map<string, PublishedStory> {
		return this.#published.get(slug) ?? new Map();
	}

	#keep(story: PublishedStory): void {
		this.#published.set(story.feed, this.#publishedIn(story.feed).set(story.guid, story));
	}
}
