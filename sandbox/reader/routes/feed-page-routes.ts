import { FeedFailure, unlessFailed, fetchPage } from '../../feeds/http.ts';
import { extractReadable } from '../../feeds/html.ts';
import { classifiersByFeed, classifierRecord } from '../classifiers.ts';
import { Document, Fault, Rejection, BareList } from '../http/response.ts';
import { read, type Call, type Route } from '../http/reader-route.ts';
import type { FeedRow } from '../storage/queries.ts';
import { storyByHash } from '../stories/find.ts';
import { feedById, recordFetch } from '../fetching/fetcher.ts';
import { popularAuthors, popularTags, feedFigures, feedStatistics } from '../feeds/statistics.ts';
import { subscribedFeeds } from '../subscriptions.ts';

function needFeed(call: Call, id: string | undefined): FeedRow {
	const feed = /^\d{1,15}$/.test(id ?? '') ? feedById(call.db, Number(id)) : undefined;
	if (feed === undefined) throw new Fault(`There is no feed ${id ?? ''}.`, 404);
	return feed;
}

/** Fetches a page; its URL becomes the base, so that its links and pictures work. */
async function pageOf(call: Call, address: string): Promise<string> {
	const { html, url } = await fetchPage(address, call.reader.policy);
	const base = `<base href="${url.replaceAll('"', '%22')}">`;
	return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + base) : base + html;
}

/** The site's page. */
async function originalPage(call: Call): Promise<Document> {
	const feed = needFeed(call, call.path['id']);
	const note = (status: number, message: string) =>
		recordFetch(call.db, call.reader.now(), feed.id, 'page', status, message);
	try {
		const html = await pageOf(call, feed.link || feed.address);
		note(200, 'OK');
		return Document.html(html);
	} catch (error) {
		if (!(error instanceof FeedFailure)) throw error;
		note(error.status, error.message);
		throw new Fault(error.message, 404);
	}
}

async function originalStory(call: Call): Promise<Document> {
	const hash = call.need('story_hash');
	const story = storyByHash(call.reader, hash);
	const html = story && (await unlessFailed(() => pageOf(call, story.link)));
	if (html === undefined) throw new Fault(`There is no page of the story ${hash}.`, 404);
	return Document.html(html);
}

async function originalText(call: Call): Promise<object> {
	const { parameters, reader } = call;
	const hash = parameters.text('story_hash');
	const none = { original_text: null, failed: true };
	if (!hash) throw new Rejection('Missing story_hash.', 400, none);
	const story = storyByHash(reader, hash);
	if (story === undefined) throw new Rejection('Story not found.', 404, none);
	const page = await unlessFailed(() => fetchPage(story.link, reader.policy));
	const text = page ? extractReadable(page.html, page.url) : null;
	return {
		feed_id: story.feed_id,
		story_hash: story.story_hash,
		story_id: story.guid,
		image_urls: JSON.parse(story.image_urls) as string[],
		original_text: text,
		failed: text === null,
	};
}

/** The requested feeds to which the account is subscribed. An unknown feed is a 404. */
function requestedFeeds(call: Call): number[] {
	const requested = call.parameters.integers('feed_id');
	for (const id of requested) needFeed(call, String(id));
	return subscribedFeeds(call.reader, call.user, requested);
}

/** Popular and own classifiers; without `feed_id` of the feeds the account has not trained. */
function feedsTrainer(call: Call): BareList {
	const { reader, user, parameters } = call;
	const classifiers = classifiersByFeed(reader, user);
	const ids = parameters.has('feed_id')
		? requestedFeeds(call)
		: subscribedFeeds(reader, user).filter((id) => !classifiers.has(String(id)));
	const figures = feedFigures(reader, ids);
	const lastMonth = (id: number) => figures.get(id)?.storiesLastMonth ?? 0;
	return new BareList(
		'feeds',
		ids
			.toSorted((a, b) => lastMonth(b) - lastMonth(a))
			.map((id) => ({
				classifiers: classifierRecord(classifiers.get(String(id))),
				feed_id: id,
				stories_last_month: lastMonth(id),
				num_subscribers: figures.get(id)?.subscribers ?? 0,
				feed_tags: popularTags(reader, id),
				feed_authors: popularAuthors(reader, id),
			})),
	);
}

export const feedPageRoutes: readonly Route[] = [
	read('/reader/page/:id', originalPage),
	read('/rss_feeds/original_story', originalStory),
	read('/rss_feeds/original_text', originalText),
	read('/reader/feeds_trainer', feedsTrainer),
	read('/rss_feeds/statistics/:id', (call) => feedStatistics(call.reader, needFeed(call, call.path['id']))),
];
