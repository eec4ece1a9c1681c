/** Folders: how real hosts match names, and the paths of newer servers. */
import { asReader, type ReaderResponse, type ReaderClient } from '../support/clients/reader-client.ts';

const start = [
	{ News: [1, { Cities: [2] }] },
	{ Technology: [3, { Hardware: [4] }] },
	{ Science: [5] },
	{ Culture: [6, 7, 8] },
	{ Life: [{ Food: [9] }] },
	10,
];

const liveWire = 10;
const twins = [1, { Tech: [2, { Deep: [3, 4] }] }, { Food: [5, { Deep: [6, 3] }] }, 7, 8, 9, 10];

const path = (...names: string[]): string => JSON.stringify(names);
const foldersOf = async (client: ReaderClient): Promise<unknown[]> =>
	(await client.get('/reader/feeds')).body.folders;
/** The two folders at any position: some requests put feeds before folders. */
const techAndFood = async (client: ReaderClient): Promise<unknown[]> => {
	const folders = await foldersOf(client);
	return ['Tech', 'Food'].map((name) =>
		folders.find((entry) => typeof entry === 'object' && entry !== null && name in entry),
	);
};
const subscribed = async (client: ReaderClient): Promise<number[]> =>
	Object.keys((await client.get('/reader/feeds')).body.feeds).map(Number);

/** Runs as `reader`, with ten feeds in folders, two of which have the same name. */
const withTwins = (check: (client: ReaderClient) => Promise<void>) => () =>
	asReader({ variant: '2026' }, async (client) => {
		const { text } = await client.post('/reader/save_feed_order', { folders: JSON.stringify(twins) });
		expect(text).not.toContain('code');
		expect(await foldersOf(client)).toEqual(twins);
		await check(client);
	});

const refused = async (response: Promise<ReaderResponse>): Promise<void> => {
	expect(await response).toMatchObject({
		status: 200,
		body: { code: -1, message: expect.any(String) as string },
	});
};

test(
	'2026: nested lists of feeds announce that paths are supported, flat ones do not',
	withTwins(async (client) => {
		expect((await client.get('/reader/feeds')).body['folder_paths_supported']).toBe(true);
		expect(
			(await client.get('/reader/feeds', { flat: true })).body['folder_paths_supported'],
		).toBeUndefined();
	}),
);

describe('2026: paths', () => {
	test(
		'distinguishes folders with the same name, and prefers paths to names',
		withTwins(async (client) => {
			await client.post('/reader/rename_folder', {
				folder_path: path('Food', 'Deep'),
				folder_to_rename: 'Deep',
				in_folder: 'Tech',
				new_folder_name: 'Low',
			});
			expect((await techAndFood(client))[1]).toEqual({ Food: [5, { Low: [6, 3] }] });
			await client.post('/reader/delete_feed', {
				feed_id: 3,
				folder_path: path('Food', 'Low'),
				in_folder: 'Deep',
			});
			expect((await techAndFood(client))[1]).toEqual({ Food: [5, { Low: [6] }] });
			expect(await subscribed(client)).toContain(3);
			await client.post('/reader/add_folder', { folder: 'New', parent_folder_path: path('Tech', 'Deep') });
			await client.post('/reader/move_feed_to_folders', {
				feed_id: 3,
				in_folder_paths: JSON.stringify([['Tech', 'Deep']]),
				to_folder_paths: JSON.stringify([['Tech', 'Deep', 'New'], []]),
			});
			expect((await techAndFood(client))[0]).toEqual({ Tech: [2, { Deep: [4, { New: [3] }] }] });
			expect(await foldersOf(client)).toContain(3);
			await client.post('/reader/delete_folder', { folder_path: path('Tech', 'Deep'), feed_id: 4 });
			expect((await techAndFood(client))[0]).toEqual({ Tech: [2] });
			expect(await subscribed(client)).not.toContain(4);
		}),
	);

	test(
		'adds a feed at a path, in a new folder if requested',
		withTwins(async (client) => {
			const url = `${client.origin}/feeds/live-wire/feed.xml`;
			const { body } = await client.get('/reader/feeds');
			const address = String(body.feeds[liveWire]?.['feed_address'] ?? url);
			await client.post('/reader/delete_feed', { feed_id: liveWire });
			await client.post('/reader/add_url', {
				url: address,
				folder_path: path('Food', 'Deep'),
				folder: 'Tech',
			});
			await client.post('/reader/add_url', { url: address, folder_path: path('Tech'), new_folder: 'Wires' });
			expect(await techAndFood(client)).toEqual([
				{ Tech: [2, { Deep: [3, 4] }, { Wires: [liveWire] }] },
				{ Food: [5, { Deep: [6, 3, liveWire] }] },
			]);
		}),
	);
});

test('2026: a structure that lacks more than five feeds, or 15 % of many, is rejected', () =>
	asReader({ variant: '2026' }, async (client) => {
		const save = (folders: unknown[]) =>
			client.post('/reader/save_feed_order', { folders: JSON.stringify(folders) });
		const before = await foldersOf(client);
		await refused(save([1, 2, 3, 4]));
		expect(await foldersOf(client)).toEqual(before);
		expect((await save([1, 2, 3, 4, 5])).body.code).toBeUndefined();
		expect(await foldersOf(client)).toEqual([1, 2, 3, 4, 5]);
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
		expect(await foldersOf(client)).toEqual([1]);
		expect((await client.post('/reader/add_folder')).status).toBe(500);
	}));
