import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import { isRecord, settled, toInteger } from '../../runtime/values';
import { membersOf } from './responses';
import { feedTitlesOf, subscriptionsOf } from './subscriptions';

type Titles = Map<number, string>;

/** The titles of the subscribed feeds; empty if they can't be read, because stories are useful without them. */
async function subscribedTitles(api: Api): Promise<Titles> {
	if (!api.hasTime()) return new Map();
	const subscriptions = await settled(subscriptionsOf(api));
	return 'error' in subscriptions ? new Map() : feedTitlesOf(subscriptions.value);
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
	const isComplete = stories.every((story) => titles.has(idOf(story)));
	const subscribed = !isComplete ? await subscribedTitles(api) : titles;
	return stories.map((story) => ({
		...story,
		feed_title: titles.get(idOf(story)) ?? subscribed.get(idOf(story)) ?? null,
	}));
}
