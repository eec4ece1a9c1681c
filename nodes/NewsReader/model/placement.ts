import { getOrCreate, isRecord, toInteger } from '../../runtime/values';
import { areSame, foldersOf } from './folders';
import type { Subscriptions } from './subscriptions';

/** The service's tree of folders: feed ids, and objects with a folder's name and contents. */
export type Tree = unknown[];

/** A feed of a list to import, with the names of its folder. */
export interface ListedFeed {
	url: string;
	names: string[];
}

/** The account's tree and the addresses of its feeds. */
export interface SubscribedFeeds {
	tree: Tree;
	/** The ids of the feeds, by address. The service may have several feeds with one address. */
	ids: Map<string, number[]>;
}

/** The account's tree and feeds; undefined if the service returned no tree. */
export function subscribedFeeds({ tree, feeds }: Subscriptions): SubscribedFeeds | undefined {
	const ids = new Map<string, number[]>();
	for (const { id, feed_address: address } of feeds) {
		const number = toInteger(id);
		if (number !== undefined) getOrCreate(ids, addressKey(String(address)), (): number[] => []).push(number);
	}
	return Array.isArray(tree) ? { tree, ids } : undefined;
}

/** An address without what the service changes in it: the scheme, capitals in the host, a slash at the end. */
export function addressKey(address: string): string {
	if (!URL.canParse(address.trim())) return address.trim();
	const { host, pathname, search } = new URL(address.trim());
	return `${host}${pathname.replace(/\/$/, '')}${search}`;
}

/** Puts a feed into a folder of the tree, which is created if it is missing. */
function place(tree: Tree, [name, ...inner]: string[], feedId: number): void {
	if (name === undefined) {
		if (!tree.some((entry) => toInteger(entry) === feedId)) tree.push(feedId);
		return;
	}
	const existing = tree.filter(isRecord).find((entry) => areSame(Object.keys(entry), [name]));
	const folder = existing ?? { [name]: [] };
	if (!existing) tree.push(folder);
	place(Object.values(folder)[0] as Tree, inner, feedId);
}

/** Each folder with its feeds, in an order that does not depend on theirs. */
const contents = (tree: Tree): string =>
	JSON.stringify(
		foldersOf(tree)
			.map(({ names, feedIds }) => JSON.stringify([names, [...feedIds].sort((a, b) => a - b)]))
			.sort(),
	);

/**
 * The tree that an import should leave: the earlier one with the listed feeds in their folders; undefined if it is what
 * the service made. The service finds the folder of an imported feed by its name alone, wherever it is (seen in the
 * wild). Feeds that are known under another address than in the list stay where the service put them.
 */
export function repairedTree(
	before: SubscribedFeeds,
	after: SubscribedFeeds,
	listed: readonly ListedFeed[],
): Tree | undefined {
	const tree = JSON.parse(JSON.stringify(before.tree)) as Tree;
	const known = new Set([...before.ids.values()].flat());
	const placed = new Set(known);
	for (const { url, names } of listed) {
		const ids = after.ids.get(addressKey(url)) ?? [];
		const added = ids.filter((id) => !known.has(id));
		for (const id of added.length > 0 ? added : ids) {
			place(tree, names, id);
			placed.add(id);
		}
	}
	for (const { names, feedIds } of foldersOf(after.tree)) {
		for (const id of feedIds) if (!placed.has(id)) place(tree, names, id);
	}
	return contents(tree) === contents(after.tree) ? undefined : tree;
}
