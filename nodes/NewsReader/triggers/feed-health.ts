import type { Api } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { choice } from '../../runtime/fields/kinds';
import { type Collected, event, type TriggerItem, type Watch } from '../../runtime/table/event';
import { aBoolean, anInteger, aTextOrNull, record } from '../../runtime/table/record';
import { isRecord } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feed-choice';
import { feedTitlesOf, subscriptionsOf, type FeedChoice } from '../model/subscriptions';
import { exampleFlag, feedsNow, type FeedNow, type FeedsSnapshot } from './feed-counts';

/** How often a feed changed between working and failing, and whether it fails. */
type Health = [flips: number, isBroken: boolean];

interface HealthCursor {
	/** When the trigger started, in epoch milliseconds. Part of the event ids, so that each start has its own ids. */
	since: number;
	/** The feeds that have ever failed, by id. All others work. */
	feeds: Record<string, Health>;
	/** Whether this is the cursor of a test run, which shows one of `feeds` as if the event had just happened. */
	isSample?: boolean;
}

/** A feed that began to fail, or recovered. */
interface Flip {
	id: number;
	/** How often the feed changed between working and failing, this time included. Part of the event id. */
	number: number;
	since: number;
	record: Record<string, string | number | boolean | null>;
	isBroken: boolean;
}

/** The usual failure, which an example shows for a feed that works. */
const EXAMPLE_FAILURE = { exceptionType: 'feed', exceptionCode: 404 };

const flipRecord = record({
	feedTitle: aTextOrNull,
	feedId: anInteger,
	broken: aBoolean,
	exceptionType: aTextOrNull,
	exceptionCode: anInteger,
	example: exampleFlag,
});

const isHealthCursor = (saved: unknown): saved is HealthCursor =>
	isRecord(saved) &&
	typeof saved.since === 'number' &&
	isRecord(saved.feeds) &&
	Object.values(saved.feeds).every((health) => Array.isArray(health) && typeof health[0] === 'number');

interface HealthOptions {
	choice: FeedChoice;
	/** The changes that are events. */
	changes: 'both' | 'fails' | 'recovers';
}

const flipItem = ({ id, number, since, record }: Flip): TriggerItem => ({
	json: { ...record, eventId: `feed-broken:${since}:${id}:${number}` },
});

/** Watches feeds for failures and recoveries. */
class HealthWatch implements Watch<HealthCursor, FeedsSnapshot, Flip> {
	constructor(private readonly options: HealthOptions) {}

	parseCursor(saved: unknown): HealthCursor | undefined {
		return isHealthCursor(saved) ? saved : undefined;
	}

	async snapshot(cursor: HealthCursor | undefined, api: Api): Promise<FeedsSnapshot> {
		return await feedsNow(this.options.choice, cursor ? 'later' : 'first', api);
	}

	failure({ failure }: FeedsSnapshot): unknown {
		return failure;
	}

	baseline({ at, feeds = [] }: FeedsSnapshot, emitCount: number): HealthCursor {
		const broken = feeds.filter(({ isBroken }) => isBroken && emitCount === 0);
		return {
			since: at,
			feeds: Object.fromEntries(broken.map(({ id }): [string, Health] => [String(id), [0, true]])),
		};
	}

	/** A feed in the state that is an event; if there is none, any feed. */
	sample({ at, feeds = [] }: FeedsSnapshot): HealthCursor {
		const inState = feeds.filter((feed) => this.isEvent(feed));
		const [shown] = [...inState.filter(({ isBroken }) => isBroken), ...inState, ...feeds];
		const before: Record<string, Health> = shown ? { [shown.id]: [0, !this.eventState(shown)] } : {};
		return { since: at, feeds: before, isSample: true };
	}

	detect(cursor: HealthCursor, snapshot: FeedsSnapshot): { events: Flip[]; cursor: HealthCursor } {
		const feeds = { ...cursor.feeds };
		const events: Flip[] = [];
		for (const feed of this.seenBy(cursor, snapshot)) {
			const [flips, wasBroken] = cursor.feeds[feed.id] ?? [0, false];
			if (feed.isBroken === wasBroken) continue;
			if (this.isEvent(feed)) events.push(flipOf(feed, flips + 1, cursor.since));
			else feeds[feed.id] = [flips + 1, feed.isBroken];
		}
		return { events, cursor: { ...cursor, feeds } };
	}

	async collect(events: Flip[], maximum: number, api: Api): Promise<Collected<Flip>> {
		const titles = feedTitlesOf(await subscriptionsOf(api));
		const withTitles = events
			.slice(0, maximum)
			.map((flip) => ({ ...flip, record: { feedTitle: titles.get(flip.id) ?? null, ...flip.record } }));
		return { processed: withTitles, emitted: withTitles, items: withTitles.map(flipItem) };
	}

	advance(cursor: HealthCursor, processed: Flip[]): HealthCursor {
		const flipped = processed.map(({ id, number, isBroken }): [string, Health] => [
			String(id),
			[number, isBroken],
		]);
		return { ...cursor, feeds: { ...cursor.feeds, ...Object.fromEntries(flipped) } };
	}

	async restore(emitted: Flip[]): Promise<TriggerItem[]> {
		return emitted.map(flipItem);
	}

	/** All feeds; in a test run only one, as if the event had just happened to it: an example, unless that feed fails. */
	private seenBy(cursor: HealthCursor, { feeds = [] }: FeedsSnapshot): FeedNow[] {
		if (!cursor.isSample) return feeds;
		const shown = feeds.filter(({ id }) => cursor.feeds[id]);
		return shown.map((feed) => {
			const isBroken = this.eventState(feed);
			if (isBroken && feed.isBroken) return feed;
			return { ...feed, ...EXAMPLE_FAILURE, isBroken, isExample: true };
		});
	}

	private eventState({ isBroken }: FeedNow): boolean {
		const { changes } = this.options;
		return changes === 'both' ? isBroken : changes === 'fails';
	}

	private isEvent(feed: FeedNow): boolean {
		return this.eventState(feed) === feed.isBroken;
	}
}

function flipOf(
	{ id, isBroken, exceptionType, exceptionCode, isExample }: FeedNow & { isExample?: true },
	number: number,
	since: number,
): Flip {
	const record = {
		...{ feedId: id, broken: isBroken },
		...(isBroken && { exceptionType, exceptionCode }),
		...(isExample && { example: true }),
	};
	return { id, number, since, record, isBroken };
}

export const feedBroken = event({
	name: 'Feed Broken',
	description: 'When a feed starts to fail, or recovers. A test shows an example if no feed fails.',
	fields: {
		whichFeeds,
		choice: chosenFeedsIfAny,
		changes: required(
			choice(
				'Trigger When',
				{ both: 'Fails or Recovers', fails: 'Starts to Fail', recovers: 'Recovers' },
				{
					paramName: 'feedState',
					default: 'fails',
					description: 'Whether to trigger when a feed breaks, when it works again, or both',
				},
			),
		),
	},
	watchKey: ({ choice: chosen }) => chosen ?? null,
	watch: ({ choice: chosen, changes }) => new HealthWatch({ choice: chosen, changes }),
	output: () => flipRecord,
});
