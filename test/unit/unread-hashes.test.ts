/** Hashes of unread stories. */
import { readStories } from '../../nodes/NewsReader/model/hashes';
import { unreadByFeed } from '../../nodes/NewsReader/model/unread';
import { WorldApi } from './trigger-world';

const world = (unread: unknown): WorldApi =>
	new WorldApi({ ask: () => ({ unread_feed_story_hashes: unread, feeds: {} }) });

it('are empty if the service sends an empty list instead of a map', async () => {
	const { byFeed } = await unreadByFeed(world([]), undefined, {});
	expect(byFeed).toEqual(new Map());
});

it.each([[['5:a']], ['none'], [null]])('are rejected if invalid: %j', async (unread) => {
	await expect(unreadByFeed(world(unread), undefined, {})).rejects.toThrow('hashes');
});

it('lead to stories that are hidden, too', async () => {
	const api = new WorldApi({ ask: () => ({ stories: [] }) });
	const send = jest.spyOn(api, 'send');
	await readStories(api, ['5:a']);
	expect(send.mock.lastCall).toMatchObject([{ query: { h: ['5:a'], include_hidden: true } }]);
});
