import type { Api } from '../../runtime/table/operation';
import { prominent, required } from '../../runtime/fields/field';
import { flag, integer } from '../../runtime/fields/kinds';
import { event } from '../../runtime/poll/event';
import type { Collected, Item, Watch } from '../../runtime/poll/watch';
import { anInteger, record } from '../../runtime/table/record';
import { isRecord } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feedChoice';
import type { FeedChoice } from '../model/subscriptions';
import { feedsNow, type FeedsSnapshot } from './feedCounts';

interface ThresholdCursor {
	/** Since when, in epoch milliseconds: tells the crossings of one beginning from those of another. */
	since: number;
	isAbove: boolean;
	crossings: number;
	isSample?: boolean;
}

interface Crossing {
	number: number;
	since: number;
	record: { count: number; threshold: number; unread: number; focus: number };
}

const crossingRecord = record({
	count: anInteger,
	threshold: anInteger,
	unread: anInteger,
	focus: anInteger,
});

const isThresholdCursor = (saved: unknown): saved is ThresholdCursor =>
	isRecord(saved) &&
	typeof saved.since === 'number' &&
	typeof saved.isAbove === 'boolean' &&
	typeof saved.crossings === 'number';

interface ThresholdOptions {
	choice: FeedChoice;
	threshold: number;
	/** Only stories that the user's classifiers like are counted. */
	isFocus: boolean;
}

const itemOf = ({ number, since, record }: Crossing): Item => ({
	json: { ...record, eventId: `unread-count:${since}:${number}` },
});

/** Watches the number of unread stories rise to a threshold. */
class ThresholdWatch implements Watch<ThresholdCursor, FeedsSnapshot, Crossing> {
	constructor(private readonly options: ThresholdOptions) {}

	read(saved: unknown): ThresholdCursor | undefined {
		return isThresholdCursor(saved) ? saved : undefined;
	}

	async snapshot(cursor: ThresholdCursor | undefined, api: Api): Promise<FeedsSnapshot> {
		return await feedsNow(this.options.choice, cursor !== undefined, api);
	}

	baseline(snapshot: FeedsSnapshot, newest: number): ThresholdCursor {
		const isAbove = newest === 0 && (this.counted(snapshot)?.count ?? 0) >= this.options.threshold;
		return { since: snapshot.at, isAbove, crossings: 0 };
	}

	sample({ at }: FeedsSnapshot): ThresholdCursor {
		return { since: at, isAbove: false, crossings: 0, isSample: true };
	}

	detect(cursor: ThresholdCursor, snapshot: FeedsSnapshot): { events: Crossing[]; cursor: ThresholdCursor } {
		const counted = this.counted(snapshot);
		if (!counted) return { events: [], cursor };
		const record = cursor.isSample ? this.reached(counted) : counted;
		const isAbove = record.count >= this.options.threshold;
		if (!isAbove || cursor.isAbove) return { events: [], cursor: { ...cursor, isAbove } };
		return { events: [{ number: cursor.crossings + 1, since: cursor.since, record }], cursor };
	}

	async collect(events: Crossing[]): Promise<Collected<Crossing>> {
		return { processed: events, handedOver: events, items: events.map(itemOf) };
	}

	advance(cursor: ThresholdCursor, [crossing]: Crossing[]): ThresholdCursor {
		return crossing ? { ...cursor, isAbove: true, crossings: crossing.number } : cursor;
	}

	async restore(handedOver: Crossing[]): Promise<Item[]> {
		return handedOver.map(itemOf);
	}

	/** What a test run shows: the count as it will be then. */
	private reached({ focus, unread }: Crossing['record']): Crossing['record'] {
		const { threshold, isFocus } = this.options;
		const then = { unread: Math.max(unread, threshold), focus: isFocus ? Math.max(focus, threshold) : focus };
		return { count: isFocus ? then.focus : then.unread, threshold, ...then };
	}

	private counted({ feeds }: FeedsSnapshot): Crossing['record'] | undefined {
		if (!feeds) return undefined;
		const { threshold, isFocus } = this.options;
		const focus = feeds.reduce((sum, feed) => sum + feed.focus, 0);
		const unread = feeds.reduce((sum, feed) => sum + feed.focus + feed.neutral, 0);
		return { count: isFocus ? focus : unread, threshold, unread, focus };
	}
}

export const unreadCountReached = event({
	name: 'Unread Count Reached',
	description: 'When the number of unread stories rises to a threshold, once each time',
	fields: {
		whichFeeds,
		choice: chosenFeedsIfAny,
		threshold: required(
			integer('Threshold', { min: 1, default: 50, description: 'How many unread stories it takes' }),
		),
		focus: prominent(flag('Count Focus Only', 'to count only stories with something that you like')),
	},
	scope: ({ choice, threshold, focus }) => [choice ?? null, threshold, focus],
	watch: ({ choice, threshold, focus }) => new ThresholdWatch({ choice, threshold, isFocus: focus === true }),
	gives: () => crossingRecord,
});
