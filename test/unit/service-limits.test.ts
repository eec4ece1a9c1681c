/** What the services allow: entries of a request and records of a page (interface documents, or seen in the wild). */
import { unreadByFeed } from '../../nodes/NewsReader/model/unread';
import { linkTable, readerTable } from '../../nodes/tables';
import type { Operation } from '../../nodes/runtime/table/operation';
import { WorldApi } from './trigger-world';

const rows = [...Object.entries(linkTable), ...Object.entries(readerTable)].flatMap(
	([resource, { operations }]) =>
		Object.entries(operations).map(([name, row]): [string, Operation] => [
			`${resource}.${name}`,
			row as Operation,
		]),
);

it('lists have pages of these sizes, if the request says how many records it wants', () => {
	const sized = rows.flatMap(([name, { paging }]) =>
		paging && paging.pageSize < Infinity ? [[name, paging.pageSize]] : [],
	);
	const ofLinks = [
		'shortLink',
		'qrCode',
		'campaign',
		'channel',
		'domain',
		'pixel',
		'ctaOverlay',
		'customSplash',
	];
	expect(Object.fromEntries(sized)).toEqual({
		...Object.fromEntries(ofLinks.map((resource) => [`${resource}.getAll`, 100])),
		'channel.getItems': 100,
		'feed.getTrending': 200,
		'river.getAll': 200,
		'river.getShared': 50,
		'user.find': 1000,
	});
});

it('requests for many stories or feeds have a hundred of them', () => {
	const batches = rows.flatMap(([name, { batch }]) => (batch ? [[name, batch.size]] : []));
	const names = ['story.getByHash', 'story.markRead', 'story.markUnread', 'feed.markRead'];
	const ofSaved = ['savedStory.getByHash', 'savedStory.unsave'];
	expect(Object.fromEntries(batches)).toEqual(
		Object.fromEntries([...names, ...ofSaved].map((name) => [name, 100])),
	);
});

it.each([
	[200, 200],
	[201, 0],
])(
	'a request for the unread stories of %i feeds names %i of them: more would make its URL too long',
	async (count, named) => {
		const api = new WorldApi({ ask: () => ({ unread_feed_story_hashes: {} }) });
		const send = jest.spyOn(api, 'send');
		const feeds = Array.from({ length: count }, (_, n) => n + 1);
		await unreadByFeed(api, feeds, {});
		const { feed_id: sent = [] } = send.mock.lastCall![0].query as { feed_id?: number[] };
		expect(sent).toHaveLength(named);
	},
);
