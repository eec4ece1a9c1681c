import { optional, required } from '../endpoint.ts';
import { type ValuesByOperation, step, type Own, type Step } from '../fixture.ts';
import type { FixtureAccount } from './fixture-account.ts';
import { bare, envelope, feed, ids, nth, type ReaderCase, opinions } from './vocabulary.ts';

const done = { success: true };
/** The response to a change of the folders, with the changed folders. */
const changed = (after: unknown[]) => ({ code: 1, folders: after, ...envelope });

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgo=';

const simpleFeed = (n: number, more: object = {}) => ({
	id: ids.feed(n),
	title: `Invented Weekly ${n}`,
	address: `https://weekly.example/rss/${n}`,
	website: 'https://weekly.example/',
	active: true,
	...more,
});

const favicons = (call: string): ReaderCase => ({
	call,
	fields: { feed_ids: optional('integers') },
	item: (n, variant) => ({
		form: { feedIds: [ids.feed(n), 77], faviconFormat: n === 1 ? 'file' : 'uri' },
		calls: [
			{
				query: { feed_ids: [String(ids.feed(n)), '77'] },
				response: {
					[ids.feed(n)]: variant === 'wild' ? PIXEL : `data:image/png;base64,${PIXEL}`,
					77: null,
					...envelope,
				},
			},
		],
		records: [
			{ feedId: ids.feed(n), ...(n !== 1 && { favicon: `data:image/png;base64,${PIXEL}` }) },
			{ feedId: 77, favicon: null },
		],
		...(n === 1 && { files: { data: Buffer.from(PIXEL, 'base64').toString() } }),
	}),
});

/** An OPML list that contains one feed twice, as the node writes it. */
const opml = (n: number) => {
	const feed = `<outline text="${n}" title="${n}" type="rss" xmlUrl="https://${n}.example/rss">\n</outline>\n`;
	const again = `<outline text="Again" title="Again">\n${feed}</outline>\n`;
	const head = '<head><title>Subscriptions</title></head>';
	return `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n${head}\n<body>\n${feed}${again}</body>\n</opml>\n`;
};

export const feedCases: ReaderCase[] = [
	{
		call: 'GET /rss_feeds/search_feed',
		fields: { address: required(), offset: optional('integer') },
		item: (n) => ({
			form: { address: `weekly.example/${n}`, offset: nth<unknown>(n, 0, 1, '2') },
			calls: [
				{
					query: { address: `weekly.example/${n}`, offset: nth(n, '0', '1', '2') },
					response: { ...feed(n), ...envelope },
				},
			],
			records: [simpleFeed(n)],
		}),
	},
	{
		call: 'GET /reader/feeds',
		fields: {
			include_favicons: optional('boolean'),
			flat: optional('boolean'),
			update_counts: optional('boolean'),
		},
		fixed: { returnAll: true },
		item: (n, variant) => {
			const isFlat = n === 1;
			const feeds = [0, 1].map((m) => ({
				...feed(m),
				ps: 1,
				nt: 3,
				ng: m,
				// The page of the website fails, or the feed itself.
				...(m >= n && {
					has_exception: true,
					exception_type: m === 1 ? 'feed' : 'page',
					exception_code: 404,
				}),
				...(n === 2 && { favicon: variant === 'wild' ? PIXEL : `data:image/png;base64,${PIXEL}` }),
			}));
			return {
				form: { includeFavicons: n === 2, flat: isFlat, updateCounts: n === 0 },
				calls: [
					{
						query: {
							include_favicons: String(n === 2),
							flat: String(isFlat),
							update_counts: String(n === 0),
						},
						response: {
							feeds: Object.fromEntries(feeds.map((each) => [each.id, each])),
							...(isFlat
								? { flat_folders: { ' ': [42], Tech: [], 'Tech - Deep': [43, 42] } }
								: { folders: [42, { Tech: [{ Deep: [43, 42] }] }] }),
							starred_counts: [{ tag: 'cli', count: 3 }],
							...envelope,
						},
					},
				],
				records: [0, 1].map((m) =>
					simpleFeed(m, {
						folders: [...(m === 0 ? [''] : []), isFlat ? 'Tech - Deep' : 'Tech / Deep'],
						focus: 1,
						unread: 4,
						hidden: m,
						broken: m === 1 && n < 2,
						...(m >= n && { exceptionType: m === 1 ? 'feed' : 'page', exceptionCode: 404 }),
						...(n === 2 && { favicon: `data:image/png;base64,${PIXEL}` }),
					}),
				),
			};
		},
	},
	favicons('GET /reader/favicons'),
	// The document names no parameters of this second call; we assume those of the first.
	favicons('GET /api/v1/feeds/favicons/'),
	{
		call: 'GET /reader/page/:id',
		item: (n) => ({
			form: { feedId: ids.feed(n), pageFormat: nth(n, 'html', 'text', 'html') },
			calls: [{ path: [ids.feed(n)], response: `<html><body><p>Site ${n}</p></body></html>` }],
			records: [
				{ feedId: ids.feed(n), content: n === 1 ? 'Site 1' : `<html><body><p>Site ${n}</p></body></html>` },
			],
		}),
	},
	{
		call: 'GET /reader/refresh_feeds',
		item: (n) => ({
			form: { withinMinute: 'wait' },
			calls: [
				{
					response: {
						feeds: { 42: { ps: 1, nt: 3 + n, ng: 0, id: 42 } },
						social_feeds: { 'social:12': { ps: 0, nt: 1, ng: 0 } },
						interactions_count: 2,
						...envelope,
					},
				},
			],
			records: [
				{ id: 42, focus: 1, unread: 4 + n, hidden: 0 },
				{ userId: 12, focus: 0, unread: 1, hidden: 0 },
			],
		}),
	},
	{
		call: 'GET /reader/feeds_trainer',
		fields: { feed_id: optional('integer') },
		fixed: { returnAll: true },
		alsoReads: ['/social/load_user_profile'],
		item: (n, variant) => {
			const trainer = {
				classifiers: { tags: { cli: 1 } },
				feed_id: ids.feed(n),
				stories_last_month: 4,
				num_subscribers: 22,
				feed_tags: [['cli', 9]],
				feed_authors: [['Ada Example', 5]],
			};
			return {
				form: { feedId: ids.feed(n) },
				calls: [{ query: { feed_id: String(ids.feed(n)) }, response: bare(variant, 'feeds', [trainer]) }],
				records: [
					{
						classifiers: trainer.classifiers,
						feedId: trainer.feed_id,
						storiesLastMonth: 4,
						numSubscribers: 22,
						feedTags: trainer.feed_tags,
						feedAuthors: trainer.feed_authors,
					},
				],
			};
		},
	},
	{
		call: 'GET /rss_feeds/statistics/:id',
		item: (n) => ({
			form: { feedId: ids.feed(n) },
			calls: [
				{
					path: [ids.feed(n)],
					response: {
						active: true,
						last_update: 'a while',
						stories_last_month: '4',
						feed_fetch_history: [{ fetch_date: '2026-09-01 08:00:00', status_code: 200, message: 'OK' }],
						classifier_counts: { feed: [{ feed_id: 42, pos: 2, neg: 1 }] },
						...envelope,
					},
				},
			],
			records: [
				{
					id: ids.feed(n),
					active: true,
					storiesLastMonth: 4,
					feedFetchHistory: [{ localTime: '2026-09-01 08:00:00', statusCode: 200, message: 'OK' }],
					classifierCounts: { feed: [{ feedId: 42, pos: 2, neg: 1 }] },
				},
			],
		}),
	},
	{
		call: 'GET /rss_feeds/feed_autocomplete',
		fields: { term: optional() },
		fixed: { returnAll: true },
		alsoReads: ['/social/load_user_profile'],
		item: (n, variant) => {
			const suggestion = {
				id: ids.feed(n),
				value: 'https://weekly.example/rss',
				label: 'Weekly',
				num_subscribers: 22,
			};
			return {
				form: { term: `week ${n}` },
				calls: [{ query: { term: `week ${n}` }, response: bare(variant, 'feeds', [suggestion]) }],
				records: [
					{
						id: suggestion.id,
						address: suggestion.value,
						title: suggestion.label,
						numSubscribers: 22,
					},
				],
			};
		},
	},

	// Feed management
	{
		call: 'POST /reader/add_url',
		fields: { url: required(), folder: optional() },
		alsoReads: ['/reader/feeds', '/reader/feed_unread_count'],
		item: (n) => ({
			form: { feedUrl: `https://weekly.example/${n}`, folder: nth(n, 'Tech', 'Tech/Deep', 'Food') },
			calls: [
				{
					body: { url: `https://weekly.example/${n}`, folder: nth(n, 'Tech', 'Deep', 'Food') },
					response: { code: 1, message: '', feed: feed(n), ...envelope },
				},
			],
			records: [simpleFeed(n, { folder: nth(n, 'Tech', 'Tech / Deep', 'Food'), ...done })],
		}),
	},
	{
		call: 'POST /reader/add_folder',
		fields: { folder: required(), parent_folder: optional() },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { folderName: `New ${n}`, parentFolder: nth(n, 'Tech', 'Tech / Deep', 'Food') },
			calls: [
				{
					body: { folder: `New ${n}`, parent_folder: nth(n, 'Tech', 'Deep', 'Food') },
					response: {
						...changed(
							nth<unknown[]>(
								n,
								[42, { Tech: [43, { Deep: [77] }, { 'New 0': [] }] }, { Food: [44] }],
								[42, { Tech: [43, { Deep: [77, { 'New 1': [] }] }, { 'New 0': [] }] }, { Food: [44] }],
								[
									42,
									{ Tech: [43, { Deep: [77, { 'New 1': [] }] }, { 'New 0': [] }] },
									{ Food: [44, { 'New 2': [] }] },
								],
							),
						),
						message: '',
					},
				},
			],
			records: [
				{
					name: `New ${n}`,
					path: `${nth(n, 'Tech', 'Tech / Deep', 'Food')} / New ${n}`,
					feedIds: [],
					feedCount: 0,
					...done,
				},
			],
		}),
	},
	{
		call: 'POST /reader/move_feed_to_folder',
		fields: { feed_id: required('integer'), in_folder: required(), to_folder: required() },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: {
				feedId: nth(n, 44, 43, 77),
				inFolder: nth(n, 'Food', 'Tech', 'Tech / Deep'),
				toFolder: nth(n, 'Tech', '/', 'Food'),
			},
			calls: [
				{
					body: {
						feed_id: nth(n, '44', '43', '77'),
						in_folder: nth(n, 'Food', 'Tech', 'Deep'),
						to_folder: nth(n, 'Tech', '', 'Food'),
					},
					response: changed(
						nth<unknown[]>(
							n,
							[42, { Tech: [43, 44, { Deep: [77] }] }, { Food: [] }],
							[42, 43, { Tech: [44, { Deep: [77] }] }, { Food: [] }],
							[42, 43, { Tech: [44, { Deep: [] }] }, { Food: [77] }],
						),
					),
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/move_folder_to_folder',
		fields: { folder_name: required(), in_folder: required(), to_folder: required() },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { folder: nth(n, 'Tech / Deep', 'Food', 'Tech / Deep'), toFolder: nth(n, 'Food', 'Tech', '/') },
			calls: [
				{
					body: {
						folder_name: nth(n, 'Deep', 'Food', 'Deep'),
						in_folder: nth(n, 'Tech', '', 'Tech'),
						to_folder: nth(n, 'Food', 'Tech', ''),
					},
					response: changed(
						nth<unknown[]>(
							n,
							[42, { Tech: [43] }, { Food: [44, { Deep: [77] }] }],
							[42, { Tech: [43, { Deep: [77] }, { Food: [44] }] }],
							[42, { Tech: [43] }, { Food: [44] }, { Deep: [77] }],
						),
					),
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/rename_feed',
		fields: { feed_title: required(), feed_id: required('integer') },
		item: (n) => ({
			form: { feedTitle: `Mine & ${n}`, feedId: ids.feed(n) },
			calls: [
				{
					body: { feed_title: `Mine & ${n}`, feed_id: String(ids.feed(n)) },
					response: { code: 1, ...envelope },
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/delete_feed',
		fields: { feed_id: required('integer'), in_folder: optional() },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { feedId: nth(n, 44, 43, 77), inFolder: nth(n, 'Food', 'Tech', 'Tech / Deep') },
			calls: [
				{
					// Each is in one folder only.
					body: { feed_id: nth(n, '44', '43', '77') },
					response: { code: 1, message: `Removed ${n}`, ...envelope },
				},
			],
			records: [{ success: true, message: `Removed ${n}` }],
		}),
	},
	{
		call: 'POST /reader/rename_folder',
		fields: { folder_to_rename: required(), new_folder_name: required(), in_folder: required() },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { folder: nth(n, 'Tech', 'Tech / Deep', 'Food'), newFolderName: `Renamed ${n}` },
			calls: [
				{
					body: {
						folder_to_rename: nth(n, 'Tech', 'Deep', 'Food'),
						new_folder_name: `Renamed ${n}`,
						in_folder: nth(n, '', 'Tech', ''),
					},
					response: { code: 1, ...envelope },
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/delete_folder',
		fields: { folder_to_delete: required(), in_folder: optional(), feed_id: optional('integers') },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { folder: nth(n, 'Tech', 'Play', 'Food') },
			calls: [
				{
					body: {
						folder_to_delete: nth(n, 'Tech', 'Play', 'Food'),
						in_folder: '',
						...(n !== 1 && { feed_id: nth<string | string[]>(n, ['43', '77'], '', '44') }),
					},
					response: changed(
						nth<unknown[]>(n, [42, { Food: [44] }, { Play: [] }], [42, { Food: [44] }], [42]),
					),
				},
			],
			records: [done],
		}),
	},
	{
		call: 'POST /reader/save_feed_order',
		fields: { folders: required('json') },
		alsoReads: ['/reader/feeds'],
		item: (n) => {
			const order = nth<unknown>(
				n,
				[42, 43, 44, 77],
				[{ All: [42, 43, { In: [44, 77] }] }],
				[77, { Tech: [44, 43] }, 42],
			);
			return {
				form: { folders: n === 1 ? JSON.stringify(order) : order },
				calls: [{ body: { folders: JSON.stringify(order) }, response: envelope }],
				records: [done],
			};
		},
	},
	{
		call: 'POST /reader/save_search',
		fields: { feed_id: required(), query: required() },
		item: (n) => ({
			form: { feedId: nth<unknown>(n, 42, 'feed:43', 'river:Tech'), savedQuery: 'rust' },
			calls: [
				{
					body: { feed_id: nth(n, 'feed:42', 'feed:43', 'river:Tech'), query: 'rust' },
					response: { saved_searches: [], ...envelope },
				},
			],
			records: [{ feedId: nth<unknown>(n, 42, 43, 'river:Tech'), query: 'rust', ...done }],
		}),
	},
	{
		call: 'POST /reader/delete_search',
		fields: { feed_id: required(), query: required() },
		alsoReads: ['/reader/feeds'],
		item: (n) => ({
			form: { feedId: nth<unknown>(n, 42, 'feed:43', '44'), savedQuery: nth(n, 'rust', 'sun', 'go') },
			calls: [
				{
					body: { feed_id: `feed:${42 + n}`, query: nth(n, 'rust', 'sun', 'go') },
					response: { saved_searches: [], ...envelope },
				},
			],
			records: [done],
		}),
	},

	// Classifiers
	{
		call: 'GET /classifier/:id',
		item: (n) => ({
			form: { feedId: nth<unknown>(n, 42, 43, '44') },
			calls: [
				{
					path: [nth(n, 42, 43, 44)],
					response: {
						code: 0,
						payload: { feeds: { 42: 1 }, authors: { 'Ada Example': 1 }, titles: { sponsored: -1 }, tags: {} },
						...envelope,
					},
				},
			],
			records: [
				{
					classifiers: [
						{ opinion: 'like', kind: 'author', value: 'Ada Example' },
						{ opinion: 'like', kind: 'feed', value: '42' },
						{ opinion: 'dislike', kind: 'title', value: 'sponsored' },
					],
				},
			],
		}),
	},
	{
		call: 'POST /classifier/save',
		fields: {
			feed_id: required('integer'),
			...Object.fromEntries(opinions.map((name) => [name, optional('strings')])),
		},
		alsoReads: ['/reader/feed_unread_count'],
		item: (n) => ({
			form: {
				feedId: ids.feed(n),
				classifiers: {
					entry: [
						{ kind: 'tag', opinion: 'like', value: 'cli' },
						{ kind: 'tag', opinion: 'like', value: 'tools, and more' },
						nth(
							n,
							{ kind: 'feed', opinion: 'dislike', value: '' },
							{ kind: 'author', opinion: 'remove_like', value: 'Ada' },
							{ kind: 'title', opinion: 'remove_dislike', value: 'ad' },
						),
					],
				},
			},
			calls: [
				{
					body: {
						feed_id: String(ids.feed(n)),
						like_tag: ['cli', 'tools, and more'],
						...nth<Record<string, string>>(
							n,
							{ dislike_feed: '42' },
							{ remove_like_author: 'Ada' },
							{ remove_dislike_title: 'ad' },
						),
					},
					response: { code: 0, message: 'OK', payload: {}, ...envelope },
				},
			],
			records: [
				{
					feedId: ids.feed(n),
					classifiers: [
						{ opinion: 'like', kind: 'tag', value: 'cli' },
						{ opinion: 'like', kind: 'tag', value: 'tools, and more' },
						nth<object>(
							n,
							{ opinion: 'dislike', kind: 'feed', value: '42' },
							{ opinion: 'remove_like', kind: 'author', value: 'Ada' },
							{ opinion: 'remove_dislike', kind: 'title', value: 'ad' },
						),
					],
					success: true,
					message: 'OK',
				},
			],
		}),
	},

	// Import and export
	{
		call: 'GET /import/opml_export',
		fixed: { exportAs: 'feeds' },
		alsoReads: ['/social/load_user_profile'],
		item: (n) => ({
			form: {},
			calls: [
				{
					response: `<?xml version="1.0"?><opml version="1.1"><body><outline text="Tech" title="Tech"><outline text="Deep" title="Deep"><outline type="rss" title="Weekly &amp; ${n}" xmlUrl="https://weekly.example/rss" htmlUrl="https://weekly.example/"/></outline></outline></body></opml>`,
				},
			],
			records: [
				{
					title: `Weekly & ${n}`,
					url: 'https://weekly.example/rss',
					website: 'https://weekly.example/',
					folder: 'Tech / Deep',
				},
			],
		}),
	},
	{
		call: 'POST /import/opml_upload',
		alsoReads: ['/reader/feeds'],
		fields: { file: required('file') },
		fixed: { listSource: 'text' },
		item: (n, variant) => ({
			form: { opmlText: opml(n) },
			calls: [
				{
					body: { file: opml(n) },
					response:
						variant === 'wild'
							? { message: '', code: 2, payload: { folders: null, delayed: true, feed_count: 12 } }
							: { message: '', code: 1, payload: { folders: [], feeds: [1, 2] }, ...envelope },
				},
			],
			records: [{ success: true, queued: variant === 'wild', feedCount: 1 }],
		}),
	},
];

const folder = (key: string, title: (own: Own) => string): Step =>
	step('folder.create', (own) => ({ folderName: title(own) }), {
		store: (_record, own) => {
			own[key] = title(own);
		},
		undo: step('folder.delete', (own) => ({ folder: own[key] })),
	});

/** An opinion on a tag of the feed that no story has. */
const ofTag =
	(opinion: string): Step['values'] =>
	({ feedId, name }) => ({
		feedId,
		classifiers: { entry: [{ kind: 'tag', opinion, value: name }] },
	});

export const feedSteps: Step[] = [
	folder('otherFolder', ({ name }) => `${String(name)} 2`),
	folder('folder', ({ name }) => String(name)),
	step('feed.add', ({ feedUrl, folder: into }) => ({ feedUrl, folder: into }), {
		store: ({ id }, own) => {
			own.feedId = id;
			own.feedFolder = own.folder;
		},
		undo: step('feed.delete', ({ feedId, feedFolder }) => ({ feedId, inFolder: feedFolder })),
	}),
	step('feed.mute', ({ feedId }) => ({ feedId })),
	step('feed.unmute', ({ feedId }) => ({ feedId })),
	step('notification.set', ({ feedId }) => ({ feedId, notifyOf: 'unread' })),
	step('feed.markRead', ({ feedId }) => ({
		whichFeeds: 'feeds',
		feedIds: feedId === undefined ? undefined : [feedId],
	})),
	step('classifier.save', ofTag('like'), { undo: step('classifier.save', ofTag('remove_like')) }),
	step('savedSearch.create', ({ feedId, name }) => ({ feedId, savedQuery: name }), {
		undo: step('savedSearch.delete', ({ feedId, name }) => ({ feedId, savedQuery: name })),
	}),
	step('feed.rename', ({ feedId, name }) => ({ feedId, feedTitle: name })),
	step(
		'feed.move',
		({ feedId, folder: from, otherFolder }) => ({ feedId, inFolder: from, toFolder: otherFolder }),
		{
			store: (_record, own) => {
				own.feedFolder = own.otherFolder;
			},
		},
	),
	step('folder.rename', (own) => ({ folder: own.folder, newFolderName: `${String(own.name)} 1` }), {
		store: (_record, own) => {
			own.folder = `${String(own.name)} 1`;
		},
	}),
	step('folder.move', (own) => ({ folder: own.folder, toFolder: own.otherFolder }), {
		store: (_record, own) => {
			own.folder = `${String(own.otherFolder)}/${String(own.folder)}`;
		},
	}),
];

/** Operations that change what the check did not create. */
export const feedOperationsNotTried = [
	'autoMarkRead.set',
	'feed.addMany',
	'feed.markAllRead',
	'folder.saveOrder',
	'subscriptionList.upload',
];

const opmlOf = (url: string): string =>
	`<opml version="2.0"><body><outline type="rss" text="${url}" xmlUrl="${url}"/></body></opml>`;

export const feedFixtures = ({
	reader,
	feedIds,
	addresses,
	newFeeds,
	newFolders,
}: FixtureAccount): ValuesByOperation => ({
	'classifier.save': {
		classifiers: { entry: [{ kind: 'tag', opinion: 'like', value: 'tools' }] },
	},
	'feed.add': { feedUrl: [1, 2, 3].map((n) => `${addresses[1]}?copy=${200_000 + n}`) },
	'feed.autocomplete': { term: 'walk' },
	'feed.delete': async () => ({ feedId: await newFeeds() }),
	'feed.move': async () => ({ feedId: await newFeeds(), toFolder: await newFolders() }),
	'feed.refreshCounts': { withinMinute: 'last' },
	'feed.search': { address: addresses },
	'folder.rename': { newFolderName: ['Reading 1', 'Reading 2', 'Reading 3'] },
	'folder.move': async () => ({ toFolder: await newFolders() }),
	'folder.saveOrder': async () => {
		const { folders } = await reader.read('/reader/feeds');
		return { folders: [folders, folders, folders] };
	},
	'savedSearch.delete': async () => {
		for (const feed_id of feedIds) await reader.write('/reader/save_search', { feed_id, query: 'tools' });
		return { savedQuery: 'tools' };
	},
	'subscriptionList.upload': {
		listSource: 'text',
		opmlText: [1, 2, 3].map((n) => opmlOf(`${addresses[2]}?copy=${300_000 + n}`)),
	},
});
