/** Folders whose names look like paths, and imports into folders whose names occur elsewhere. */
import type { IDataObject } from 'n8n-workflow';
import { controls, type ReaderClient } from '../support/clients/reader-client.ts';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { byId, records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

let reader: ReaderSandbox;
let me: ReaderClient;
beforeEach(async () => {
	reader = await ReaderSandbox.start({ variant: 'wild' });
	engine.credentials.setAll(sessionCredential(reader.baseUrl));
	me = await reader.logIn();
});

const run = async (name: string, parameters: object, inputs: object[] = [{}]) => {
	const [resource, operation] = name.split('.');
	return await runReader(engine, { resource, operation, ...parameters }, inputs);
};
const setFolders = async (folders: unknown[]): Promise<unknown> =>
	await me.post('/reader/save_feed_order', { folders: JSON.stringify(folders) });
const folders = async (): Promise<unknown> => (await me.get('/reader/feeds')).body.folders;

describe('a folder and another one whose name begins like a path in it', () => {
	const REST = [1, 5, 6, 7, 8, 9, 10];

	it('are told apart', async () => {
		await setFolders([...REST, { News: [2] }, { 'News/World': [3] }, { '/': [4] }]);
		const marked = records(await run('feed.markRead', { whichFeeds: 'folder', folder: byId('News') }));
		expect(marked).toEqual([{ feedId: 2, read: true }]);
		const world = { whichFeeds: 'folder', folder: byId('News\\/World'), returnAll: true };
		const hashes = records(await run('story.getUnreadHashes', world));
		expect(new Set(hashes.map(({ feedId }) => feedId))).toEqual(new Set([3]));
		const made = records(await run('folder.create', { folderName: 'AC/DC' }));
		expect(made).toMatchObject([{ name: 'AC/DC', path: 'AC\\/DC' }]);
		const inside = { folderName: 'Live', parentFolder: byId('AC/DC') };
		expect(records(await run('folder.create', inside))).toMatchObject([{ path: 'AC\\/DC / Live' }]);
		const paths = records(await run('folder.getAll', { returnAll: true })).map(({ path }) => path);
		expect(paths).toEqual(['News', 'News\\/World', '\\/', 'AC\\/DC', 'AC\\/DC / Live']);
	});

	it.each<[string, IDataObject]>([
		['feed.markRead', { whichFeeds: 'folder' }],
		['story.getUnreadHashes', { whichFeeds: 'folder' }],
		['river.getAll', { whichFeeds: 'folder' }],
		['folder.delete', {}],
		['feed.add', { feedUrl: 'https://a.example' }],
	])('are refused by %s if the path can mean both', async (name, parameters) => {
		await setFolders([...REST, { News: [{ World: [2] }] }, { 'News/World': [3, 4] }]);
		const { error } = await run(name, { ...parameters, folder: byId('News/World') });
		expect(error?.message).toContain('can mean two folders');
	});
});

it('refuses a folder whose name the service changes, before a feed is lost or reported as deleted', async () => {
	const name = 'Down the river: travel';
	await setFolders([1, 5, 6, 7, 8, 9, 10, { [name]: [2, 3, { Inside: [4] }] }]);
	const deleted = await run('feed.delete', { feedId: byId(2), inFolder: byId(name) });
	const inside = { folder: byId(`${name} / Inside`), newFolderName: 'Other' };
	const renamed = await run('folder.rename', inside);
	const added = await run('feed.add', { feedUrl: 'https://a.example', folder: byId(name) });
	for (const { error } of [deleted, renamed, added]) expect(error?.message).toContain('contains "river:"');
	expect(await folders()).toEqual([1, 5, 6, 7, 8, 9, 10, { [name]: [2, 3, { Inside: [4] }] }]);
	// Without In Folder, the service needs no name.
	expect((await run('feed.delete', { feedId: byId(2) })).error).toBeUndefined();
	expect(await folders()).toEqual([1, 5, 6, 7, 8, 9, 10, { [name]: [3, { Inside: [4] }] }]);
});

describe('an imported list', () => {
	/** Exports the account's feeds as items, then imports them into other folders. */
	const importInto = async (places: Record<number, string>) => {
		const { feeds } = (await me.get('/reader/feeds')).body;
		const list = Object.entries(places).map(([id, folder]) => ({ url: feeds[id]?.feed_address, folder }));
		return await run('subscriptionList.upload', {
			listSource: 'json',
			subscriptionsJson: JSON.stringify(list),
		});
	};

	it('keeps names with slashes', async () => {
		const tree = [1, 2, 3, 4, 5, 6, { 'AC/DC': [7, { 'A / B': [8] }] }, 9, 10];
		await setFolders(tree);
		const exported = records(await run('subscriptionList.export', { exportAs: 'feeds' }));
		await setFolders([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		const rows = { entry: [{ url: '={{ $json.url }}', folder: '={{ $json.folder }}' }] };
		await run('subscriptionList.upload', { listSource: 'feeds', subscriptions: rows }, exported);
		expect(await folders()).toContainEqual({ 'AC/DC': [7, { 'A / B': [8] }] });
	});

	it.each<[string, unknown[], Record<number, string>, unknown[]]>([
		[
			'an inner folder that exists',
			[{ Tech: [{ Deep: [2] }] }],
			{ 3: 'Tech / Deep' },
			[{ Tech: [{ Deep: [2, 3] }] }],
		],
		['the same folder again', [{ Tech: [3] }], { 3: 'Tech' }, [{ Tech: [3] }]],
		[
			'a name that is elsewhere',
			[{ Home: [{ Notes: [2] }] }],
			{ 3: 'Work / Notes' },
			[{ Home: [{ Notes: [2] }] }, { Work: [{ Notes: [3] }] }],
		],
		[
			'a name that is deeper',
			[{ Tech: [{ Deep: [2] }] }],
			{ 3: 'Deep' },
			[{ Tech: [{ Deep: [2] }] }, { Deep: [3] }],
		],
		['a folder named like its parent', [2], { 3: 'Same / Same' }, [2, { Same: [{ Same: [3] }] }]],
	])('goes into %s', async (_, tree, places, expected) => {
		const others = [1, 4, 5, 6, 7, 8, 9, 10];
		await setFolders([...others, ...tree]);
		const result = await importInto(places);
		expect(records(result)).toMatchObject([{ success: true }]);
		expect(result.hints('News Reader')).toEqual([]);
		const found = ((await folders()) as unknown[]).filter(
			(entry) => !others.includes(entry as number) && entry !== 3,
		);
		expect(found).toEqual(expected);
	});

	it('leaves a feed without a title its own', async () => {
		const { feeds } = (await me.get('/reader/feeds')).body;
		for (const id of [2, 3]) await run('feed.delete', { feedId: byId(id) });
		const list = [{ url: feeds[2]!.feed_address }, { url: feeds[3]!.feed_address, title: 'Mine' }];
		await run('subscriptionList.upload', { listSource: 'json', subscriptionsJson: JSON.stringify(list) });
		const after = (await me.get('/reader/feeds')).body.feeds;
		expect([after[2]?.feed_title, after[3]?.feed_title]).toEqual([feeds[2]?.feed_title, 'Mine']);
	});

	it('does not keep its title of a feed that is new to the service', async () => {
		const { feeds } = (await me.get('/reader/feeds')).body;
		const url = `${String(feeds[2]!.feed_address)}?new`;
		const list = [{ url, title: 'Mine', website: 'https://new.example' }];
		await run('subscriptionList.upload', { listSource: 'json', subscriptionsJson: JSON.stringify(list) });
		await me.control(controls.fetch);
		const added = records(await run('feed.getAll', { returnAll: true })).find(
			({ address }) => address === url,
		);
		expect(added).toMatchObject({ title: feeds[2]!.feed_title });
	});

	it('leaves a feed muted', async () => {
		reader = await ReaderSandbox.start({ variant: '2026' });
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
		const exported = records(await run('subscriptionList.export', { exportAs: 'feeds' }));
		await run('feed.mute', { feedId: byId(10) });
		const list = { listSource: 'json', subscriptionsJson: JSON.stringify(exported) };
		expect(records(await run('subscriptionList.upload', list))).toMatchObject([{ success: true }]);
		const { feeds } = (await (await reader.logIn()).get('/reader/feeds')).body;
		expect(feeds[10]).toMatchObject({ active: false });
	});

	it('is refused if a folder of it can mean two', async () => {
		await setFolders([1, 4, 5, 6, 7, 8, 9, 10, { Radio: [{ Local: [2] }] }, { 'Radio/Local': [3] }]);
		const { error } = await importInto({ 1: 'Radio / Local' });
		expect(error?.message).toContain('can mean two folders');
		const before = await folders();
		expect((await importInto({ 1: 'Radio\\/Local' })).error).toBeUndefined();
		expect(before).not.toEqual(await folders());
		expect(await folders()).toContainEqual({ 'Radio/Local': [3, 1] });
	});

	it('is reported if the service imports it in the background', async () => {
		reader.host.respond = ({ path }) =>
			path.endsWith('/opml_upload')
				? { body: { message: '', code: 2, payload: { folders: null, delayed: true, feed_count: 1 } } }
				: undefined;
		const result = await importInto({ 2: 'Radio / Local' });
		expect(records(result)).toMatchObject([{ success: true, queued: true }]);
		expect(result.hints('News Reader')).toMatchObject([
			{ message: expect.stringContaining('look at your folders afterwards') as string },
		]);
	});

	it('is reported with the feeds that the service does not have under their addresses', async () => {
		reader.host.respond = ({ path }) =>
			path.endsWith('/opml_upload')
				? { body: { message: 'OK', code: 1, payload: { folders: [1], feeds: [] } } }
				: undefined;
		const result = await run('subscriptionList.upload', {
			listSource: 'text',
			opmlText: `<opml><body>${'<outline text="T" xmlUrl="https://moved.example/rss"/>'.repeat(2)}<outline text="Not sent" xmlUrl="ftp://a.example/rss"/></body></opml>`,
		});
		expect(result.hints('News Reader')).toMatchObject([
			{
				message: expect.stringMatching(
					/folder: https:\/\/moved\.example\/rss, ftp:\/\/a\.example\/rss$/,
				) as string,
			},
		]);
	});
});

describe('while another client changes folders', () => {
	/** Does something before the second request of the run to a path. */
	const beforeSecond = (end: string, change: () => Promise<unknown>): void => {
		let requests = 0;
		reader.host.respond = async ({ path }) => {
			if (path.endsWith(end) && ++requests === 2) await change();
			return undefined;
		};
	};
	const feedId = byId('={{ $json.feed }}');

	it('a feed whose new folder is gone is not reported as moved, and the next one stays where it is', async () => {
		await setFolders([2, 3, 4, 5, 6, 7, 8, 9, 10, { Tech: [1] }, { Later: [] }]);
		const renamed = { folder_to_rename: 'Later', new_folder_name: 'Someday', in_folder: '' };
		beforeSecond('/move_feed_to_folder', () => me.post('/reader/rename_folder', renamed));
		const parameters = { resource: 'feed', operation: 'move', feedId, toFolder: byId('Later') };
		const inputs = [{ feed: 1 }, { feed: 2 }, { feed: 3 }];
		const result = await runReader(engine, parameters, inputs, { onError: 'continueRegularOutput' });
		expect(result.json('News Reader')).toMatchObject([
			{ success: true },
			{
				error: 'The service did not move feed 2 to "Later" [item 1]',
				details: expect.stringMatching(/^The service may have .* may be in no folder now/) as string,
			},
			{ error: 'To Folder "Later" does not exist [item 2]' },
		]);
		expect(await folders()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, { Tech: [] }, { Someday: [1] }]);
	});

	it('a folder whose new folder is gone is not reported as moved', async () => {
		await setFolders([3, 4, 5, 6, 7, 8, 9, 10, { Tech: [1] }, { Fun: [2] }, { Later: [] }]);
		const renamed = { folder_to_rename: 'Later', new_folder_name: 'Someday', in_folder: '' };
		beforeSecond('/move_folder_to_folder', () => me.post('/reader/rename_folder', renamed));
		const parameters = { folder: byId('={{ $json.folder }}'), toFolder: byId('Later') };
		const { error } = await run('folder.move', parameters, [{ folder: 'Tech' }, { folder: 'Fun' }]);
		expect(error).toMatchObject({ message: 'The service did not move "Fun" to "Later" [item 1]' });
	});

	it('a folder whose parent is gone is not reported as created', async () => {
		await setFolders([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, { Later: [] }]);
		const renamed = { folder_to_rename: 'Later', new_folder_name: 'Someday', in_folder: '' };
		beforeSecond('/add_folder', () => me.post('/reader/rename_folder', renamed));
		const parameters = { folderName: '={{ $json.name }}', parentFolder: byId('Later') };
		const { error } = await run('folder.create', parameters, [{ name: 'a' }, { name: 'b' }]);
		expect(error).toMatchObject({ message: 'The service did not create "Later / b" [item 1]' });
	});

	it.each([{}, { inFolder: byId('Tech') }])('a feed is deleted that has moved (%j)', async (place) => {
		await setFolders([1, 4, 5, 6, 7, 8, 9, 10, { Tech: [2, 3] }, { Later: [] }]);
		const moved = { feed_id: 3, in_folder: 'Tech', to_folder: 'Later' };
		beforeSecond('/delete_feed', () => me.post('/reader/move_feed_to_folder', moved));
		expect(records(await run('feed.delete', { feedId, ...place }, [{ feed: 2 }, { feed: 3 }]))).toHaveLength(
			2,
		);
		const { feeds } = (await me.get('/reader/feeds')).body;
		expect(Object.keys(feeds)).not.toContain('3');
		expect(await folders()).toEqual([1, 4, 5, 6, 7, 8, 9, 10, { Tech: [] }, { Later: [] }]);
	});
});

it('a feed that is only in a folder is deleted only if it exists: the service deletes the one it was merged with', async () => {
	await setFolders([...Array.from({ length: 10 }, (_, index) => index + 1), { Old: [77] }]);
	const { error } = await run('feed.delete', { feedId: byId(77) });
	expect(error?.message).toMatch(/find feed 77, which is in a folder but not among your feeds: not found/);
	expect(reader.host.requestsTo('/reader/delete_feed')).toEqual([]);
});
