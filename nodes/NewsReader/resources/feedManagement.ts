import { required } from '../../operation/field';
import { text } from '../../operation/kinds';
import { operation } from '../../operation/row';
import { feedOutput } from './feedList';
import { FolderTree } from './folderTree';
import { feedId, inFolder, intoFolder, toFolder } from './locators';
import { done, orDone, under } from './shared';

/** The operations of the Feed resource that change what you are subscribed to, and where it is. */
export const feedManagement = {
	add: operation('POST /reader/add_url', {
		name: 'Add',
		action: 'Add a feed',
		description: 'Subscribe to the feed of a website or RSS address',
		body: {
			url: required(
				text('Website or Feed URL', {
					parameter: 'feedUrl',
					example: 'https://news.example.com',
					description: 'The address of a feed, or of a website that has one',
				}),
			),
			folder: intoFolder,
		},
		check: async ({ body }, tools) => {
			if (!body.folder) return {};
			const tree = await FolderTree.read(tools);
			return { body: { ...body, folder: tree.folder('Folder', body.folder).name } };
		},
		output: orDone({ ...under('feed', feedOutput.kind), simple: feedOutput.simple }),
	}),
	delete: operation('POST /reader/delete_feed', {
		name: 'Delete',
		action: 'Delete a feed',
		description: 'Unsubscribe from a feed, or take it out of one of its folders',
		body: { feed_id: feedId, in_folder: inFolder },
		check: async ({ body }, tools) => {
			const place = (await FolderTree.read(tools)).placeOf(body.feed_id, 'In Folder', body.in_folder);
			return { body: { ...body, in_folder: place.name || undefined } };
		},
		output: done,
	}),
	move: operation('POST /reader/move_feed_to_folder', {
		name: 'Move',
		action: 'Move a feed',
		description: 'Move a feed to another folder or to the top level',
		body: { feed_id: feedId, in_folder: inFolder, to_folder: toFolder },
		check: async ({ body }, tools) => {
			const tree = await FolderTree.read(tools);
			const place = tree.placeOf(body.feed_id, 'In Folder', body.in_folder);
			const target = tree.folder('To Folder', body.to_folder);
			return { body: { ...body, in_folder: place.name, to_folder: target.name } };
		},
		output: done,
	}),
	rename: operation('POST /reader/rename_feed', {
		name: 'Rename',
		action: 'Rename a feed',
		description: 'Give a feed another title, which only you see',
		body: {
			feed_title: required(text('Title', { parameter: 'feedTitle', example: 'Morning News' })),
			feed_id: feedId,
		},
		output: done,
	}),
};
