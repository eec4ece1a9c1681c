import type { Queries, StoryRow, UserRow } from './storage/queries.ts';
import { builtinFeedList } from '../feeds/builtin/index.ts';
import { userByName, createUser } from './accounts.ts';
import { feedByAddress, ensureFeed } from './fetching/fetcher.ts';
import type { Reader } from './reader.ts';
import { follow } from './social/relations.ts';
import { addReply, likeComment, shareStory } from './social/sharing.ts';
import { findStories } from './stories/find.ts';
import { saveStory } from './stories/saving.ts';
import { randomBytes } from 'node:crypto';
import { atPath } from './folders/matching.ts';
import { addFeed, addFolder, type FolderTree } from './folders/tree.ts';

/** Columns that may contain URLs of the sandbox. */
const addressed: readonly [table: string, columns: readonly string[]][] = [
	['reader_feeds', ['address', 'link']],
	['reader_stories', ['link', 'content', 'image_urls']],
];

/** Changes the origin of the built-in feeds in a data file after a start on another port. */
export function moveToOrigin(db: Queries, origin: string): void {
	const known = db.get<{ value: string }>(`SELECT value FROM reader_facts WHERE name = 'origin'`)?.value;
	if (known === origin) return;
	db.transaction(() => {
		if (known !== undefined) {
			for (const [table, columns] of addressed) {
				for (const column of columns) {
					db.run(
						`UPDATE ${table} SET ${column} = replace(${column}, ?1, ?2) WHERE instr(${column}, ?1) > 0`,
						`${known}/`,
						`${origin}/`,
					);
				}
			}
		}
		db.run(
			`INSERT INTO reader_facts VALUES ('origin', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
			origin,
		);
	});
}

const friendsComments = ['Worth the time.', 'I had to read this twice.', ''];
const savedWith: readonly { tags: string[]; highlights: string[] }[] = [
	{ tags: ['later'], highlights: [] },
	{ tags: ['later', 'ideas'], highlights: [] },
	{ tags: [], highlights: ['a sentence worth keeping'] },
];

/** Whether the initial content was already created. */
export function isSeeded(db: Queries): boolean {
	return db.get(`SELECT 1 FROM reader_facts WHERE name = 'seeded'`) !== undefined;
}

/** Creates shares, comments and likes of two accounts, so that every social endpoint returns data. */
export function seedSocial(reader: Reader): void {
	const [owner, friend] = [userByName(reader.db, 'reader'), userByName(reader.db, 'friend')];
	const stories = newestStories(reader, owner);
	if (owner === undefined || friend === undefined) return;
	reader.db.transaction(() => {
		reader.db.run(`INSERT INTO reader_facts VALUES ('seeded', '1')`);
		follow(reader, owner, friend);
		follow(reader, friend, owner);
		friendsComments.forEach((comment, index) => {
			const story = stories[index];
			if (story) shareStory(reader, friend, story, comment, null);
		});
		const own = stories[friendsComments.length];
		if (own) {
			const share = shareStory(reader, owner, own, 'My favourite of the week.', null);
			addReply(reader, friend, share, own, 'Mine too.');
			likeComment(reader, friend, share, own);
		}
		savedWith.forEach((saved, index) => {
			const story = stories[index + 1];
			if (story) saveStory(reader, owner, story, { ...saved, notes: null });
		});
	});
}

/** The newest story of each built-in feed. */
function newestStories(reader: Reader, viewer: UserRow | undefined): StoryRow[] {
	if (viewer === undefined) return [];
	return builtinFeedList(reader.origin).flatMap(({ url }) => {
		const feed = feedByAddress(reader.db, url);
		if (feed === undefined) return [];
		return findStories(reader, viewer, {
			feedIds: [feed.id],
			filter: 'all',
			oldestFirst: false,
			limit: 1,
			offset: 0,
		});
	});
}

export const sandboxPassword = 'sandbox-password';

interface DefaultAccount {
	username: string;
	isDemo?: boolean;
	/** The subscribed built-in feeds. */
	reads(index: number): boolean;
}

const defaultAccounts: readonly DefaultAccount[] = [
	{ username: 'reader', reads: () => true },
	{ username: 'friend', reads: (index) => index % 2 === 0 },
	{ username: 'demo', isDemo: true, reads: (index) => index < 3 },
];

/** Creates the default accounts with subscriptions of the built-in feeds, unless the data file has them. */
export function seedAccounts(db: Queries, now: number, origin: string): void {
	if (db.get('SELECT 1 FROM reader_users')) return;
	db.transaction(() => addAccounts(db, now, origin));
}

function addAccounts(db: Queries, now: number, origin: string): void {
	const feeds = builtinFeedList(origin).map((feed) => ({
		...feed,
		id: ensureFeed(db, now, feed.url, feed.title),
	}));
	for (const { username, isDemo, reads } of defaultAccounts) {
		const user = createUser(db, now, {
			username,
			email: `${username}@reader.example`,
			password: isDemo ? randomBytes(24).toString('base64url') : sandboxPassword,
			isDemo,
		});
		subscribeAll(
			db,
			now,
			user,
			feeds.filter((_feed, index) => reads(index)),
		);
	}
}

function subscribeAll(
	db: Queries,
	now: number,
	user: UserRow,
	feeds: readonly { id: number; folder: readonly string[] }[],
): void {
	let tree: FolderTree = [];
	for (const { id, folder } of feeds) {
		db.run(
			'INSERT INTO reader_subscriptions (user_id, feed_id, created_at) VALUES (?, ?, ?)',
			user.id,
			id,
			now,
		);
		folder.forEach((name, depth) => {
			tree = addFolder(tree, name, atPath(folder.slice(0, depth))) ?? tree;
		});
		tree = addFeed(tree, id, atPath(folder)) ?? tree;
	}
	db.run('UPDATE reader_users SET folders = ? WHERE id = ?', JSON.stringify(tree), user.id);
}
