import { required } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { operation } from '../../runtime/table/operation';
import { feedOutput } from './feedList';
import { Folders, folderWrite } from './folderWrites';
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
			const tree = await (await Folders.of(tools)).look(tools);
			return { body: { ...body, folder: tree.folder('Folder', body.folder).name } };
		},
		output: orDone({ ...under('feed', feedOutput.kind), simple: feedOutput.simple }),
	}),
	delete: folderWrite('POST /reader/delete_feed', {
		name: 'Delete',
		action: 'Delete a feed',
		description: 'Unsubscribe from a feed, or take it out of one of its folders',
		body: { feed_id: feedId, in_folder: inFolder },
		look: async ({ feed_id, in_folder }, read) => {
			const tree = await read();
			const place = tree.placeOf(feed_id, 'In Folder', in_folder);
			return { body: { feed_id, in_folder: place.name || undefined }, after: tree.after(feed_id, place) };
		},
		output: done,
	}),
	move: folderWrite('POST /reader/move_feed_to_folder', {
		name: 'Move',
		action: 'Move a feed',
		description: 'Move a feed to another folder or to the top level',
		body: { feed_id: feedId, in_folder: inFolder, to_folder: toFolder },
		look: async ({ feed_id, in_folder, to_folder }, read) => {
			const tree = await read();
			const place = tree.placeOf(feed_id, 'In Folder', in_folder);
			const target = tree.folder('To Folder', to_folder);
			return {
				body: { feed_id, in_folder: place.name, to_folder: target.name },
				after: tree.after(feed_id, place, target),
			};
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
