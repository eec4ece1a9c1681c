import {
	feedsInside,
	folderAdvice,
	folderAt,
	foldersOf,
	namesIn,
	pathOf,
} from '../../nodes/NewsReader/model/folders';
import type { ItemApi } from '../../nodes/runtime/api-types';
import { feed } from '../../nodes/NewsReader/resources/feed';
import { addressKey, repairedTree } from '../../nodes/NewsReader/model/subscription-list';
import { folder } from '../../nodes/NewsReader/resources/folder';
import type { Inputs, Operation } from '../../nodes/runtime/table/operation';

describe('paths of folders', () => {
	const errors = { parameterError: (label: string, reason: string) => new Error(`${label} ${reason}`) };
	const api = errors as unknown as ItemApi;
	const at = (tree: unknown, path: string) => folderAt(foldersOf(tree), path, 'Folder', api);

	it.each([
		[[7, { News: [1] }], 'The folders are: News'],
		[[{ News: [1, { Cities: [2] }] }, { 'AC/DC': [] }], 'The folders are: News, News / Cities, AC\\/DC'],
		[[7], 'There are no folders yet'],
	])('lists the folders of %j', (tree, advice) => {
		expect(folderAdvice(foldersOf(tree))).toBe(advice);
	});

	it.each([['AC/DC'], ['A / B'], ['/'], ['back\\slash'], ['ends with \\'], ['\\/']])(
		'keeps the name %j in a path',
		(name) => {
			expect(namesIn(pathOf(['Music', name, 'Live']))).toEqual(['Music', name, 'Live']);
		},
	);

	it('excludes the feeds of a folder whose name only begins like the path', () => {
		const tree = [{ News: [1, { Cities: [2] }] }, { 'News/World': [3] }, { 'News / Cities': [4] }];
		expect(feedsInside(foldersOf(tree), at(tree, 'News'))).toEqual([1, 2]);
	});

	it.each(['News/World', 'News / World'])('refuses %j if it can mean two folders', (path) => {
		const tree = [{ News: [{ World: [2] }] }, { 'News/World': [3] }];
		expect(() => at(tree, path)).toThrow('can mean two folders, "News / World" and "News\\/World"');
		expect(at(tree, 'News\\/World').feedIds).toEqual([3]);
		expect(at(tree.slice(1), path).feedIds).toEqual([3]);
	});

	it.each([
		[[{ Tech: [1] }, { Tech: [2] }], 'Tech'],
		[[{ ' Pad': [1] }, { Pad: [2] }], 'Pad'],
	])('refuses a name that %j has twice', (tree, path) => {
		expect(() => at(tree, path)).toThrow('can mean two folders');
	});

	it('does not take a folder named "/" for the top level', () => {
		expect(at([7, { '/': [1] }], '').feedIds).toEqual([7]);
		expect(at([7, { '/': [1] }], '\\/').feedIds).toEqual([1]);
	});

	it('keeps the names of the flat form', () => {
		const flat = { ' ': [7], 'A - B': [1], Tech: [2], 'Tech - Deep': [3] };
		expect(foldersOf(flat).map(({ names }) => names)).toEqual([[], ['A - B'], ['Tech'], ['Tech - Deep']]);
	});
});

describe('requests that change folders', () => {
	/** "Deep" occurs twice; feed 1 is at the top level and in "Tech"; the service keeps the blanks of a name. */
	const FOLDERS = [1, { Tech: [1, 2, { Deep: [3] }] }, { News: [{ Deep: [4] }] }, { ' Pad ': [] }];

	interface SentRequest {
		path: string;
		body: Record<string, unknown>;
	}

	/** Runs an operation. @returns the request that it sends after reading the folders */
	async function requestOf(row: Operation, body: object, hasPaths: boolean): Promise<SentRequest> {
		const sent: SentRequest[] = [];
		const results = new Map<string, Promise<unknown>>();
		const api = {
			row,
			once: async (name: string, work: () => Promise<unknown>) => {
				const value = results.get(name) ?? work();
				results.set(name, value);
				return await value;
			},
			send: async ({ method, path, body: fields = {} }: { method: string } & SentRequest) => {
				if (method !== 'GET') sent.push({ path, body: fields });
				const feeds = [1, 2, 3, 4].map((id) => ({ id }));
				const json =
					method === 'GET'
						? { feeds, folders: FOLDERS, ...(hasPaths && { folder_paths_supported: true }) }
						: { code: 1 };
				return await Promise.resolve({ json });
			},
			ask: async ({ template }: Operation, parts: { body: SentRequest['body'] }) =>
				await api.send({ method: 'POST', path: template, body: parts.body }),
			resultIn: async ({ json }: { json: object }) => await Promise.resolve({ json }),
			parameterError: (label: string, reason: string) => new Error(`${label} ${reason}`),
			apiError: (message: string) => new Error(message),
		};
		await row.run?.({ body } as unknown as Inputs, api as unknown as ItemApi, {
			path: {},
			query: {},
			body: {},
		});
		const [request] = sent;
		if (!request || sent.length !== 1) throw new Error(`${sent.length} changes were sent`);
		return request;
	}

	it('moves a feed between folders of the same name by their paths', async () => {
		const body = { feed_id: 3, to_folder: 'News / Deep' };
		expect(await requestOf(feed.operations.move, body, true)).toEqual({
			path: '/reader/move_feed_to_folders',
			body: {
				feed_id: 3,
				in_folders: ['Deep'],
				to_folders: ['Deep'],
				in_folder_paths: '[["Tech","Deep"]]',
				to_folder_paths: '[["News","Deep"]]',
			},
		});
		await expect(requestOf(feed.operations.move, body, false)).rejects.toThrow(
			'"Deep" occurs more than once ("Tech / Deep", "News / Deep")',
		);
	});

	it('removes a feed from the chosen folder, including the top level', async () => {
		expect((await requestOf(feed.operations.delete, { feed_id: 1, in_folder: 'Tech' }, true)).body).toEqual({
			feed_id: 1,
			in_folder: 'Tech',
			folder_path: '["Tech"]',
		});
		const bodyOf = async (feed_id: number) =>
			(await requestOf(feed.operations.delete, { feed_id, in_folder: 'Tech' }, false)).body;
		expect(await bodyOf(1)).toEqual({ feed_id: 1, in_folder: 'Tech' });
		// It is in no other folder.
		expect(await bodyOf(2)).toEqual({ feed_id: 2 });
		expect((await requestOf(feed.operations.delete, { feed_id: 2 }, false)).body).toEqual({ feed_id: 2 });
	});

	it.each([
		[
			'delete',
			{ folder_to_delete: 'Tech / Deep' },
			{ folder_to_delete: 'Deep', in_folder: 'Tech', feed_id: [3] },
		],
		[
			'rename',
			{ folder_to_rename: 'Tech / Deep', new_folder_name: 'News' },
			{ folder_to_rename: 'Deep', new_folder_name: 'News', in_folder: 'Tech' },
		],
	] as const)('%ss a folder with a duplicate name only by its path', async (name, body, expected) => {
		expect((await requestOf(folder.operations[name], body, true)).body).toEqual({
			...expected,
			folder_path: '["Tech","Deep"]',
		});
		await expect(requestOf(folder.operations[name], body, false)).rejects.toThrow('occurs more than once');
	});

	it.each(['Pad', ' Pad ', 'pad'])(
		'refuses %j, which would have the path of an existing folder',
		async (name) => {
			const create = requestOf(folder.operations.create, { folder: name, parent_folder: undefined }, true);
			await expect(create).rejects.toThrow('Name is taken by the folder "Pad"');
			const rename = { folder_to_rename: 'News', new_folder_name: name };
			await expect(requestOf(folder.operations.rename, rename, false)).rejects.toThrow(
				'is taken by the folder',
			);
		},
	);

	it('creates a folder with a duplicate name if the server accepts paths', async () => {
		const body = { folder: 'Deep', parent_folder: undefined };
		expect((await requestOf(folder.operations.create, body, true)).body).toEqual({
			folder: 'Deep',
			parent_folder_path: '[]',
		});
		await expect(requestOf(folder.operations.create, body, false)).rejects.toThrow('is taken by the folder');
		const duplicate = { folder: 'deep', parent_folder: 'Tech' };
		await expect(requestOf(folder.operations.create, duplicate, true)).rejects.toThrow(
			'is taken by the folder',
		);
	});

	it.each([
		['My Top Level', true],
		['My Top Level', false],
		['Up the river: travel', true],
		['Up the river: travel', false],
	])(
		'refuses the new name %s, which means another folder to the service, with paths: %s',
		async (name, hasPaths) => {
			const message = `which the service does not take for a part of a name: "${name}"`;
			const created = { folder: name, parent_folder: undefined };
			await expect(requestOf(folder.operations.create, created, hasPaths)).rejects.toThrow(message);
			const renamed = { folder_to_rename: 'Tech', new_folder_name: name };
			await expect(requestOf(folder.operations.rename, renamed, hasPaths)).rejects.toThrow(message);
		},
	);

	it('never moves a folder with a duplicate name, because the endpoint accepts no paths', async () => {
		const body = { folder_name: 'Tech / Deep', to_folder: undefined };
		await expect(requestOf(folder.operations.move, body, true)).rejects.toThrow('occurs more than once');
	});
});

it('leaves an imported feed in a folder that was saved in one object with others', () => {
	const before = { tree: [{ Tech: [1], News: [2] }], ids: new Map([['a.example', [1, 2]]]) };
	const listed = [{ url: 'https://b.example', folder: 'News' }];
	const after = (tree: unknown[]) => ({ tree, ids: new Map([...before.ids, ['b.example', [3]]]) });
	expect(repairedTree(before, after([{ Tech: [1], News: [2, 3] }]), listed)).toBeUndefined();
	expect(repairedTree(before, after([...before.tree, 3]), listed)).toEqual([{ Tech: [1], News: [2, 3] }]);
});

it('leaves the ID of a feed that the service added and merged with a known one out of the folders', () => {
	const before = { tree: [{ Tech: [1] }], ids: new Map([['a.example', [1]]]) };
	const listed = [{ url: 'https://a.example/', folder: 'News' }];
	const after = { ...before, tree: [{ Tech: [1] }, { News: [1, 9] }] };
	const ids = new Map([...before.ids, ['b.example', [8]]]);
	expect(repairedTree(before, after, listed)).toEqual([{ Tech: [1] }, { News: [1] }]);
	expect(repairedTree(before, { ...after, ids, tree: [...after.tree, 8] }, listed)).toEqual([
		{ Tech: [1] },
		{ News: [1] },
		8,
	]);
	// Before the service merges the two, both are in the list.
	const unmerged = { ...after, ids: new Map([['a.example', [1, 9]]]), tree: [{ Tech: [1] }, { News: [9] }] };
	expect(repairedTree(before, unmerged, listed)).toEqual([{ Tech: [1] }, { News: [1, 9] }]);
});

it('leaves two feeds with similar addresses in their own folders', () => {
	const one = 'https://a.example/rss';
	const two = `${one}/`;
	const ids = new Map(Object.entries({ [one]: [1], [two]: [2], 'a.example/rss': [1, 2] }));
	const own = { tree: [{ A: [1] }, { B: [2] }], ids };
	expect(
		repairedTree(own, own, [
			{ url: one, folder: 'A' },
			{ url: two, folder: 'B' },
		]),
	).toBeUndefined();
});

it('knows an imported feed by what is no address, to which the service adds a slash', () => {
	expect(addressKey('https://not an address/')).toBe(addressKey('https://not an address'));
});
