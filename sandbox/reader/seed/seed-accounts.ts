import { randomBytes } from 'node:crypto';
import { builtinFeedList } from '../../feeds/builtin/index.ts';
import { createUser } from '../accounts/users.ts';
import { ensureFeed } from '../fetching/catalog.ts';
import { atPath } from '../folders/paths.ts';
import { addFeed, addFolder, type FolderTree } from '../folders/tree.ts';
import type { Queries } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';

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
