import type { Api } from '../../runtime/api-types';
import { alwaysShown, required } from '../../runtime/fields/field';
import { flag, integer } from '../../runtime/fields/kinds';
import { type Collected, event, type TriggerItem, type Watch } from '../../runtime/table/event';
import { anInteger, record } from '../../runtime/table/record';
import { isRecord } from '../../runtime/values';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feed-choice';
import type { FeedChoice } from '../model/subscriptions';
import { exampleFlag, feedsNow, type FeedsSnapshot } from './feed-counts';

interface ThresholdCursor {
	/** When the trigger started, in epoch milliseconds. Part of the event ids, so that each start has its own ids. */
	since: number;
	isAbove: boolean;
	crossings: number;
	/** Whether this is the cursor of a test run, which shows the threshold as reached. */
	isSample?: boolean;
}

interface Crossing {
	/** How often the threshold was reached, this time included. Part of the event id. */
	number: number;
	since: number;
	record: { count: number; threshold: number; unread: number; focus: number; example?: true };
}

const crossingRecord = record({
	count: anInteger,
	threshold: anInteger,
	unread: anInteger,
	focus: anInteger,
	example: exampleFlag,
});

const isThresholdCursor = (saved: unknown): saved is ThresholdCursor =>
	isRecord(saved) &&
	typeof saved.since === 'number' &&
	typeof saved.isAbove === 'boolean' &&
	typeof saved.crossings === 'number';

interface ThresholdOptions {
	choice: FeedChoice;
	threshold: number;
	/** Whether only focus stories are counted: those with something that the user likes. */
	isFocus: boolean;
}

const crossingItem = ({ number, since, record }: Crossing): TriggerItem => ({
	json: { ...record, eventId: `unread-count:${since}:${number}` },
});

/** Watches whether the number of unread stories reaches a threshold. */
class ThresholdWatch implements Watch<ThresholdCursor, FeedsSnapshot, Crossing> {
	constructor(private readonly options: ThresholdOptions) {}

	parseCursor(saved: unknown): ThresholdCursor | undefined {
		return isThresholdCursor(saved) ? saved : undefined;
	}

	async snapshot(cursor: ThresholdCursor | undefined, api: Api): Promise<FeedsSnapshot> {
		return await feedsNow(this.options.choice, cursor ? 'later' : 'first', api);
	}

	failure({ failure }: FeedsSnapshot): unknown {
		return failure;
	}

	baseline(snapshot: FeedsSnapshot, emitCount: number): ThresholdCursor {
		const isAbove = emitCount === 0 && (this.counted(snapshot)?.count ?? 0) >= this.options.threshold;
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
		return { processed: events, emitted: events, items: events.map(crossingItem) };
	}

	advance(cursor: ThresholdCursor, [crossing]: Crossing[]): ThresholdCursor {
		return crossing ? { ...cursor, isAbove: true, crossings: crossing.number } : cursor;
	}

	async restore(emitted: Crossing[]): Promise<TriggerItem[]> {
		return emitted.map(crossingItem);
	}

	/** What a test run shows: the current count if it has reached the threshold, otherwise an example. */
	private reached(counted: Crossing['record']): Crossing['record'] {
		const { focus, unread } = counted;
		const { threshold, isFocus } = this.options;
		if (counted.count >= threshold) return counted;
		const then = { unread: Math.max(unread, threshold), focus: isFocus ? Math.max(focus, threshold) : focus };
		return { count: threshold, threshold, ...then, example: true };
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
	description:
		'When the number of unread stories rises to a threshold. If the number is lower, a test shows an example.',
	fields: {
		whichFeeds,
		choice: chosenFeedsIfAny,
		threshold: required(
			integer('Threshold', {
				min: 1,
				default: 50,
				description: 'The number of unread stories that starts the workflow',
			}),
		),
		focus: alwaysShown(flag('Only Count Focus Stories', 'to count only stories that your classifiers like')),
	},
	watchKey: ({ choice, threshold, focus }) => [choice ?? null, threshold, focus],
	watch: ({ choice, threshold, focus }) => new ThresholdWatch({ choice, threshold, isFocus: focus === true }),
	output: () => crossingRecord,
});
