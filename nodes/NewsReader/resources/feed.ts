import { advanced } from '../../runtime/fields/field';
import { choice, flag, ids, integer, text, requiredText } from '../../runtime/fields/kinds';
import { locator } from '../../runtime/fields/locator';
import { operation, resource, type Route, listedRecord } from '../../runtime/table/operation';
import { aBoolean, aText, exact, record } from '../../runtime/table/record';
import { asRecord, isRecord, toText } from '../../runtime/values';
import { sideOfDate } from '../fields/story-filters';
import { chosenFeeds, feedsToMark } from '../fields/feed-choice';
import { acceptsPage, bringsSecrets, otherHosts, pageContent, pageFormat } from '../fields/formats';
import { feedId, feedModes, inFolder, intoFolder, toFolder } from '../fields/locators';
import { singlePage } from '../lists';
import { withoutEnvelope } from '../model/responses';
import {
	faviconRecord,
	faviconResults,
	feedListing,
	feedOutput,
	feedSuggestion,
	feedTrainer,
	statisticsOutput,
	subscribedFeeds,
	subscriptionOutput,
} from '../model/feeds';
import { aFeedId, inOurNames } from '../model/records';
import { currentFolders, folderChange } from '../model/folder-tree';
import type { Folder } from '../model/folders';
import { feedsOfChoice, feedTitlesOf } from '../model/subscriptions';
import {
	countBeforeMark,
	leaveCounted,
	countsOutput,
	recentCounts,
	unreadCountsIn,
} from '../model/unread-counts';
import { orSuccess, success } from '../outputs';
import { addManyFeeds, muteFeed, trendingFeeds, unmuteFeed } from './feed-newer';

const feedPage = record({
	feedId: aFeedId,
	content: aText.described('The web page, in the chosen format'),
});

const faviconFormat = choice(
	'Favicon Format',
	{ file: 'Binary File', uri: 'Data URI' },
	{
		alwaysShown: true,
		default: 'uri',
		description: 'A data URI for a web page, or a file in the binary field data',
	},
);

/** The API offers the same icons at two paths. */
const favicons = (route: Route, action: string, description: string) =>
	operation(route, {
		action,
		description,
		query: {
			feed_ids: ids('Feeds', 'feed', { description: 'The feeds whose icons to get; by default, all' }),
		},
		params: { faviconFormat },
		output: listedRecord(faviconRecord),
		present: async ({ params }, response, api) =>
			api.isRaw
				? await api.results([], response)
				: await faviconResults(response, api, params.faviconFormat === 'file'),
	});

export const feed = resource(
	'Feed',
	{ description: 'The feeds you subscribe to, and others that the service knows', listing: feedListing },
	{
		add: operation('POST /reader/add_url', {
			description: 'Subscribe to the feed of a website or RSS address',
			...bringsSecrets,
			body: {
				url: requiredText('Website or Feed URL', {
					paramName: 'feedUrl',
					example: 'https://news.example.com',
					description: 'The address of a feed, or of a website that has one',
				}),
				folder: intoFolder,
			},
			prepare: async ({ body }, api) => {
				if (!body.folder) return {};
				const tree = await currentFolders(api);
				const folder = tree.folder('Folder', body.folder);
				Object.assign(body, { folder: folder.path });
				return { body: { ...body, folder: folder.name, folder_path: tree.pathText(folder) } };
			},
			output: orSuccess(
				feedOutput(({ json }) => asRecord(json).feed),
				{
					members: { folder: aText.described('Path of the folder') },
					from: ({ url, folder }) => ({ address: url, folder: folder ?? '' }),
				},
			),
			present: async (_, response, api) => {
				const { id } = asRecord(asRecord(response.json).feed);
				if (id !== undefined) await leaveCounted(api, [toText(id)]);
				return [await api.resultIn(response)];
			},
		}),
		delete: folderChange('POST /reader/delete_feed', {
			description: 'Unsubscribe from a feed, or remove it from one of its folders',
			body: { feed_id: feedId, in_folder: inFolder },
			plan: async ({ feed_id, in_folder }, tree, api) => {
				const found = tree.folderOf(feed_id, 'In Folder', in_folder);
				if (!feedTitlesOf(tree.subscriptions).has(feed_id)) {
					// The service would delete the feed that this one was merged with (seen in the wild).
					const action = `Find feed ${feed_id}, which is in a folder but not among your feeds`;
					await api.send({ method: 'GET', path: `/rss_feeds/statistics/${feed_id}`, action });
				}
				const places = found.feedIds.filter((id) => id === feed_id).length;
				const folder = places > 0 ? found : tree.folder('In Folder');
				if (places === 0) {
					// The service doesn't delete a feed that is in no folder, and says that it did.
					const toTopLevel = { feed_id, in_folder: '', to_folder: '' };
					await api.send({ method: 'POST', path: '/reader/move_feed_to_folder', body: toTopLevel });
				}
				const isElsewhere = tree.folders.some((other) => other !== folder && other.feedIds.includes(feed_id));
				// Without a folder, the service also finds a feed that another client has moved meanwhile.
				const oneOfSeveral = isElsewhere ? folder.name : undefined;
				const body = { feed_id, in_folder: oneOfSeveral, folder_path: tree.pathText(folder) };
				// The service removes a feed that is listed several times from one place, and keeps it.
				for (let place = 1; place < places; place += 1) {
					await api.send({ method: 'POST', path: '/reader/delete_feed', body });
				}
				return { body, after: () => tree.afterRemoval(feed_id, folder) };
			},
			output: success,
		}),
		move: folderChange('POST /reader/move_feed_to_folder', {
			description: 'Move a feed to another folder or to the top level',
			body: { feed_id: feedId, in_folder: inFolder, to_folder: toFolder },
			plan: ({ feed_id, in_folder, to_folder }, tree) => {
				const folder = tree.folderOf(feed_id, 'In Folder', in_folder);
				const target = tree.folder('To Folder', to_folder);
				const move = tree.hasPaths
					? {
							path: '/reader/move_feed_to_folders',
							body: {
								feed_id,
								in_folders: [folder.name],
								to_folders: [target.name],
								in_folder_paths: JSON.stringify([folder.names]),
								to_folder_paths: JSON.stringify([target.names]),
							},
						}
					: { body: { feed_id, in_folder: folder.name, to_folder: target.name } };
				const isMoved = ({ name, feedIds }: Folder): boolean =>
					name === target.name && feedIds.includes(feed_id);
				const change = `move feed ${feed_id} to "${target.path || '/'}"`;
				return { ...move, after: (folders) => tree.afterChange(change, folders, isMoved) };
			},
			output: success,
		}),
		rename: operation('POST /reader/rename_feed', {
			description: 'Give a feed another title, which only you see',
			body: {
				feed_id: feedId,
				feed_title: requiredText('Title', {
					example: 'Morning News',
					// The service would cut it (seen in the wild).
					longest: 255,
					description: 'The new title, which only you see',
				}),
			},
			output: success,
		}),
		addMany: addManyFeeds,
		mute: muteFeed,
		unmute: unmuteFeed,
		getTrending: trendingFeeds,
		autocomplete: operation('GET /rss_feeds/feed_autocomplete', {
			action: 'Autocomplete feeds',
			description: 'Suggest up to five feeds with two or more subscribers by part of their address or title',
			query: {
				term: text('Term', {
					alwaysShown: true,
					example: 'astronomy',
					description: 'Part of the address or the title; NewsBlur refuses a blank one',
				}),
			},
			paging: singlePage('feeds', 'feeds'),
			output: inOurNames(listedRecord(feedSuggestion), { label: 'title', value: 'address' }),
		}),
		getAll: operation('GET /reader/feeds', {
			description: 'List the feeds you subscribe to, with their folders and unread counts',
			...bringsSecrets,
			query: {
				include_favicons: flag('Include Favicons', 'to include each feed’s icon as a data URI'),
				flat: advanced(flag('Flat', 'to list only active feeds, under flat folder names like Tech - Deep')),
				update_counts: flag('Update Counts', 'to recount unread stories, which is slower'),
			},
			paging: singlePage(subscribedFeeds, 'feeds'),
			output: subscriptionOutput,
		}),
		getFavicons: favicons(
			'GET /reader/favicons',
			'Get favicons of feeds',
			'Get the icons of some or all of your active feeds',
		),
		getFaviconsSeparately: favicons(
			'GET /api/v1/feeds/favicons/',
			'Get favicons of feeds from the separate address',
			'Get the icons from the service’s separate address for them, if it has one',
		),
		getPage: operation('GET /reader/page/{id}', {
			action: 'Get the original page of a feed',
			description: 'Get the web page of a feed’s site',
			path: { id: feedId },
			params: { pageFormat, otherHosts },
			prepare: acceptsPage,
			output: listedRecord(feedPage),
			present: async ({ path, params }, response, api) => {
				const content = pageContent(response.text, params);
				return await api.results([exact(feedPage, { feedId: path.id, content })], response);
			},
		}),
		getStatistics: operation('GET /rss_feeds/statistics/{id}', {
			action: 'Get the statistics of a feed',
			description: 'Get how often a feed publishes, its last fetches, and what its readers like',
			path: { id: feedId },
			output: statisticsOutput,
		}),
		getTrainer: operation('GET /reader/feeds_trainer', {
			action: 'Get the trainer of feeds',
			description: 'List the popular tags and authors of feeds, with what you like and dislike',
			query: {
				feed_id: locator('Feed', {
					...feedModes,
					description:
						'Only this feed; by default, those with recent stories in which you like or dislike nothing yet',
				}),
			},
			paging: singlePage('feeds', 'feeds'),
			output: inOurNames(listedRecord(feedTrainer)),
		}),
		markAllRead: operation('POST /reader/mark_all_as_read', {
			name: 'Mark All as Read',
			action: 'Mark all feeds as read',
			description: 'Mark the stories of all feeds and share feeds as read',
			body: {
				days: integer('Keep Unread (Days)', {
					alwaysShown: true,
					min: 0,
					default: 7,
					description: 'Stories newer than this stay unread; 0 marks all up to now',
				}),
			},
			output: success,
			prepare: async ({ body }, api) => {
				// Without days, the service would mark everything.
				if (body.days === undefined)
					throw api.parameterError('Keep Unread (Days)', 'is empty', 'Enter a value');
				if (body.days === 0) await countBeforeMark(api);
				return {};
			},
		}),
		markRead: operation('POST /reader/mark_feed_as_read', {
			name: 'Mark as Read',
			action: 'Mark feeds as read',
			description: 'Mark all stories of feeds as read, or only those before or after a date',
			params: { whichFeeds: feedsToMark },
			body: { feed_id: chosenFeeds, ...sideOfDate },
			prepare: async ({ body }, api) => {
				const feedIds = await feedsOfChoice(body.feed_id, api);
				// Without feeds, the service would mark all.
				if (feedIds.length > 0) return { body: { ...body, feed_id: feedIds } };
				throw api.parameterError('Which Feeds', 'selects no feeds', 'Choose others, or add a feed first');
			},
			batch: {
				field: 'feed_id',
				// The service's errors name no feed (seen in the wild).
				splitOnFailure: true,
				send: async (feedIds, api, ask) => {
					await countBeforeMark(api, feedIds);
					return await ask(feedIds);
				},
				readEntry: (_, id) => ({ record: { feedId: id, read: true } }),
			},
			output: listedRecord(
				record({ feedId: aFeedId, read: aBoolean.described('true: the chosen stories were marked') }),
			),
		}),
		refreshCounts: operation('GET /reader/refresh_feeds', {
			action: 'Refresh the unread counts of feeds',
			description: 'Get the current unread counts of the active feeds, at most once a minute',
			params: {
				withinMinute: choice(
					'If Called Within a Minute',
					{ last: 'Return the Last Counts', wait: 'Wait' },
					{
						alwaysShown: true,
						default: 'wait',
						description: 'The service allows this once a minute',
					},
				),
			},
			output: countsOutput,
			run: async ({ params }, api) => {
				const response = await recentCounts(api, params.withinMinute === 'last' ? undefined : 0);
				return await api.results(unreadCountsIn(response), response);
			},
		}),
		search: operation('GET /rss_feeds/search_feed', {
			action: 'Search for a feed',
			description: 'Find the feed of a website or RSS address, subscribed or not',
			...bringsSecrets,
			query: {
				address: requiredText('Address', {
					example: 'https://news.example.com',
					description: 'The address of a website or of a feed',
				}),
				offset: integer('Offset', {
					min: 0,
					description: 'Which of the matching feeds; 0 is the first',
				}),
			},
			output: feedOutput((response) => (isRecord(response.json) ? withoutEnvelope(response) : undefined)),
		}),
	},
);
