import type { ItemApi, Result } from '../../runtime/api-types';
import { field, required, type Field } from '../../runtime/fields/field';
import { asIds, integer } from '../../runtime/fields/kinds';
import { aBoolean, aText, anInteger } from '../../runtime/table/record';
import { operation } from '../../runtime/table/operation';
import { isRecord, chunksOf, toInteger, toText } from '../../runtime/values';
import { feedId, intoFolder } from '../fields/locators';
import { isoFromUtc, membersUnder, withoutEnvelope } from '../model/responses';
import { currentFolders, setFolders } from '../model/folder-tree';
import { onNewerServers } from '../model/subscriptions';
import { selected, selection, aFeedId } from '../model/records';
import { leaveCounted } from '../model/unread-counts';
import { singlePage } from '../lists';
import { feedMembers } from '../model/feeds';
import { aConfirmation } from '../outputs';

const muteOutput = selected(
	selection({
		feedId: ['feed_id', aFeedId],
		muted: ['muted', aBoolean.described('Whether the feed is muted')],
		mutedUntil: [
			({ mute_expires_at: end }) => isoFromUtc(end),
			aText.described('When the mute ends, with the next list of your feeds; null if it stays'),
		],
	}),
	withoutEnvelope,
);

const muting = (
	mute: boolean,
	description: string,
	duration: { mute_duration_days?: Field<number | undefined> } = {},
) =>
	onNewerServers(
		operation('POST /reader/set_feed_mute', {
			description,
			idempotent: true,
			body: { feed_id: feedId, ...duration },
			prepare: ({ body: sent }) => ({ body: { ...sent, mute } }),
			output: muteOutput,
			present: async ({ body: sent }, response, api) => {
				if (!mute) await leaveCounted(api, [sent.feed_id]);
				return [await api.resultIn(response)];
			},
		}),
	);

export const muteFeed = muting(
	true,
	'Stop receiving the stories of a feed without unsubscribing (newer servers)',
	{
		mute_duration_days: integer('Days', {
			paramName: 'muteDays',
			min: 1,
			default: 7,
			description: 'The next list of your feeds after these days unmutes it; if not set, it stays muted',
		}),
	},
);

export const unmuteFeed = muting(false, 'Receive the stories of a muted feed again (newer servers)');

const trendingFeed = selection({
	id: ['pk', aFeedId],
	address: feedMembers.address,
	title: feedMembers.title,
	website: feedMembers.website,
	numSubscribers: ['num_subscribers', anInteger.described('Number of subscribers')],
	activeSubscribers: ['active_subscribers', anInteger.described('Subscribers who used the service recently')],
	readSeconds: [
		'trending_read_seconds',
		anInteger.described('How long all users have read the feed, in seconds'),
	],
});

const MOST_TRENDING = 200;

export const trendingFeeds = onNewerServers(
	operation('GET /reader/trending_feeds', {
		action: 'Get trending feeds',
		description: 'List up to 200 feeds that users read the longest in the last days (newer servers)',
		query: {
			days: integer('Days', {
				paramName: 'trendingDays',
				min: 1,
				max: 30,
				default: 7,
				description: 'How many days to look back',
			}),
		},
		paging: singlePage('trending_feeds', 'feeds', MOST_TRENDING),
		output: selected(trendingFeed),
	}),
);

const FEEDS_PER_ADDITION = 100;

const isAdded = ({ code }: Record<string, unknown>): boolean => (toInteger(code) ?? 0) > 0;

const addedFeed = selection({
	feedId: ['feed_id', aFeedId],
	success: [isAdded, aConfirmation],
	created: [({ created }) => created === true, aBoolean.described('Whether the subscription is new')],
	message: [({ message }) => message || undefined, aText.described('Message of the service')],
});

const feedIdList = required(
	field(
		'Feeds to Add',
		{ type: 'string', default: '' },
		{
			paramName: 'feedsToAdd',
			example: '42, 77',
			description: 'IDs of feeds, as Search and Get Trending return them',
		},
		asIds,
	),
);

export const addManyFeeds = onNewerServers(
	operation('POST /reader/add_feeds', {
		action: 'Add many feeds',
		description: 'Subscribe to feeds by their IDs, a hundred in one request (newer servers)',
		idempotent: true,
		body: { feed_ids: feedIdList, folder: intoFolder },
		output: selected(addedFeed),
		run: async ({ body }, api) => {
			const tree = await currentFolders(api);
			const folder = tree.folder('Folder', body.folder);
			await setFolders(api);
			const target = { folder: folder.name || undefined, folder_path: tree.pathText(folder) };
			const results: Array<Result | Error> = [];
			for (const ids of chunksOf(body.feed_ids, FEEDS_PER_ADDITION)) {
				const failing = (error: Error): Error[] => ids.map(() => error);
				results.push(...(await addTogether(ids, target, api).catch(failing)));
				await leaveCounted(api, ids);
			}
			return results;
		},
	}),
);

/** If the service adds none of the feeds, each is an error. */
async function addTogether(ids: number[], target: object, api: ItemApi): Promise<Array<Result | Error>> {
	const response = await api.ask(api.row, { body: { ...target, feed_ids: ids }, partial: true });
	const isRefused = isRecord(response.json) && toInteger(response.json.code) === -1;
	if (api.isRaw && !isRefused) return await api.results([], response);
	const reported = (membersUnder('results', response) ?? []).filter(isRecord);
	const results = ids.map(async (id): Promise<Array<Result | Error>> => {
		const result = reported.find(({ feed_id }) => toInteger(feed_id) === id);
		if (!result) return [api.unmentioned(`feed ${id}`)];
		const message = toText(result.message ?? '');
		if (isRefused) {
			const reason = message || 'the service gave no reason';
			return [api.apiError(`Feed ${id} was not added: ${reason}`, 'This request added no feed.')];
		}
		const shown = await api.results([{ ...result, feed_id: id }], response);
		return isAdded(result) ? shown : shown.map((each) => ({ ...each, isUndone: true }));
	});
	return (await Promise.all(results)).flat();
}
