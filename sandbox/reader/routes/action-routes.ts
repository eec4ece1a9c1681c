import { FeedFailure } from '../../feeds/index.ts';
import { seconds } from '../format-date.ts';
import { subscribe } from '../subscriptions.ts';
import { feedById } from '../fetching/catalog.ts';
import { addStory } from '../fetching/keep-stories.ts';
import { folderMatching, folderTree, saveFolderTree } from '../folders/folder-store.ts';
import { addFeed, foldersOf } from '../folders/tree.ts';
import { read, type Call, type Route } from '../http/reader-route.ts';
import { sharePageUrl } from '../social/profile-records.ts';
import { hasSharedEnough, shareOf, sharesPerDay, shareStory } from '../social/sharing.ts';
import type { StoryRow } from '../storage/rows.ts';
import { storyInFeed } from '../stories/find.ts';
import { saveStory } from '../stories/saving.ts';
import { feedsAt } from './add-feed-routes.ts';
import { automation, bodyWith, needText, textIn, type Choice } from './automation-routes.ts';

/** The feed for stories that belong to no feed. */
const noFeed = 0;

async function feedAt(call: Call, url: string): Promise<number | undefined> {
	try {
		return (await feedsAt(call, url))[0];
	} catch (error) {
		if (error instanceof FeedFailure) return undefined;
		throw error;
	}
}

/** The story with a URL; created from the request if it is unknown. */
async function storyAt(call: Call, fields: Record<string, unknown>): Promise<StoryRow | undefined> {
	const { db, reader } = call;
	const url = needText(fields, 'story_url');
	const feedId = (await feedAt(call, url)) ?? noFeed;
	if (feedId === noFeed && feedById(db, noFeed) === undefined) {
		db.run(
			`INSERT INTO reader_feeds (id, address, title, created_at) VALUES (?, '', '', ?)`,
			noFeed,
			reader.now(),
		);
	}
	const known = storyInFeed(reader, feedId, url);
	if (known) return known;
	addStory(db, feedId, {
		guid: url,
		title: textIn(fields, 'story_title') || '[Untitled]',
		link: url,
		authors: textIn(fields, 'story_author'),
		publishedAt: reader.now(),
		content: textIn(fields, 'story_content'),
		tags: [],
		imageUrls: [],
	});
	return storyInFeed(reader, feedId, url);
}

/** Shares a story unless it is already shared. */
async function shareAction(call: Call): Promise<object> {
	const { reader, user } = call;
	const { fields } = bodyWith(call, 'actionFields');
	if (hasSharedEnough(reader, user)) {
		return { errors: [{ message: `You can only share ${sharesPerDay} stories per day.` }] };
	}
	const story = await storyAt(call, fields);
	if (story === undefined) return { data: [{ id: null, url: null }] };
	if (shareOf(reader, user.id, story.id) === undefined) {
		shareStory(reader, user, story, textIn(fields, 'comments'), null);
	}
	return { data: [{ id: story.guid, url: sharePageUrl(reader, user) }] };
}

async function saveAction(call: Call): Promise<object> {
	const { fields } = bodyWith(call, 'actionFields');
	const story = await storyAt(call, fields);
	if (story === undefined) return { data: [{ id: null, url: null }] };
	const tags = textIn(fields, 'user_tags').split(',');
	saveStory(call.reader, call.user, story, { tags, highlights: [], notes: null });
	return { data: [{ id: story.story_hash, url: story.link }] };
}

/** Without a feed, the response has no id and no error. */
async function addAction(call: Call): Promise<object> {
	const { db, reader, user } = call;
	const { fields } = bodyWith(call, 'actionFields');
	const url = needText(fields, 'url');
	const folder = needText(fields, 'folder');
	const id = await feedAt(call, url);
	if (id === undefined) return { data: [{ id: null, url }] };
	await reader.fetcher.fetch(id);
	const where = folderMatching(reader).target(folder === 'Top Level' ? '' : folder);
	const tree = folderTree(reader, user);
	db.transaction(() => {
		subscribe(reader, user, id);
		saveFolderTree(reader, user, addFeed(tree, id, where) ?? tree);
	});
	return { data: [{ id, url: feedById(db, id)?.address ?? url }] };
}

function folderChoices({ reader, user }: Call): object {
	const folders = foldersOf(folderTree(reader, user))
		.map(({ path }) => path.join(' - '))
		.toSorted()
		.map((title): Choice => ({ label: title || 'Top Level', value: title || 'Top Level' }));
	return { data: [{ label: 'All Site Stories', value: 'all' }, ...folders] };
}

const status = ({ reader }: Call): object => ({
	data: { status: 'OK', time: new Date(seconds(reader.now()) * 1000).toISOString().replace('.000', '') },
});

const actions = '/oauth/actions';

export const actionRoutes: readonly Route[] = [
	automation(`${actions}/share-story`, shareAction),
	automation(`${actions}/save-story`, saveAction),
	automation(`${actions}/add-site`, addAction),
	automation(`${actions}/add-site/fields/folder/options`, folderChoices),
	{ ...read('/oauth/status', status), access: 'open' },
];
