import type { OpmlNode } from '../../feeds/opml.ts';
import { ensureFeed } from '../fetching/fetcher.ts';
import { subscribe } from '../subscriptions.ts';
import { folderTree, saveFolderTree } from './matching.ts';
import { contentsOf, type FolderTree } from './tree.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';

export function countFeeds(nodes: readonly OpmlNode[]): number {
	return nodes.reduce((sum, node) => sum + (node.kind === 'feed' ? 1 : countFeeds(node.children)), 0);
}

/** Subscribes to all feeds in an outline and merges its folders into the account's. @returns the ids of the feeds */
export function importOutline(reader: Reader, user: UserRow, nodes: readonly OpmlNode[]): number[] {
	const ids = new Set<number>();
	const added: number[] = [];
	reader.db.transaction(() => {
		const tree = merge(folderTree(reader, user), nodes, (node) => {
			const id = ensureFeed(reader.db, reader.now(), node.xmlUrl, node.title);
			if (subscribe(reader, user, id)) added.push(id);
			ids.add(id);
			return id;
		});
		saveFolderTree(reader, user, tree);
	});
	for (const id of added) void reader.fetcher.fetch(id);
	return [...ids];
}

type FeedNode = Extract<OpmlNode, { kind: 'feed' }>;

function merge(tree: FolderTree, nodes: readonly OpmlNode[], feedOf: (node: FeedNode) => number): FolderTree {
	const merged = [...tree];
	for (const node of nodes) {
		if (node.kind === 'feed') {
			const id = feedOf(node);
			if (!merged.includes(id)) merged.push(id);
			continue;
		}
		const index = merged.findIndex((entry) => contentsOf(entry, node.title) !== undefined);
		const inside = contentsOf(merged[index], node.title) ?? [];
		const folder = { [node.title]: merge(inside, node.children, feedOf) };
		if (index >= 0) merged[index] = folder;
		else merged.push(folder);
	}
	return merged;
}
