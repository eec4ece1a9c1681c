import { wildMatching, contractMatching } from '../../sandbox/reader/folders/matching.ts';
import {
	addFeed,
	addFolder,
	parseTree,
	removeFeed,
	removeFolder,
	renameFolder,
	topLevel,
	type FolderTree,
} from '../../sandbox/reader/folders/tree.ts';
import { asReader, type ReaderClient } from '../support/clients/reader-client.ts';

/** Folder trees: the pure functions, and the endpoints with and without the quirks of real hosts. */

const tree: FolderTree = [99, { Tech: [42, { Deep: [77, 42] }] }, { Food: [] }, { Tools: [{ Deep: [5] }] }];

test('does not modify the tree', () => {
	const before = JSON.stringify(tree);
	addFeed(tree, 1, topLevel);
	removeFolder(tree, 'Tech', topLevel);
	renameFolder(tree, 'Food', 'Meals', topLevel);
	expect(JSON.stringify(tree)).toBe(before);
});

test('contract: finds folders by name or path, and reports missing ones', () => {
	const { inside, target } = contractMatching;
	expect(addFeed(tree, 1, target('Tools - Deep'))).toEqual([
		99,
		{ Tech: [42, { Deep: [77, 42] }] },
		{ Food: [] },
		{ Tools: [{ Deep: [5, 1] }] },
	]);
	expect(addFeed(tree, 99, target(''))).toEqual(tree);
	expect(addFeed(tree, 1, target('nothing'))).toBeNull();
	expect(removeFeed(tree, 42, inside('Tech - Deep'))?.[1]).toEqual({ Tech: [42, { Deep: [77] }] });
	expect(removeFeed(tree, 42, inside(''))).toBeNull();
	expect(removeFolder(tree, 'Deep', inside('Tools'))).toEqual({
		tree: [99, { Tech: [42, { Deep: [77, 42] }] }, { Food: [] }, { Tools: [] }],
		contents: [5],
	});
	expect(renameFolder(tree, 'toString', 'x', inside(''))).toBeNull();
	expect(addFolder(tree, 'Food', target(''), [3])?.[2]).toEqual({ Food: [3] });
});

test('wild: a blank name matches every folder; names match partially, targets case-insensitively', () => {
	const { inside, target } = wildMatching;
	expect(removeFeed(tree, 42, inside(''))?.[1]).toEqual({ Tech: [{ Deep: [77, 42] }] });
	expect(removeFeed(tree, 42, inside('eep'))?.[1]).toEqual({ Tech: [42, { Deep: [77] }] });
	expect(removeFeed(tree, 42, inside('Tech - Deep'))).toBeNull();
	expect(addFeed(tree, 1, target('food'))?.[2]).toEqual({ Food: [1] });
	expect(addFeed(tree, 1, target('Tech - Deep'))).toBeNull();
	expect(addFeed(tree, 1, target(' '))?.at(-1)).toBe(1);
	expect(addFeed(tree, 1, target('Top Level of all'))?.at(-1)).toBe(1);
});

test('reads a structure only from JSON', () => {
	expect(parseTree('[1,{"A":[2],"B":[]}]')).toEqual([1, { A: [2] }, { B: [] }]);
	for (const text of ['', '{}', '["1"]', '[1.5]', '[{"A":1}]', '[null]', 'null']) {
		expect(parseTree(text)).toBeNull();
	}
});

async function folders(client: ReaderClient): Promise<unknown> {
	return (await client.get('/reader/feeds')).body.folders;
}

const start = [
	{ News: [1, { Cities: [2] }] },
	{ Technology: [3, { Hardware: [4] }] },
	{ Science: [5] },
	{ Culture: [6, 7, 8] },
	{ Life: [{ Food: [9] }] },
	10,
];

test('contract: creates, moves, renames and deletes feeds and folders', () =>
	asReader({}, async (client) => {
		expect(await folders(client)).toEqual(start);
		expect(
			(await client.post('/reader/add_folder', { folder: 'Deep', parent_folder: 'Hardware' })).body,
		).toMatchObject({ code: 1, message: '' });
		await client.post('/reader/move_feed_to_folder', { feed_id: 10, in_folder: '', to_folder: 'Deep' });
		const moved = await client.post('/reader/move_folder_to_folder', {
			folder_name: 'Hardware',
			in_folder: 'Technology',
			to_folder: '',
		});
		expect(moved.body.folders).toEqual([
			{ News: [1, { Cities: [2] }] },
			{ Technology: [3] },
			{ Science: [5] },
			{ Culture: [6, 7, 8] },
			{ Life: [{ Food: [9] }] },
			{ Hardware: [4, { Deep: [10] }] },
		]);
		await client.post('/reader/rename_folder', {
			folder_to_rename: 'Deep',
			new_folder_name: 'Deeper',
			in_folder: 'Hardware',
		});
		const flat = (await client.get('/reader/feeds', { flat: true })).body;
		expect(flat['flat_folders']).toMatchObject({ 'Hardware - Deeper': [10], 'News - Cities': [2] });
		expect(flat).not.toHaveProperty('folders');

		const deleted = await client.post('/reader/delete_folder', { folder_to_delete: 'Hardware' });
		expect(deleted.body.folders).toHaveLength(5);
		const { feeds } = (await client.get('/reader/feeds')).body;
		expect(feeds).not.toHaveProperty('4');
		expect(feeds).not.toHaveProperty('10');
		expect(feeds).toHaveProperty('5');
	}));

test('saves the whole order; a new feed title applies only to the account', () =>
	asReader({}, async (client) => {
		const order = [10, 9, { All: [8, 7, 6, { More: [5, 4, 3, 2, 1] }] }];
		const saved = await client.post('/reader/save_feed_order', { folders: JSON.stringify(order) });
		expect(saved.body).toEqual({ result: 'ok', authenticated: true, user_id: 1 });
		expect(await folders(client)).toEqual(order);
		await client.post('/reader/rename_feed', { feed_id: 1, feed_title: 'Mine' });
		const friend = await client.as('friend');
		const title = async (one: ReaderClient) => (await one.get('/reader/feeds')).body.feeds['1']?.feed_title;
		expect([await title(client), await title(friend)]).toEqual(['Mine', 'The Harbour Lantern']);
	}));

test('wild: the quirks of real hosts', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const post = async (call: string, fields: Record<string, string | number>) =>
			(await client.post(`/reader/${call}`, fields)).body;
		// With an unknown target, the feed is in no folder, but stays subscribed.
		expect(await post('move_feed_to_folder', { feed_id: 10, in_folder: '', to_folder: 'No' })).toMatchObject({
			code: 1,
			folders: start.slice(0, 5),
		});
		expect((await client.get('/reader/feeds')).body.feeds).toHaveProperty('10');
		// A blank folder matches any: the feed is removed from its first folder.
		const moved = await post('move_feed_to_folder', { feed_id: 2, in_folder: '', to_folder: 'science' });
		expect(moved.folders).toMatchObject([{ News: [1, { Cities: [] }] }, {}, { Science: [5, 2] }, {}, {}]);
		// If no folder matches, the feed is added to a second folder.
		const twice = await post('move_feed_to_folder', { feed_id: 1, in_folder: 'No', to_folder: 'Life' });
		expect(twice.folders).toMatchObject([
			{ News: [1, { Cities: [] }] },
			{},
			{},
			{},
			{ Life: [{ Food: [9] }, 1] },
		]);
		expect(await post('rename_folder', { folder_to_rename: 'No', new_folder_name: 'X' })).toMatchObject({
			code: 1,
		});
		expect(await post('delete_feed', { feed_id: 999 })).toMatchObject({ code: 1 });
		// Only listed feeds are unsubscribed.
		const deleted = await post('delete_folder', { folder_to_delete: 'Culture', in_folder: '', feed_id: 6 });
		expect(deleted.folders).toHaveLength(4);
		const { feeds } = (await client.get('/reader/feeds')).body;
		expect([feeds['6'], feeds['7']?.id]).toEqual([undefined, 7]);
		expect(await post('save_feed_order', { folders: '[1]' })).not.toHaveProperty('code');
		expect(await folders(client)).toEqual([1]);
		expect((await client.post('/reader/add_folder')).status).toBe(500);
	}));
