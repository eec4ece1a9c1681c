import type { ApiResponse } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { json, requiredText } from '../../runtime/fields/kinds';
import { anInteger, aText, listOf, record } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { isBlank, isRecord, toInteger, toText } from '../../runtime/values';
import { bringsSecrets } from '../fields/formats';
import { folderPath, parentFolder, toFolder } from '../fields/locators';
import { singlePage } from '../lists';
import { CUT_OUT, folderChange } from '../model/folder-tree';
import { feedsInside, foldersOf, isInside, namesIn, pathOf, type Folder } from '../model/folders';
import { subscriptionsIn } from '../model/subscriptions';
import { success, successWith } from '../outputs';

const folderRecord = record({
	name: aText.described('Name of the folder'),
	path: aText.described('Path of the folder'),
	feedIds: listOf(anInteger).described('IDs of the feeds directly in the folder'),
	feedCount: anInteger.described('Number of feeds directly in the folder'),
});

/** A created folder, with the path that Get Many gives it. The name of an existing folder is refused. */
const createdFolder = {
	members: folderRecord.members,
	from: ({ folder: name, parent_folder: parent }: Record<string, unknown>) => ({
		name,
		path: pathOf([...namesIn(toText(parent ?? '')), toText(name)]),
		feedIds: [],
		feedCount: 0,
	}),
};

function foldersIn({ json }: ApiResponse): unknown[] | undefined {
	const folders = subscriptionsIn(json)?.folders ?? [];
	if (folders.length === 0) return undefined;
	return folders
		.filter(({ names }) => names.length > 0)
		.map(({ name, path, feedIds }) => ({ name, path, feedIds, feedCount: feedIds.length }));
}

const parentOf = ({ names }: Folder): string => names.at(-2) ?? '';

/** The whole structure of folders: feed ids, and objects with a folder's name and contents. */
const isTree = (value: unknown): value is unknown[] =>
	Array.isArray(value) &&
	value.every(
		(entry) =>
			toInteger(entry) !== undefined ||
			(isRecord(entry) && Object.entries(entry).every(([name, inside]) => !isBlank(name) && isTree(inside))),
	);

/**
 * With numbers, because the service doesn't find a feed whose id is a text; and with one folder in each object, because
 * it moves all folders of an object together, and keeps the others where they were, too (seen in the wild).
 */
const asStored = (tree: unknown): unknown[] =>
	(tree as unknown[]).flatMap((entry): unknown[] =>
		isRecord(entry)
			? Object.entries(entry).map(([name, inside]) => ({ [name]: asStored(inside) }))
			: [toInteger(entry)],
	);

export const folder = resource(
	'Folder',
	{
		description: 'The folders of your feeds',
		listing: {
			list: 'getAll',
			sorted: true,
			label: (entry) => toText(entry.path),
			id: (entry) => toText(entry.path),
		},
	},
	{
		create: folderChange('POST /reader/add_folder', {
			description: 'Create a folder at the top level or in another folder',
			body: {
				folder: requiredText('Name', {
					paramName: 'folderName',
					example: 'Tech',
					description: 'The name of the new folder',
				}),
				parent_folder: parentFolder,
			},
			plan: (body, tree) => {
				const parent = tree.folder('Parent Folder', body.parent_folder);
				tree.refuseTaken('Name', body.folder, parent.names);
				Object.assign(body, { parent_folder: parent.path });
				const created = pathOf([...parent.names, body.folder]);
				const isCreated = ({ path }: Folder): boolean => path === created;
				return {
					body: {
						...body,
						parent_folder: parent.name || undefined,
						parent_folder_path: tree.pathText(parent),
					},
					after: (folders) => tree.afterChange(`create "${created}"`, folders, isCreated),
				};
			},
			output: successWith(createdFolder),
		}),
		delete: folderChange('POST /reader/delete_folder', {
			description: 'Delete a folder and unsubscribe from all feeds that are only inside it',
			body: { folder_to_delete: folderPath },
			plan: (body, tree) => {
				const folder = tree.folder('Folder', body.folder_to_delete);
				return {
					body: {
						folder_to_delete: folder.name,
						// Without it, the service fails with 500 (seen in the wild).
						in_folder: parentOf(folder),
						folder_path: tree.pathText(folder),
						feed_id: feedsInside(tree.folders, folder),
					},
				};
			},
			output: success,
		}),
		getAll: operation('GET /reader/feeds', {
			description: 'List the folders, each with the feeds directly in it',
			...bringsSecrets,
			isExtra: true,
			prepare: () => ({ query: { update_counts: false } }),
			paging: singlePage(foldersIn, 'folders'),
			output: listedRecord(folderRecord),
		}),
		move: folderChange('POST /reader/move_folder_to_folder', {
			description: 'Move a folder with its contents to another folder or to the top level',
			body: { folder_name: folderPath, to_folder: toFolder },
			plan: (body, tree, api) => {
				const moved = tree.folder('Folder', body.folder_name, false);
				const target = tree.folder('To Folder', body.to_folder, false);
				if (isInside(target, moved)) {
					throw api.parameterError('To Folder', `"${target.path}" is the folder itself or inside it`);
				}
				const isMoved = (folder: Folder): boolean =>
					folder.name === moved.name && parentOf(folder) === target.name;
				const change = `move "${moved.path}" to "${target.path || '/'}"`;
				return {
					body: { folder_name: moved.name, in_folder: parentOf(moved), to_folder: target.name },
					after: (folders) => tree.afterChange(change, folders, isMoved),
				};
			},
			output: success,
		}),
		rename: folderChange('POST /reader/rename_folder', {
			description: 'Give a folder another name',
			body: {
				folder_to_rename: folderPath,
				new_folder_name: requiredText('New Name', {
					example: 'Science',
					description: 'The new name of the folder',
				}),
			},
			plan: (body, tree) => {
				const renamed = tree.folder('Folder', body.folder_to_rename);
				tree.refuseTaken('New Name', body.new_folder_name, renamed.names.slice(0, -1), renamed);
				// The service finds nothing in a folder whose name it cuts.
				if (!tree.hasPaths) tree.refuseMisread('Folder', parentOf(renamed), [CUT_OUT]);
				return {
					body: {
						...body,
						folder_to_rename: renamed.name,
						in_folder: parentOf(renamed),
						folder_path: tree.pathText(renamed),
					},
				};
			},
			output: success,
		}),
		saveOrder: folderChange('POST /reader/save_feed_order', {
			action: 'Save the order of feeds and folders',
			description: 'Replace the whole structure of folders',
			body: {
				folders: required(
					json('Folders (JSON)', {
						example: '[42, { "Tech": [77] }]',
						empty: '[]',
						description: 'Feed IDs and folders, nested, such as [42, { "Tech": [77] }]',
						accepts: isTree,
						expected: 'a list of feed IDs and folders with names, like [42, { "Tech": [77] }]',
					}),
				),
			},
			plan: ({ folders }, { subscribed }, api) => {
				const placed = new Set(foldersOf(folders).flatMap(({ feedIds }) => feedIds));
				const lost = [...subscribed].filter((id) => !placed.has(id));
				const unknown = [...placed].filter((id) => !subscribed.has(id));
				const flaw =
					lost.length > 0
						? `leaves out feeds of your subscriptions or folders: ${lost.join(', ')}`
						: `names feeds that you are not subscribed to: ${unknown.join(', ')}`;
				if (lost.length + unknown.length > 0) throw api.parameterError('Folders (JSON)', flaw);
				return { body: { folders: JSON.stringify(asStored(folders)) } };
			},
			output: success,
		}),
	},
);
