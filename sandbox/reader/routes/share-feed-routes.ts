import { generateAtomFeed } from 'feedsmith';
import { html, type Html, page } from '../../shared/html.ts';
import { Document, Rejection } from '../http/response.ts';
import { read, type Call, type Route, pageOf, type PagedList } from '../http/reader-route.ts';
import { classifierRecord, classifiersByFeed } from '../classifiers.ts';
import { storyHistories, classifierCounts } from '../feeds/statistics.ts';
import { feedRecords } from '../feeds/listing.ts';
import { subscribedFeeds } from '../subscriptions.ts';
import { type ShareRow, type UserRow, inList } from '../storage/queries.ts';
import { storiesById } from '../stories/find.ts';
import { unreadShareCondition } from '../stories/counts.ts';
import { sharesReadTo } from '../stories/marks.ts';
import { presentStories, withoutHidden } from '../stories/present-stories.ts';
import { commentRecords } from '../social/comments.ts';
import { commentFragment } from './fragment-routes.ts';
import { isClosed, isPrivate, needSharer, needUser } from './search-routes.ts';
import {
	followersOf,
	publicProfile,
	shareFeedsOf,
	shareFeedUrl,
	sharePageUrl,
} from '../social/profile-records.ts';

const rssLength = 25;
const pageLength = 50;

/** The owner of the share feed in the path, if it is visible. */
function ownerOf(call: Call): UserRow {
	return unlessPrivate(call, needSharer(call));
}

function unlessPrivate(call: Call, owner: UserRow): UserRow {
	if (isPrivate(call, owner)) throw new Rejection('This share feed is private.', 403);
	return owner;
}

function sharesOf(call: Call, owner: UserRow, limit: number): ShareRow[] {
	return call.db.all<ShareRow>(
		'SELECT * FROM reader_shares WHERE user_id = ? ORDER BY shared_at DESC, id DESC LIMIT ?',
		owner.id,
		limit,
	);
}

interface SharedRow {
	story_id: number;
	user_id: number;
	/** Time of the share; epoch milliseconds. */
	last_at: number;
}

interface SharedSearch {
	sharerIds: readonly number[];
	list: PagedList;
	unreadOnly: boolean;
	oldestFirst: boolean;
	/** Only stories with this text in title, author or a tag; other filters have no effect. */
	query?: string;
	/** Only stories that were shared after this; epoch milliseconds. */
	after?: number;
	/** Whether all stories count as read. */
	asRead?: boolean;
	/** Whether stories include their text; true if undefined. */
	content?: boolean;
}

/** A page of the stories that accounts shared, by date. A story of several counts for the last who shared it, on real hosts for the last in the request. */
function findShared(call: Call, search: SharedSearch): SharedRow[] {
	const { reader, user } = call;
	const { sharerIds, list, unreadOnly, oldestFirst, after = 0 } = search;
	const { limit, offset } = pageOf(call, list);
	const direction = oldestFirst ? 'ASC' : 'DESC';
	const condition = unreadOnly ? unreadShareCondition(reader, user) : search.query && foundBy(search.query);
	const { sql, values } = condition || { sql: 'TRUE', values: [] };
	return call.db.all<SharedRow>(
		`SELECT story_id, user_id, shared_at last_at, MAX(sharers.key) FROM reader_shares shares
		JOIN json_each(?) sharers ON sharers.value = user_id WHERE shared_at > ? AND ${sql}
		GROUP BY story_id ORDER BY last_at ${direction}, story_id ${direction} LIMIT ? OFFSET ?`,
		inList(sharerIds),
		after,
		...values,
		limit,
		offset,
	);
}

/** Searches an account's shares like real hosts: for the whole text instead of words. */
function foundBy(query: string) {
	return {
		sql: `EXISTS (SELECT 1 FROM reader_stories stories WHERE stories.id = story_id
			AND (instr(lower(title), ?) > 0 OR instr(lower(authors), ?) > 0
			OR EXISTS (SELECT 1 FROM json_each(tags) WHERE instr(lower(value), ?) > 0)))`,
		values: Array.from({ length: 3 }, () => query.toLowerCase()),
	};
}

/** Stories that accounts shared. Real hosts hide none, and key the classifiers by feed. */
function sharedStories(call: Call, search: SharedSearch): object {
	const startedAt = performance.now();
	const { reader, user, parameters } = call;

	const rows = findShared(call, search);
	const shares = new Map(rows.map((row) => [row.story_id, row]));
	const stories = storiesById(reader, [...shares.keys()]);
	if (stories.length === 0 && search.list === 'sharedStories') return { stories: [], message: null };
	const presented = presentStories(reader, user, stories, {
		sharerOf: ({ id }) => shares.get(id)?.user_id,
		sharedAt: ({ id }) => shares.get(id)?.last_at,
		content: search.content,
		list: search.list === 'socialRiver' ? 'shareRiver' : 'shareFeed',
		readStatus: search.asRead ? 1 : undefined,
	});
	const shown = withoutHidden(reader, presented.stories, parameters.flag('include_hidden'));
	const subscribed = subscribedFeeds(reader, user);
	const feedIds = [...new Set(stories.map((story) => story.feed_id))];
	const unknown = feedIds.filter((id) => !subscribed.includes(id));
	const classifiers = classifiersByFeed(reader, user);
	const keys = feedIds.map(String);
	return {
		stories: shown.stories,
		user_profiles: presented.user_profiles,
		feeds: [...feedRecords(reader, user, unknown).values()],
		classifiers: Object.fromEntries(keys.map((key) => [key, classifierRecord(classifiers.get(key))])),
		...(!reader.isReal && shown.count),
		...(!(search.list === 'sharedStories') && {
			elapsed_time: Number(((performance.now() - startedAt) / 1000).toFixed(3)),
		}),
	};
}

/** Interface document, "Social": by default unread stories only. */
function socialRiver(call: Call): object {
	const { parameters, reader, user } = call;
	const following = shareFeedsOf(reader, user.id);
	const requested = parameters.integers('social_user_ids');

	const everybody = requested.length === 0;
	const sharerIds = (everybody ? following : requested).filter((id) => following.includes(id));
	const unreadOnly = parameters.text('read_filter') !== 'all';
	return sharedStories(call, {
		sharerIds,
		list: 'socialRiver',
		unreadOnly,
		oldestFirst: call.oldestFirst,
	});
}

function shareFeedStories(call: Call): object {
	const { reader, user } = call;
	const owner = needSharer(call);
	if (isClosed(call, owner)) {
		const message = `${owner.username} has a private blurblog and you must be following them in order to read it.`;
		return { stories: [], message };
	}
	const foreign = !shareFeedsOf(reader, user.id).includes(owner.id);

	const query = call.parameters.text('query')?.trim();
	if (query && !reader.isPremium(user)) {
		return { stories: [], message: 'You must be a premium subscriber to search.' };
	}
	const oldestFirst = call.oldestFirst && !foreign && !query;
	return sharedStories(call, {
		sharerIds: [owner.id],
		list: 'sharedStories',
		query,
		unreadOnly: call.parameters.text('read_filter') === 'unread' && !foreign && !query,
		oldestFirst,
		asRead: foreign,
		content: call.parameters.flag('include_story_content', true),
		after: oldestFirst ? sharesReadTo(reader, user, owner.id) : 0,
	});
}

/** An Atom document, labeled RSS as on real hosts. */
function shareFeed(call: Call): Document {
	const { reader } = call;
	const owner = needSharer(call);
	if (owner.is_private === 1) return Document.html('', 403);

	const shares = sharesOf(call, owner, rssLength);
	const stories = new Map(
		storiesById(
			reader,
			shares.map((share) => share.story_id),
		).map((story) => [story.id, story]),
	);
	const text = (value: string) => ({ value, type: 'text' });
	const updated = new Date(shares[0]?.shared_at ?? owner.created_at);
	const body = generateAtomFeed({
		id: shareFeedUrl(reader, owner),
		title: text(`${owner.username}'s shared stories`),
		links: [
			{ href: shareFeedUrl(reader, owner), rel: 'self', type: 'application/atom+xml' },
			{ href: sharePageUrl(reader, owner), rel: 'alternate', type: 'text/html' },
		],
		authors: [{ name: owner.username }],
		updated,
		entries: shares.flatMap((share) => {
			const story = stories.get(share.story_id);
			if (story === undefined) return [];
			const comment = share.comments && html`<blockquote>${share.comments}</blockquote>`.text;
			const sharedAt = new Date(share.shared_at);
			return [
				{
					id: story.link,
					title: text(story.title),
					links: [{ href: story.link, rel: 'alternate', type: 'text/html' }],
					updated: sharedAt,
					published: sharedAt,
					authors: story.authors ? [{ name: story.authors }] : [],
					categories: (JSON.parse(story.tags) as string[]).map((term) => ({ term })),
					content: { value: comment + story.content, type: 'html' },
				},
			];
		}),
	});
	return new Document('application/rss+xml; charset=utf-8', body);
}

function sharePage(call: Call): Document {
	const owner = ownerOf(call);
	const shares = sharesOf(call, owner, pageLength);
	const comments = commentRecords(call.reader, shares);
	const stories = storiesById(
		call.reader,
		shares.map((share) => share.story_id),
	);
	const title = `${owner.username}'s shared stories`;
	const feed = html`<link
		rel="alternate"
		type="application/atom+xml"
		href="${shareFeedUrl(call.reader, owner)}"
	/>`;
	const articles = stories.map((story): Html => {
		const share = shares.find((row) => row.story_id === story.id);
		const comment = share && comments.get(share.id);
		return html`<section class="card">
			<h2><a href="${story.link}">${story.title}</a></h2>
			<p class="quiet">${story.authors}</p>
			${comment && comment.comments !== '' && commentFragment(call, comment)}
		</section>`;
	});
	const body = html`<h1>${title}</h1>
		<p>${owner.bio}</p>
		${articles}`;
	return Document.html(page(title, body, feed));
}

function settings(call: Call): object {
	return publicProfile(call.reader, needUser(call, call.path['user_id']));
}

function statistics(call: Call): object {
	const owner = needUser(call, call.path['user_id']);
	const profile = publicProfile(call.reader, owner);
	const shared = call.db.all<{ published_at: number }>(
		'SELECT shared_at published_at FROM reader_shares WHERE user_id = ? ORDER BY shared_at',
		owner.id,
	);
	const subscribers = followersOf(call.reader, owner.id).length;
	return {
		average_stories_per_month: profile['average_stories_per_month'],
		stories_last_month: profile['stories_last_month'],
		...storyHistories(shared),
		subscriber_count: subscribers,
		num_subscribers: subscribers,
		classifier_counts: classifierCounts(call.reader, `social:${owner.id}`),
	};
}

/**
 * The interface document wants an account for every call, but names none with the RSS feed and the page of shared stories: they
 * are for feed readers and browsers, which bring none.
 */
export const shareFeedRoutes: readonly Route[] = [
	read('/social/river_stories', socialRiver),
	read('/social/stories/:user_id/:username', shareFeedStories),
	{ ...read('/social/rss/:user_id/:username', shareFeed), access: 'open' },
	{ ...read('/social/page/:user_id/:username', sharePage), access: 'open' },
	read('/social/settings/:user_id/:username', settings),
	read('/social/statistics/:user_id/:username', statistics),
];
