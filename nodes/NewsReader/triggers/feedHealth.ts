import type { Api } from '../../runtime/table/operation';
import { required } from '../../runtime/fields/field';
import { choice } from '../../runtime/fields/kinds';
import { event } from '../../runtime/poll/event';
import type { Collected, Item, Watch } from '../../runtime/poll/watch';
import { aBoolean, anInteger, aTextOrNull, record } from '../../runtime/table/record';
import { isRecord } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feedChoice';
import { feedTitlesOf, subscriptionsOf, type FeedChoice } from '../model/subscriptions';
import { feedsNow, type FeedNow, type FeedsSnapshot } from './feedCounts';

/** How often a feed changed between working and failing, and whether it fails. */
type Health = [flips: number, isBroken: boolean];

interface HealthCursor {
	/** Since when, in epoch milliseconds: tells the changes of one beginning from those of another. */
	since: number;
	/** Feeds that ever failed, by id; all others work. */
	feeds: Record<string, Health>;
	isSample?: boolean;
}

/** A feed that began to fail, or recovered. */
interface Flip {
	id: number;
	number: number;
	since: number;
	record: Record<string, string | number | boolean | null>;
	isBroken: boolean;
}

const flipRecord = record({
	feedId: anInteger,
	feedTitle: aTextOrNull,
	broken: aBoolean,
	exceptionType: aTextOrNull,
	exceptionCode: anInteger,
});

const isHealthCursor = (saved: unknown): saved is HealthCursor =>
	isRecord(saved) &&
	typeof saved.since === 'number' &&
	isRecord(saved.feeds) &&
	Object.values(saved.feeds).every((health) => Array.isArray(health) && typeof health[0] === 'number');

interface HealthOptions {
	choice: FeedChoice;
	/** Which changes are told. */
	wanted: 'both' | 'fails' | 'recovers';
}

const itemOf = ({ id, number, since, record }: Flip): Item => ({
	json: { ...record, eventId: `feed-broken:${since}:${id}:${number}` },
});

/** Watches feeds start to fail, and recover. */
class HealthWatch implements Watch<HealthCursor, FeedsSnapshot, Flip> {
	constructor(private readonly options: HealthOptions) {}

	read(saved: unknown): HealthCursor | undefined {
		return isHealthCursor(saved) ? saved : undefined;
	}

	async snapshot(cursor: HealthCursor | undefined, api: Api): Promise<FeedsSnapshot> {
		return await feedsNow(this.options.choice, cursor !== undefined, api);
	}

	baseline({ at, feeds = [] }: FeedsSnapshot, newest: number): HealthCursor {
		const broken = feeds.filter(({ isBroken }) => isBroken && newest === 0);
		return {
			since: at,
			feeds: Object.fromEntries(broken.map(({ id }): [string, Health] => [String(id), [0, true]])),
		};
	}

	/** A feed that is in the state that is waited for; if none is, any. */
	sample({ at, feeds = [] }: FeedsSnapshot): HealthCursor {
		const fitting = feeds.filter((feed) => this.isWanted(feed));
		const [shown] = [...fitting.filter(({ isBroken }) => isBroken), ...fitting, ...feeds];
		const before: Record<string, Health> = shown ? { [shown.id]: [0, !this.wantedState(shown)] } : {};
		return { since: at, feeds: before, isSample: true };
	}

	detect(cursor: HealthCursor, snapshot: FeedsSnapshot): { events: Flip[]; cursor: HealthCursor } {
		const feeds = { ...cursor.feeds };
		const events: Flip[] = [];
		for (const feed of this.seenBy(cursor, snapshot)) {
			const [flips, wasBroken] = cursor.feeds[feed.id] ?? [0, false];
			if (feed.isBroken === wasBroken) continue;
			if (this.isWanted(feed)) events.push(flipOf(feed, flips + 1, cursor.since));
			else feeds[feed.id] = [flips + 1, feed.isBroken];
		}
		return { events, cursor: { ...cursor, feeds } };
	}

	async collect(events: Flip[], maximum: number, api: Api): Promise<Collected<Flip>> {
		const titles = feedTitlesOf(await subscriptionsOf(api));
		const titled = events
			.slice(0, maximum)
			.map((flip) => ({ ...flip, record: { ...flip.record, feedTitle: titles.get(flip.id) ?? null } }));
		return { processed: titled, handedOver: titled, items: titled.map(itemOf) };
	}

	advance(cursor: HealthCursor, processed: Flip[]): HealthCursor {
		const flipped = processed.map(({ id, number, isBroken }): [string, Health] => [
			String(id),
			[number, isBroken],
		]);
		return { ...cursor, feeds: { ...cursor.feeds, ...Object.fromEntries(flipped) } };
	}

	async restore(handedOver: Flip[]): Promise<Item[]> {
		return handedOver.map(itemOf);
	}

	/** A test run sees one feed, as if what is waited for had just happened to it. */
	private seenBy(cursor: HealthCursor, { feeds = [] }: FeedsSnapshot): FeedNow[] {
		if (!cursor.isSample) return feeds;
		const shown = feeds.filter(({ id }) => cursor.feeds[id]);
		return shown.map((feed) => ({ ...feed, isBroken: this.wantedState(feed) }));
	}

	private wantedState({ isBroken }: FeedNow): boolean {
		const { wanted } = this.options;
		return wanted === 'both' ? isBroken : wanted === 'fails';
	}

	private isWanted(feed: FeedNow): boolean {
		return this.wantedState(feed) === feed.isBroken;
	}
}

function flipOf(
	{ id, isBroken, exceptionType, exceptionCode }: FeedNow,
	number: number,
	since: number,
): Flip {
	const record = { feedId: id, broken: isBroken, ...(isBroken && { exceptionType, exceptionCode }) };
	return { id, number, since, record, isBroken };
}

export const feedBroken = event({
	name: 'Feed Broken',
	description: 'When a feed starts to fail, or recovers',
	fields: {
		whichFeeds,
		choice: chosenFeedsIfAny,
		wanted: required(
			choice(
				'When a Feed',
				{ both: 'Fails or Recovers', fails: 'Starts to Fail', recovers: 'Recovers' },
				{
					parameter: 'feedState',
					default: 'fails',
					description: 'Whether to tell of feeds that break, of those that work again, or of both',
				},
			),
		),
	},
	scope: ({ choice: chosen }) => chosen ?? null,
	watch: ({ choice: chosen, wanted }) => new HealthWatch({ choice: chosen, wanted }),
	gives: () => flipRecord,
});
