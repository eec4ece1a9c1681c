import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { alwaysShown, required } from '../../runtime/fields/field';
import { flag, integer, requiredChoice } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import { aBoolean, anInteger, aTextOrNull, record } from '../../runtime/table/record';
import { toBoolean, toInteger } from '../../runtime/values';
import { asWatchKey, chosenFeedsIfAny, whichFeeds } from '../fields/feed-choice';
import { isBroken } from '../model/feeds';
import { chosenFeedSet, feedTitlesOf, subscriptionsOf, type FeedChoice } from '../model/subscriptions';
import { recentCounts, unreadCountsIn } from '../model/unread-counts';
import { exampleFlag, SwitchWatch, type Switch } from './switches';

/** An active feed in the response; it is watched if it is among the chosen ones. */
interface Feed {
	id: number;
	isWatched: boolean;
	record: Record<string, unknown>;
}

/** Reads the states of all active feeds. States up to 55 s old are used; otherwise this waits until the minute is over. */
async function readFeeds(chosen: FeedChoice, api: Api): Promise<Feed[]> {
	const feedIds = await chosenFeedSet(chosen, api);
	const counts = unreadCountsIn(await recentCounts(api, 55_000));
	return counts.flatMap((record): Feed[] => {
		const id = toInteger(record.id);
		if (id === undefined) return [];
		return [{ id, isWatched: !feedIds || feedIds.has(id), record }];
	});
}

type UnreadCounts = Record<'unread' | 'focus', number>;

function unreadCountsOf(counted: Feed[]): UnreadCounts {
	const sumOf = (count: 'ps' | 'nt'): number =>
		counted.reduce((sum, { record }) => sum + Math.max(toInteger(record[count]) ?? 0, 0), 0);
	const focus = sumOf('ps');
	return { unread: focus + sumOf('nt'), focus };
}

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
		'When the number of unread stories rises to a threshold. If your feeds have fewer, a test shows an example.',
	fields: {
		whichFeeds,
		choice: chosenFeedsIfAny,
		threshold: required(
			integer('Threshold', {
				min: 1,
				default: 50,
				description: 'How many unread stories start the workflow; hosts count at most 500 of a feed',
			}),
		),
		focus: alwaysShown(flag('Only Count Focus Stories', 'to count only stories that your classifiers like')),
	},
	watchKey: ({ choice: chosen, threshold, focus }) => [asWatchKey(chosen), threshold, focus === true],
	watch: ({ choice: chosen, threshold, focus: isFocus }) => {
		const countOf = ({ unread, focus }: UnreadCounts): number => (isFocus === true ? focus : unread);
		const stateOf = (counts: UnreadCounts) => ({
			...counts,
			name: '',
			isOn: countOf(counts) >= threshold,
			isWatched: true,
		});
		return new SwitchWatch({
			idPrefix: 'unread-count',
			read: async (api) => {
				const feeds = (await readFeeds(chosen, api)).filter(({ isWatched }) => isWatched);
				// Without any of the feeds, the number isn't low but unknown: otherwise it would seem to rise later.
				return feeds.length > 0 ? [stateOf(unreadCountsOf(feeds))] : [];
			},
			emits: (isOn) => isOn,
			item: (state) => ({ count: countOf(state), threshold, unread: state.unread, focus: state.focus }),
			example: ({ unread, focus }) =>
				stateOf({
					unread: Math.max(unread, threshold),
					focus: isFocus === true ? Math.max(focus, threshold) : focus,
				}),
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

type FeedState = Feed & Switch;

/** Nobody knows yet whether a new feed works. */
const isFetched = ({ record }: Feed): boolean => toBoolean(record.not_yet_fetched) !== true;

async function brokenItem({ id, isOn, record: feed }: FeedState, api: Api): Promise<IDataObject> {
	const titles = feedTitlesOf(await subscriptionsOf(api));
	const { exception_type: type, exception_code: code } = feed;
	return {
		feedTitle: titles.get(id) ?? null,
		feedId: id,
		broken: isOn,
		...(isOn && {
			exceptionType: typeof type === 'string' ? type : null,
			exceptionCode: toInteger(code) ?? null,
		}),
	};
}

export const feedBroken = event({
	name: 'Feed Broken',
	description: 'When a feed has failed for some time, or recovers. A test shows such a feed, or an example.',
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
			read: async (api) =>
				(await readFeeds(chosen, api)).filter(isFetched).map((feed): FeedState => {
					return { ...feed, name: String(feed.id), isOn: isBroken(feed.record) };
				}),
			emits: (isOn) => changes === 'both' || isOn === (changes === 'fails'),
			item: brokenItem,
			example: (state) => ({
				...state,
				isOn: changes === 'both' ? state.isOn : changes === 'fails',
				record: EXAMPLE_FAILURE,
			}),
		}),
	output: () => brokenFeed,
});
