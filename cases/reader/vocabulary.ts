/** The types and shared values of the cases: the requests of an item, their responses, and the expected output. */
import { optional, required, type Parameters, type Variant } from '../endpoint.ts';

/** One expected request of an item, and its response. */
export interface ExpectedCall {
	/** The variable parts of the path, in order. */
	path?: unknown[];
	query?: Record<string, string | string[]>;
	body?: Record<string, string | string[]>;
	response: object | string;
	headers?: Record<string, string>;
}

/** The parameters of one input item, its expected requests, and the expected output. */
export interface Item {
	/** Values by parameter, including those in collections. */
	form: Record<string, unknown>;
	calls: ExpectedCall[];
	/** The output records. */
	records: object[];
	/** The binary files of the first record: their texts by field. */
	files?: Record<string, string>;
}

export interface ReaderCase {
	/** `METHOD /path` in the notation of the interface document; ` by h` distinguishes two calls with one path. */
	call: string;
	/** The parameters of the call, as the document has them: in the query of a GET, in the form of a POST. */
	fields?: Parameters;
	deprecated?: true;
	/** Parameters that hosts read, but the document does not have. */
	seen?: readonly string[];
	/** Parameters that are the same for all items. */
	fixed?: Record<string, unknown>;
	/** What the node also requests: the account's feeds and folders, its profile, or the story of the comments. */
	alsoReads?: Array<keyof typeof fixedResponses>;
	/** The request has no session. */
	isAnonymous?: true;
	/** The n-th of three items. */
	item(n: number, variant: Variant): Item;
}

/** Parameters of several calls. */
export const common = {
	order: optional(['newest', 'oldest']),
	readFilter: optional(['all', 'unread']),
	format: optional(['json', 'html']),
	page: optional('integer'),
	shareFeed: { user_id: required('integer') },
	story: { feed_id: required('integer'), story_id: required() },
	comment: {
		story_feed_id: required('integer'),
		story_id: required(),
		comment_user_id: required('integer'),
	},
};

/** The names of opinions on a feed's stories, such as `like_tag`. */
export const opinions = ['tag', 'author', 'title', 'feed'].flatMap((kind) =>
	['like', 'dislike', 'remove_like', 'remove_dislike'].map((polarity) => `${polarity}_${kind}`),
);

/** Members of every response. */
export const envelope = { result: 'ok', authenticated: true, user_id: 7 };

/** The n-th of three values. */
export const nth = <Value>(n: number, ...values: [Value, Value, Value]): Value => values[n] as Value;

const guid = (n: number) => `https://weekly.example/?p=${6697 + n}`;
export const ids = { guid, hash: (n: number) => `${42 + n}:a1b2c${n}`, feed: (n: number) => 42 + n };

/** A story in a response. According to the document and on hosts, its time is a string of Unix seconds. */
export const story = (n: number, more: object = {}) => ({
	story_hash: ids.hash(n),
	id: guid(n),
	story_feed_id: ids.feed(n),
	story_title: `Ten small tools ${n}`,
	story_authors: 'Ada Example',
	story_permalink: `https://weekly.example/ten/${n}`,
	story_date: '2026-09-01 12:30:00',
	story_timestamp: '1788265800',
	story_content: `<p>Tool <b>${n}</b></p>`,
	story_tags: ['tools', 'cli'],
	read_status: n === 1 ? 1 : 0,
	score: n - 1,
	comment_count: null,
	...more,
});

/** A placeholder for the address of the fake service. */
export const HOST_PLACEHOLDER = '{host}';

/** The output for `story`, simplified. */
export const simpleStory = (n: number, more: object = {}) => ({
	hash: ids.hash(n),
	id: guid(n),
	title: `Ten small tools ${n}`,
	authors: 'Ada Example',
	permalink: `https://weekly.example/ten/${n}`,
	date: '2026-09-01T12:30:00.000Z',
	feedId: ids.feed(n),
	feedTitle: 'Invented Weekly 0',
	score: n - 1,
	read: n === 1,
	starred: false,
	tags: ['tools', 'cli'],
	userTags: [],
	highlights: [],
	content: `<p>Tool <b>${n}</b></p>`,
	source: HOST_PLACEHOLDER,
	...more,
});

/** The response member with the number of hidden stories. */
export const hiddenKey = (variant: Variant) =>
	variant === 'wild' ? 'hidden_stories_removed' : 'hidden_stories_count';

/** A page of stories and the empty page after it, requested with the same filters. */
export const storyList = (
	stories: object[],
	{ path, query = {}, more = {} }: { path?: unknown[]; query?: ExpectedCall['query']; more?: object } = {},
): ExpectedCall[] => [
	{ path, query: { ...query, page: '1' }, response: { stories, user_profiles: [], ...more, ...envelope } },
	{
		path,
		query: { ...query, page: '2' },
		response: { stories: [], user_profiles: [], ...more, ...envelope },
	},
];

/** A list in an envelope according to the document, or bare as hosts send it. */
export const bare = (variant: Variant, key: string, rows: object[]): object =>
	variant === 'wild' ? rows : { [key]: rows, ...envelope };

export const feed = (n: number) => ({
	id: ids.feed(n),
	feed_title: `Invented Weekly ${n}`,
	feed_address: `https://weekly.example/rss/${n}`,
	feed_link: 'https://weekly.example/',
	num_subscribers: 22,
	active: true,
});

export const profile = (n: number) => ({
	id: `social:${12 + n}`,
	user_id: 12 + n,
	username: nth(n, 'ada', 'bob', 'cy'),
	photo_url: 'https://photos.example/1.png',
	location: 'Oslo',
	num_subscribers: 3,
	feed_address: `http://reader.example/social/rss/${12 + n}/x`,
	feed_link: 'http://x.reader.example',
});

export const simpleProfile = (n: number) => ({
	id: 12 + n,
	username: nth(n, 'ada', 'bob', 'cy'),
	location: 'Oslo',
	photoUrl: 'https://photos.example/1.png',
	shareFeed: `http://reader.example/social/rss/${12 + n}/x`,
	sharePage: 'http://x.reader.example',
	followers: 3,
	source: HOST_PLACEHOLDER,
});

/** The responses to requests for the account's data. */
export const fixedResponses = {
	'/reader/river_stories': { stories: [], ...envelope },
	'/reader/refresh_feeds': { feeds: {}, ...envelope },
	'/reader/feed_unread_count': { feeds: {}, ...envelope },
	'/reader/starred_story_hashes': { starred_story_hashes: [], ...envelope },
	'/reader/feeds': {
		feeds: Object.fromEntries([42, 43, 44, 77].map((id) => [id, { ...feed(0), id }])),
		folders: [42, { Tech: [43, { Deep: [77] }] }, { Food: [44] }, { Play: [] }],
		saved_searches: [0, 1, 2].map((n) => ({ query: nth(n, 'rust', 'sun', 'go'), feed_id: `feed:${42 + n}` })),
		...envelope,
	},
	'/social/load_user_profile': {
		user_profile: {
			...profile(0),
			bio: 'Reads',
			website: 'https://me.example',
			photo_service: 'gravatar',
		},
		services: {},
		...envelope,
	},
};
