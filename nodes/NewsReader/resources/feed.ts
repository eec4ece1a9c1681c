import type { IDataObject } from 'n8n-workflow';
import { internal, limiting, prominent, required } from '../../runtime/fields/field';
import { choice, flag, ids, integer, text } from '../../runtime/fields/kinds';
import { locator } from '../../runtime/fields/locator';
import { operation, resource, type Operation, type Route } from '../../runtime/table/operation';
import { aBoolean, aText, anInteger, make, record } from '../../runtime/table/record';
import { isRecord } from '../../runtime/values';
import { cutoff, onSideOfDate, sideOfDate } from '../fields/cutoff';
import { chosenFeeds, sendsChosenFeeds, whichFeedsToMark } from '../fields/feedChoice';
import {
	acceptsPage,
	bringsSecrets,
	faviconFormat,
	otherHosts,
	pageContent,
	pageFormat,
} from '../fields/formats';
import { feedId, feedModes, inFolder, intoFolder, toFolder } from '../fields/locators';
import { singlePage, topOrUnder } from '../lists';
import { withoutEnvelope } from '../model/answers';
import { faviconRecord, faviconResults } from '../model/favicons';
import {
	feedListing,
	feedOutput,
	feedSuggestion,
	feedTrainer,
	statisticsOutput,
	subscribedFeeds,
	subscriptionOutput,
} from '../model/feeds';
import { markUncounted } from '../model/feedMarks';
import { inOurNames } from '../model/names';
import { folderChange, KnownFolders } from '../model/folderChange';
import { countsForItem, countsIn, countsOutput } from '../model/unreadCounts';
import { listedRecord, recordUnder } from '../../runtime/table/outputs';
import { orSuccess, success } from '../outputs';

const feedPage = record({ feed_id: anInteger, content: aText });

const feedToTrain = locator('Feed', {
	...feedModes,
	description: 'Only this feed; without one, all of which you like and dislike nothing yet',
});

/** The interface has two addresses for the same. */
const favicons = (route: Route, words: Pick<Operation, 'name' | 'action' | 'description'>): Operation => {
	const row: Operation = operation(route, {
		...words,
		query: {
			feed_ids: ids('Feeds', 'feed', {
				description: 'Whose icons; all if none is chosen',
				parameter: 'feedIds',
			}),
		},
		form: { faviconFormat },
		output: inOurNames(listedRecord(faviconRecord)),
		run: async ({ form }, api, parts) => {
			const answer = await api.ask(row, parts);
			if (api.isRaw) return await api.results([], answer);
			return await faviconResults(answer, api, form.faviconFormat === 'file');
		},
	});
	return row;
};

const refreshCounts = operation('GET /reader/refresh_feeds', {
	name: 'Refresh Counts',
	action: 'Refresh the unread counts of feeds',
	description: 'Get the current unread counts of the active feeds, at most once a minute',
	form: {
		withinMinute: prominent(
			choice(
				'If Called Within a Minute',
				{ last: 'Return the Last Answer', wait: 'Wait' },
				{
					parameter: 'withinMinute',
					default: 'wait',
					description: 'The service wants this to be asked once a minute at most',
				},
			),
		),
	},
	output: countsOutput,
	run: async ({ form }, api) => {
		const answer = await countsForItem(api, form.withinMinute === 'last');
		return await api.results(countsIn(answer), answer);
	},
});

const markAllRead: Operation = operation('POST /reader/mark_all_as_read', {
	name: 'Mark All as Read',
	action: 'Mark all feeds as read for good',
	description: 'Mark the stories of all feeds as read',
	body: {
		days: prominent(
			limiting(
				integer('Days', {
					parameter: 'days',
					min: 0,
					description: 'Stories of the last so many days stay unread; 0 marks everything',
				}),
			),
		),
	},
	output: success,
	run: async ({ body }, api, parts) => {
		const answer = await api.ask(markAllRead, parts);
		if (!body.days) await markUncounted(api, parts);
		return await api.results([success.pick(answer, {}) as IDataObject], answer);
	},
});

export const feed = resource(
	'Feed',
	{ description: 'The feeds you are subscribed to, and others that the service knows', listing: feedListing },
	{
		add: operation('POST /reader/add_url', {
			name: 'Add',
			action: 'Add a feed',
			description: 'Subscribe to the feed of a website or RSS address',
			...bringsSecrets,
			body: {
				url: required(
					text('Website or Feed URL', {
						parameter: 'feedUrl',
						example: 'https://news.example.com',
						description: 'The address of a feed, or of a website that has one',
					}),
				),
				folder: intoFolder,
			},
			check: async ({ body }, api) => {
				if (!body.folder) return {};
				const tree = await (await KnownFolders.of(api)).look(api);
				return { body: { ...body, folder: tree.folder('Folder', body.folder).name } };
			},
			output: orSuccess(
				{ ...recordUnder('feed', feedOutput.kind), simple: feedOutput.simple },
				{
					members: { folder: aText },
					of: ({ url, folder }) => ({ address: url, folder: folder ?? '' }),
				},
			),
		}),
		delete: folderChange('POST /reader/delete_feed', {
			name: 'Delete',
			action: 'Delete a feed for good',
			description: 'Unsubscribe from a feed, or take it out of one of its folders',
			body: { feed_id: feedId, in_folder: inFolder },
			look: async ({ feed_id, in_folder }, read) => {
				const tree = await read();
				const place = tree.placeOf(feed_id, 'In Folder', in_folder);
				return { body: { feed_id, in_folder: place.name || undefined }, after: tree.after(feed_id, place) };
			},
			output: success,
		}),
		move: folderChange('POST /reader/move_feed_to_folder', {
			name: 'Move',
			action: 'Move a feed',
			description: 'Move a feed to another folder or to the top level',
			body: { feed_id: feedId, in_folder: inFolder, to_folder: toFolder },
			look: async ({ feed_id, in_folder, to_folder }, read) => {
				const tree = await read();
				const place = tree.placeOf(feed_id, 'In Folder', in_folder);
				const target = tree.folder('To Folder', to_folder);
				return {
					body: { feed_id, in_folder: place.name, to_folder: target.name },
					after: tree.after(feed_id, place, target),
				};
			},
			output: success,
		}),
		rename: operation('POST /reader/rename_feed', {
			name: 'Rename',
			action: 'Rename a feed',
			description: 'Give a feed another title, which only you see',
			body: {
				feed_title: required(
					text('Title', {
						parameter: 'feedTitle',
						example: 'Morning News',
						description: 'What you want to call it',
					}),
				),
				feed_id: feedId,
			},
			output: success,
		}),
		autocomplete: operation('GET /rss_feeds/feed_autocomplete', {
			name: 'Autocomplete',
			action: 'Autocomplete feeds',
			description: 'Suggest feeds with two or more subscribers by part of their address or title',
			query: {
				term: prominent(
					text('Term', {
						parameter: 'term',
						example: 'astronomy',
						description: 'A part of the address or the title',
					}),
				),
			},
			paging: singlePage(topOrUnder('feeds'), 'feeds', (entry) => entry.id),
			output: inOurNames(listedRecord(feedSuggestion), { label: 'title', value: 'address' }),
		}),
		getAll: operation('GET /reader/feeds', {
			name: 'Get Many',
			action: 'Get many feeds',
			description: 'List the feeds you are subscribed to, with their folders and unread counts',
			...bringsSecrets,
			query: {
				include_favicons: flag('Include Favicons', 'to include each feed’s icon as a data URI', {
					parameter: 'includeFavicons',
				}),
				flat: internal(
					flag('Flat', 'to ask the service for folders as a flat list, which Raw Answer shows', {
						parameter: 'flat',
					}),
				),
				update_counts: flag('Update Counts', 'to have the unread counts computed anew, which is slower', {
					parameter: 'updateCounts',
				}),
			},
			paging: singlePage(subscribedFeeds, 'feeds', (entry) => entry.id),
			output: subscriptionOutput,
		}),
		getFavicons: favicons('GET /reader/favicons', {
			name: 'Get Favicons',
			action: 'Get favicons of feeds',
			description: 'Get the icons of some or all of your active feeds',
		}),
		getFaviconsSeparately: favicons('GET /api/v1/feeds/favicons/', {
			name: 'Get Favicons Separately',
			action: 'Get favicons of feeds from the separate address',
			description: 'Get the icons from the service’s other address for them, where it has that',
		}),
		getPage: operation('GET /reader/page/{id}', {
			name: 'Get Page',
			action: 'Get the original page of a feed',
			description: 'Get the web page of a feed’s site',
			path: { id: feedId },
			form: { pageFormat, otherHosts },
			output: inOurNames(listedRecord(feedPage)),
			run: async ({ path, form }, api) => {
				const answer = await api.send({
					method: 'GET',
					path: `/reader/page/${path.id}`,
					...acceptsPage(form),
				});
				const content = pageContent(answer.text, form);
				return await api.results([make(feedPage, { feed_id: path.id, content })], answer);
			},
		}),
		getStatistics: operation('GET /rss_feeds/statistics/{id}', {
			name: 'Get Statistics',
			action: 'Get the statistics of a feed',
			description: 'Get how often a feed publishes, its last fetches, and what its readers like and dislike',
			path: { id: feedId },
			output: statisticsOutput,
		}),
		getTrainer: operation('GET /reader/feeds_trainer', {
			name: 'Get Trainer',
			action: 'Get the trainer of feeds',
			description:
				'List the popular tags and authors of feeds, with what you like and dislike of them (classifiers)',
			query: { feed_id: feedToTrain },
			paging: singlePage(topOrUnder('feeds'), 'feeds', (entry) => entry.feed_id),
			output: inOurNames(listedRecord(feedTrainer)),
		}),
		markAllRead,
		markRead: operation('POST /reader/mark_feed_as_read', {
			name: 'Mark as Read',
			action: 'Mark feeds as read for good',
			description: 'Mark all stories of feeds as read, or only those on one side of a date',
			form: { whichFeeds: whichFeedsToMark, ...sideOfDate },
			body: {
				feed_id: chosenFeeds,
				...cutoff,
			},
			prepare: onSideOfDate,
			check: sendsChosenFeeds('body', 'feed_id'),
			batch: {
				field: 'feed_id',
				size: 100,
				// The service's errors name no feed (seen in the wild).
				divisible: 'refused',
				send: async (feedIds, api, parts, ask) => {
					const answer = await ask(parts);
					await markUncounted(api, parts, feedIds);
					return answer;
				},
				outcome: (_, id) => ({ record: { feed_id: id, read: true } }),
			},
			output: inOurNames(listedRecord(record({ feed_id: anInteger, read: aBoolean }))),
		}),
		refreshCounts,
		search: operation('GET /rss_feeds/search_feed', {
			name: 'Search',
			action: 'Search for a feed',
			description: 'Find the feed of a website or RSS address, subscribed or not',
			...bringsSecrets,
			query: {
				address: required(
					text('Address', {
						parameter: 'address',
						example: 'https://news.example.com',
						description: 'The address of a website or of a feed',
					}),
				),
				offset: integer('Offset', {
					parameter: 'offset',
					min: 0,
					description: 'Which of the feeds found: 0 is the first',
				}),
			},
			output: {
				...feedOutput,
				pick: (answer) => (isRecord(answer.json) ? withoutEnvelope(answer) : undefined),
			},
		}),
	},
);
