import { prominent, required } from '../../runtime/fields/field';
import { choice, flag, integer } from '../../runtime/fields/kinds';
import { event } from '../../runtime/poll/event';
import { isRateLimit, outcomeOf } from '../../runtime/poll/failures';
import type { Item, Source, Watch } from '../../runtime/poll/watch';
import { clock } from '../../runtime/transport/rateLimit';
import { isRecord, toBoolean, toInteger } from '../../runtime/values';
import { rowOf } from '../../runtime/poll/rows';
import { chosenFeedsIfAny, whichFeeds } from '../fields/feedChoice';
import type { FeedChoice } from '../model/subscriptions';
import { feed as feedResource } from '../resources/feed';
import { feedsOf, subscriptionsOf } from './scope';

interface FeedNow {
	id: number;
	focus: number;
	neutral: number;
	isBroken: boolean;
	exceptionType: string | null;
	exceptionCode: number | null;
}

/** The feeds as they are now; none if the service may not be asked again yet. */
interface LevelSurvey {
	at: number;
	feeds: FeedNow[] | undefined;
}

/** The counts of all active feeds, of which the service wants to be asked once a minute at most. */
async function look(choice: FeedChoice, hasMarks: boolean, source: Source): Promise<LevelSurvey> {
	const wanted = await feedsOf(choice, source);
	const outcome = await outcomeOf(source.ask(rowOf(feedResource, 'refreshCounts')));
	if ('error' in outcome) {
		if (hasMarks && isRateLimit(outcome.error)) return { at: clock.now(), feeds: undefined };
		throw outcome.error;
	}
	const { json } = outcome.value;
	const feeds = isRecord(json) && isRecord(json.feeds) ? json.feeds : {};
	const all = Object.entries(feeds).filter(([id]) => !wanted || wanted.has(Number(id)));
	return {
		at: clock.now(),
		feeds: all.flatMap(([id, feed]) => (isRecord(feed) ? [feedNow(id, feed)] : [])),
	};
}

const feedNow = (id: string, feed: Record<string, unknown>): FeedNow => ({
	id: Number(id),
	focus: toInteger(feed.ps) ?? 0,
	neutral: toInteger(feed.nt) ?? 0,
	isBroken: toBoolean(feed.has_exception) ?? false,
	exceptionType: typeof feed.exception_type === 'string' ? feed.exception_type : null,
	exceptionCode: toInteger(feed.exception_code) ?? null,
});

interface CountMarks {
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

const isCountMarks = (saved: unknown): saved is CountMarks =>
	isRecord(saved) &&
	typeof saved.since === 'number' &&
	typeof saved.isAbove === 'boolean' &&
	typeof saved.crossings === 'number';

/** Watches a number cross a threshold. */
function threshold(
	choice: FeedChoice,
	limit: number,
	isFocus: boolean,
): Watch<CountMarks, LevelSurvey, Crossing> {
	const countOf = (survey: LevelSurvey): Crossing['record'] | undefined => {
		if (!survey.feeds) return undefined;
		const focus = survey.feeds.reduce((sum, feed) => sum + feed.focus, 0);
		const unread = survey.feeds.reduce((sum, feed) => sum + feed.focus + feed.neutral, 0);
		return { count: isFocus ? focus : unread, threshold: limit, unread, focus };
	};
	const itemOf = ({ number, since, record }: Crossing): Item => ({
		json: { ...record, eventId: `unread-count:${since}:${number}` },
	});
	return {
		read: (saved) => (isCountMarks(saved) ? saved : undefined),
		survey: async (marks, source) => await look(choice, marks !== undefined, source),
		baseline: (survey, spare) => ({
			since: survey.at,
			isAbove: spare === 0 && (countOf(survey)?.count ?? 0) >= limit,
			crossings: 0,
		}),
		sample: (survey) => ({ since: survey.at, isAbove: false, crossings: 0, isSample: true }),
		detect: (marks, survey) => {
			const record = countOf(survey);
			if (!record) return { events: [], marks };
			const isAbove = record.count >= limit;
			const isCrossing = (isAbove && !marks.isAbove) || marks.isSample === true;
			if (!isCrossing) return { events: [], marks: { ...marks, isAbove } };
			return { events: [{ number: marks.crossings + 1, since: marks.since, record }], marks };
		},
		take: async (events) => ({ done: events, handed: events, items: events.map(itemOf) }),
		advance: (marks, [crossing]) =>
			crossing ? { ...marks, isAbove: true, crossings: crossing.number } : marks,
		repeat: async (handed) => handed.map(itemOf),
	};
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
		focus: prominent(flag('Count Focus Only', 'to count only stories that your classifiers like')),
	},
	scope: ({ choice: chosen, threshold: limit, focus }) => [chosen ?? null, limit, focus],
	watch: ({ choice: chosen, threshold: limit, focus }) => threshold(chosen, limit, focus === true),
});

/** How often a feed changed between working and failing, and whether it fails. */
type Health = [flips: number, isBroken: boolean];

interface HealthMarks {
	since: number;
	/** Feeds that ever failed, by id; all others work. */
	feeds: Record<string, Health>;
	isSample?: boolean;
}

interface Flip {
	id: number;
	number: number;
	since: number;
	record: Record<string, string | number | boolean | null>;
	isBroken: boolean;
}

const isHealthMarks = (saved: unknown): saved is HealthMarks =>
	isRecord(saved) &&
	typeof saved.since === 'number' &&
	isRecord(saved.feeds) &&
	Object.values(saved.feeds).every((health) => Array.isArray(health) && typeof health[0] === 'number');

type Wanted = 'both' | 'fails' | 'recovers';

/** Watches feeds start to fail, and recover. */
function health(choice: FeedChoice, wanted: Wanted): Watch<HealthMarks, LevelSurvey, Flip> {
	const itemOf = ({ id, number, since, record }: Flip): Item => ({
		json: { ...record, eventId: `feed-broken:${since}:${id}:${number}` },
	});
	const isWanted = (isBroken: boolean): boolean =>
		wanted === 'both' || (wanted === 'fails' ? isBroken : !isBroken);
	return {
		read: (saved) => (isHealthMarks(saved) ? saved : undefined),
		survey: async (marks, source) => await look(choice, marks !== undefined, source),
		baseline: (survey, spare) => {
			const broken = (survey.feeds ?? []).filter(({ isBroken }) => isBroken && spare === 0);
			return {
				since: survey.at,
				feeds: Object.fromEntries(broken.map(({ id }): [string, Health] => [String(id), [0, true]])),
			};
		},
		sample: (survey) => {
			const shown = [...(survey.feeds ?? [])]
				.sort((a, b) => Number(b.isBroken) - Number(a.isBroken))
				.slice(0, 1);
			const other = shown.map(({ id, isBroken }): [string, Health] => [String(id), [0, !isBroken]]);
			return { since: survey.at, feeds: Object.fromEntries(other), isSample: true };
		},
		detect: (marks, survey) => {
			const feeds = { ...marks.feeds };
			const events: Flip[] = [];
			for (const feed of survey.feeds ?? []) {
				const [flips, wasBroken] = marks.feeds[feed.id] ?? [0, false];
				if (feed.isBroken === wasBroken) continue;
				if (!isWanted(feed.isBroken) && !marks.isSample) feeds[feed.id] = [flips + 1, feed.isBroken];
				else {
					const { id, isBroken, exceptionType, exceptionCode } = feed;
					const record = { feedId: id, broken: isBroken, ...(isBroken && { exceptionType, exceptionCode }) };
					events.push({ id, number: flips + 1, since: marks.since, record, isBroken });
				}
			}
			return { events, marks: { ...marks, feeds } };
		},
		take: async (events, maximum, source) => {
			const { titles } = await subscriptionsOf(source);
			const done = events
				.slice(0, maximum)
				.map((flip) => ({ ...flip, record: { ...flip.record, feedTitle: titles.get(flip.id) ?? null } }));
			return { done, handed: done, items: done.map(itemOf) };
		},
		advance: (marks, done) => {
			const flipped = done.map(({ id, number, isBroken }): [string, Health] => [
				String(id),
				[number, isBroken],
			]);
			return { ...marks, feeds: { ...marks.feeds, ...Object.fromEntries(flipped) } };
		},
		repeat: async (handed) => handed.map(itemOf),
	};
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
				{ parameter: 'feedState', default: 'fails' },
			),
		),
	},
	scope: ({ choice: chosen }) => chosen ?? null,
	watch: ({ choice: chosen, wanted }) => health(chosen, wanted),
});
