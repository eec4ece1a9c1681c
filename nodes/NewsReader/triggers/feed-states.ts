import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { clock } from '../../runtime/clock';
import { classOf } from '../../runtime/errors/errors';
import { alwaysShown, required } from '../../runtime/fields/field';
import { flag, integer, requiredChoice } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import { aBoolean, anInteger, aTextOrNull, record } from '../../runtime/table/record';
import { isRecord, settled, toBoolean, toInteger } from '../../runtime/values';
import { asWatchKey, chosenFeedsIfAny, whichFeeds } from '../fields/feed-choice';
import { chosenFeedSet, feedTitlesOf, subscriptionsOf, type FeedChoice } from '../model/subscriptions';
import { recentCounts } from '../model/unread-counts';
import { exampleFlag, SwitchWatch, type Switch, type SwitchSnapshot } from './switches';

/** An active feed in the response, and whether it is among the chosen ones. */
interface Feed {
	id: number;
	isChosen: boolean;
	record: Record<string, unknown>;
}

/**
 * Reads the states of all active feeds. The service allows one such request a minute. If it refuses the request, a
 * first poll fails, and a later poll finds no events.
 */
async function readFeeds(
	chosen: FeedChoice,
	poll: 'first' | 'later',
	api: Api,
	switchesOf: (feeds: Feed[]) => Switch[],
): Promise<SwitchSnapshot> {
	const feedIds = await chosenFeedSet(chosen, api);
	const counts = await settled(recentCounts(api));
	const at = clock.now();
	if ('error' in counts) {
		if (poll === 'first' || classOf(counts.error) !== 'rateLimited') throw counts.error;
		return { at, switches: undefined, failure: counts.error };
	}
	const { json } = counts.value;
	const all = Object.entries(isRecord(json) && isRecord(json.feeds) ? json.feeds : {});
	// Without any feed the states aren't off but unknown: otherwise they would seem to switch on later.
	if (all.length === 0 && poll === 'later') return { at, switches: undefined };
	const feeds = all.flatMap(([key, record]): Feed[] => {
		const id = Number(key);
		return isRecord(record) ? [{ id, isChosen: !feedIds || feedIds.has(id), record }] : [];
	});
	return { at, switches: switchesOf(feeds) };
}

const sumOf = (numbers: unknown[]): number =>
	numbers.reduce<number>((sum, number) => sum + Math.max(toInteger(number) ?? 0, 0), 0);

const reachedCount = record({
	count: anInteger,
	threshold: anInteger,
	unread: anInteger,
	focus: anInteger,
	example: exampleFlag,
});

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
	watchKey: ({ choice: chosen, threshold, focus }) => [asWatchKey(chosen), threshold, focus === true],
	watch: ({ choice: chosen, threshold, focus: isFocus }) => {
		const reachedBy = (focus: number, unread: number): Switch => {
			const count = isFocus === true ? focus : unread;
			const item = { count, threshold, unread, focus };
			return { name: '', isOn: count >= threshold, isWatched: true, item };
		};
		return new SwitchWatch({
			idPrefix: 'unread-count',
			read: async (poll, api) =>
				await readFeeds(chosen, poll, api, (feeds) => {
					const chosenFeeds = feeds.filter(({ isChosen }) => isChosen);
					const focus = sumOf(chosenFeeds.map(({ record: { ps } }) => ps));
					return [reachedBy(focus, focus + sumOf(chosenFeeds.map(({ record: { nt } }) => nt)))];
				}),
			isEvent: (isOn) => isOn,
			example: ({ item: { focus, unread } }) => {
				const atLeast = (count: unknown): number => Math.max(Number(count), threshold);
				const reached = reachedBy(isFocus === true ? atLeast(focus) : Number(focus), atLeast(unread));
				return { ...reached, item: { ...reached.item, count: threshold, example: true } };
			},
		});
	},
	output: () => reachedCount,
});

const brokenFeed = record({
	feedTitle: aTextOrNull,
	feedId: anInteger,
	broken: aBoolean,
	exceptionType: aTextOrNull,
	exceptionCode: anInteger,
	example: exampleFlag,
});

/** The usual failure, which an example shows for a feed that works. */
const EXAMPLE_FAILURE = { exception_type: 'feed', exception_code: 404 };

const brokenItem = (feedId: number, broken: boolean, failure: Feed['record']): IDataObject => ({
	feedId,
	broken,
	...(broken && {
		exceptionType: typeof failure.exception_type === 'string' ? failure.exception_type : null,
		exceptionCode: toInteger(failure.exception_code) ?? null,
	}),
});

function stateOfFeed({ id, isChosen, record: feed }: Feed): Switch[] {
	// Nobody knows yet whether such a feed works.
	if (toBoolean(feed.not_yet_fetched) === true) return [];
	const isBroken = toBoolean(feed.has_exception) === true;
	return [{ name: String(id), isOn: isBroken, isWatched: isChosen, item: brokenItem(id, isBroken, feed) }];
}

async function withTitles(items: IDataObject[], api: Api): Promise<IDataObject[]> {
	const titles = feedTitlesOf(await subscriptionsOf(api));
	return items.map((item) => ({ feedTitle: titles.get(Number(item.feedId)) ?? null, ...item }));
}

export const feedBroken = event({
	name: 'Feed Broken',
	description: 'When a feed starts to fail, or recovers. A test shows an example if no feed fails.',
	fields: {
		whichFeeds,
		choice: chosenFeedsIfAny,
		changes: requiredChoice(
			'Trigger When',
			{ both: 'Fails or Recovers', fails: 'Starts to Fail', recovers: 'Recovers' },
			{
				paramName: 'feedState',
				default: 'fails',
				description: 'Whether to trigger when a feed breaks, when it works again, or both',
			},
		),
	},
	watchKey: ({ choice: chosen }) => asWatchKey(chosen),
	watch: ({ choice: chosen, changes }) =>
		new SwitchWatch({
			idPrefix: 'feed-broken',
			read: async (poll, api) => await readFeeds(chosen, poll, api, (feeds) => feeds.flatMap(stateOfFeed)),
			isEvent: (isOn) => changes === 'both' || isOn === (changes === 'fails'),
			example: (now) => {
				const isOn = changes === 'both' ? now.isOn : changes === 'fails';
				const item = brokenItem(Number(now.name), isOn, EXAMPLE_FAILURE);
				return { ...now, isOn, item: { ...item, example: true } };
			},
			complete: withTitles,
		}),
	output: () => brokenFeed,
});
