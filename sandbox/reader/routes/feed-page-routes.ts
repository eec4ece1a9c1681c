import { FeedFailure } from '../../feeds/failures.ts';
import { fetchPage } from '../../feeds/http.ts';
import { extractReadable } from '../../feeds/page.ts';
import { classifiersByFeed, classifierRecord } from '../classifiers/classifier-store.ts';
import { Document, Fault, Rejection, BareList } from '../http/response.ts';
import { read, type Call, type Route } from '../http/reader-route.ts';
import type { FeedRow, StoryRow } from '../storage/rows.ts';
import { storyByHash, storyInFeed } from '../stories/find.ts';
import { feedById, recordFetch } from '../fetching/catalog.ts';
import { popularAuthors, popularTags } from '../feeds/popular.ts';
import { feedFigures } from '../feeds/figures.ts';
import { feedStatistics } from '../feeds/statistics.ts';
import { subscribedFeeds } from '../subscriptions.ts';

function needFeed(call: Call, id: string | undefined): FeedRow {
	const feed = /^\d{1,15}$/.test(id ?? '') ? feedById(call.db, Number(id)) : undefined;
	if (feed === undefined) throw new Fault(`There is no feed ${id ?? ''}.`, 404);
	return feed;
}

/** A fetched page with its URL as base, so that its links and pictures work. */
function withBase(html: string, url: string): string {
	const base = `<base href="${url.replaceAll('"', '%22')}">`;
	return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + base) : base + html;
}

/** The site's page, fetched at the first request and cached. */
async function originalPage(call: Call): Promise<Document> {
	const feed = needFeed(call, call.path['id']);
	if (feed.page_html !== null) return Document.html(feed.page_html);
	const now = call.reader.now();
	try {
		const page = await fetchPage(feed.link || feed.address, call.reader.policy);
		const html = withBase(page.html, page.url);
		call.db.run('UPDATE reader_feeds SET page_html = ? WHERE id = ?', html, feed.id);
		recordFetch(call.db, now, feed.id, 'page', 200, 'OK');
		return Document.html(html);
	} catch (error) {
		if (!(error instanceof FeedFailure)) throw error;
		recordFetch(call.db, now, feed.id, 'page', error.status, error.message);
		throw new Fault(error.message, 404);
	}
}

/** A story's page, fetched at the first request and cached. @throws FeedFailure */
async function pageOf(call: Call, story: StoryRow): Promise<string> {
	if (story.original_html !== null) return story.original_html;
	const page = await fetchPage(story.link, call.reader.policy);
	const html = withBase(page.html, page.url);
	call.db.run('UPDATE reader_stories SET original_html = ? WHERE id = ?', html, story.id);
	return html;
}

async function originalStory(call: Call): Promise<Document> {
	const hash = call.need('story_hash');
	const story = storyByHash(call.reader, hash);
	if (story === undefined) throw new Fault(`There is no story ${hash}.`, 404);
	try {
		return Document.html(await pageOf(call, story));
	} catch (error) {
		if (!(error instanceof FeedFailure)) throw error;
		throw new Fault(error.message, 404);
	}
}

async function originalText(call: Call): Promise<object> {
	const { parameters, reader } = call;
	const hash = parameters.text('story_hash');
	const story = hash
		? storyByHash(reader, hash)
		: storyInFeed(reader, parameters.integer('feed_id', 0), parameters.text('story_id') ?? '');
	const none = { original_text: null, failed: true };
	if (!hash && !parameters.has('story_id')) throw new Rejection('Missing story_hash.', 400, none);
	if (story === undefined) throw new Rejection('Story not found.', 404, none);
	const text = await extractedText(call, story);
	return {
		feed_id: story.feed_id,
		story_hash: story.story_hash,
		story_id: story.guid,
		image_urls: JSON.parse(story.image_urls) as string[],
		original_text: text,
		failed: text === null,
	};
}

async function extractedText(call: Call, story: StoryRow): Promise<string | null> {
	if (story.original_text !== null) return story.original_text;
	try {
		const text = extractReadable(await pageOf(call, story), story.link);
		call.db.run('UPDATE reader_stories SET original_text = ? WHERE id = ?', text, story.id);
		return text;
	} catch (error) {
		if (error instanceof FeedFailure) return null;
		throw error;
	}
}

/** The requested feeds that are known. On real hosts, an unknown feed is a 404, and feeds without subscription are left out. */
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
