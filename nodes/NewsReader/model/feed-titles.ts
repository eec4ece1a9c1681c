import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import { isRecord, settled, toInteger } from '../../runtime/values';
import { clock } from '../../runtime/clock';
import { membersOf } from './responses';
import { feedTitlesOf, subscriptionsOf } from './subscriptions';

/** Subscriptions rarely change: titles are reused for this long. */
const KEPT_MS = 60_000;

type Titles = Map<number, string>;

/** The last known subscriptions of each account in this process; `until` is on the monotonic clock. */
const lastTitles = new Map<string, { titles: Titles; until: number }>();

/** The titles of the subscribed feeds; empty if they can't be read, because stories are useful without them. */
async function subscribedTitles(feedIds: number[], api: Api): Promise<Titles> {
	const account = await api.account();
	const last = lastTitles.get(account);
	if (last && clock.uptime() < last.until && feedIds.every((id) => last.titles.has(id))) return last.titles;
	if (!api.hasTime()) return last?.titles ?? new Map();
	const response = await api.once('feed titles', async () => await settled(subscriptionsOf(api)));
	if ('error' in response) return last?.titles ?? new Map();
	const titles = feedTitlesOf(response.value);
	lastTitles.set(account, { titles, until: clock.uptime() + KEPT_MS });
	return titles;
}

/** The titles of the feeds in a response, by feed id. The response has a list of feeds, or is about one feed. */
function titlesIn({ json }: ApiResponse): Titles {
	const feeds = isRecord(json) ? [...(membersOf(json.feeds) ?? []), json] : [];
	return new Map(
		feeds.filter(isRecord).flatMap(({ id, feed_id: feedId, feed_title: title }): Array<[number, string]> => {
			const number = toInteger(id ?? feedId);
			return number === undefined || typeof title !== 'string' ? [] : [[number, title]];
		}),
	);
}

/**
 * Stories with the `feed_title` of their feeds: from the response or the subscriptions; null for feeds that
 * neither knows.
 */
export async function withFeedTitles(
	stories: IDataObject[],
	response: ApiResponse,
	api: Api,
): Promise<IDataObject[]> {
	const titles = titlesIn(response);
	const idOf = (story: IDataObject): number => toInteger(story.story_feed_id) ?? NaN;
	const others = stories.map(idOf).filter((id) => !titles.has(id));
	const subscribed = others.length > 0 ? await subscribedTitles(others, api) : titles;
	return stories.map((story) => ({
		...story,
		feed_title: titles.get(idOf(story)) ?? subscribed.get(idOf(story)) ?? null,
	}));
}
