import { prominent, required } from '../../runtime/fields/field';
import { integer, text } from '../../runtime/fields/kinds';
import { aText, anInteger, anything, listOf, record } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { getFavicons, getFaviconsSeparately } from './favicons';
import { aFavicon, feedListing, feedList, feedOutput } from './feedList';
import { feedManagement } from './feedManagement';
import { feed as anyFeed, feedId } from './locators';
import { markFeedsRead, markAllRead } from './markFeeds';
import { refreshCounts } from './refreshCounts';
import { dataOf, each, listUnder, wholeList } from './shared';
import { pageContent, pageFormat } from './stories';

const statistics = record({
	id: anInteger,
	average_stories_per_month: anInteger,
	stories_last_month: anInteger,
	num_subscribers: anInteger,
	last_update: aText,
	next_update: aText,
	feed_fetch_history: listOf(anything),
	page_fetch_history: listOf(anything),
});

const trainer = record({
	feed_id: anInteger,
	classifiers: anything,
	feed_tags: listOf(anything),
	feed_authors: listOf(anything),
	num_subscribers: anInteger,
	stories_last_month: anInteger,
});

const suggestion = record({
	id: anInteger,
	label: aText,
	value: aText,
	num_subscribers: anInteger,
	favicon: aFavicon,
});

export const feed = resource(
	'Feed',
	{ description: 'The feeds you are subscribed to, and others that the service knows', listing: feedListing },
	{
		...feedManagement,
		autocomplete: operation('GET /rss_feeds/feed_autocomplete', {
			name: 'Autocomplete',
			action: 'Autocomplete feeds',
			description: 'Suggest feeds with two or more subscribers by part of their address or title',
			query: { term: prominent(text('Term', { parameter: 'term', example: 'astronomy' })) },
			paging: wholeList(listUnder('feeds'), 'feeds', (entry) => entry.id),
			output: each(suggestion),
		}),
		getAll: feedList,
		getFavicons,
		getFaviconsSeparately,
		getPage: operation('GET /reader/page/{id}', {
			name: 'Get Original Page',
			action: 'Get the original page of a feed',
			description: 'Get the web page of a feed’s site',
			path: { id: feedId },
			form: { pageFormat },
			output: each(record({ feed_id: anInteger, content: aText })),
			run: async ({ path, form }, tools) => {
				const answer = await tools.send({
					method: 'GET',
					path: `/reader/page/${path.id}`,
					accepts: 'page',
				});
				return tools.results([{ feed_id: path.id, content: pageContent(answer.text, form) }], answer);
			},
		}),
		getStatistics: operation('GET /rss_feeds/statistics/{id}', {
			name: 'Get Statistics',
			action: 'Get the statistics of a feed',
			description: 'Get how often a feed publishes, its last fetches, and how readers train it',
			path: { id: feedId },
			output: {
				kind: statistics,
				pick: (answer, { id }) => {
					const data = dataOf(answer);
					return data && { id, ...data };
				},
			},
		}),
		getTrainer: operation('GET /reader/feeds_trainer', {
			name: 'Get Trainer',
			action: 'Get the trainer of feeds',
			description:
				'List popular tags and authors with your own classifiers, of one feed or of those not trained',
			query: { feed_id: anyFeed },
			paging: wholeList(listUnder('feeds'), 'feeds', (entry) => entry.feed_id),
			output: each(trainer),
		}),
		markAllRead,
		markRead: markFeedsRead,
		refreshCounts,
		search: operation('GET /rss_feeds/search_feed', {
			name: 'Search',
			action: 'Search for a feed',
			description: 'Find the feed of a website or RSS address, subscribed or not',
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
			output: { ...feedOutput, pick: (answer) => (isRecord(answer.json) ? dataOf(answer) : undefined) },
		}),
	},
);
