/** Hashes of unread stories: reading the lists, and marking all stories of feeds. */
import { markUncounted } from '../../nodes/NewsReader/model/feed-marks';
import { readStories } from '../../nodes/NewsReader/model/hashes';
import { unreadByFeed } from '../../nodes/NewsReader/model/unread';
import { WorldApi } from './trigger-world';

/** A feed with unread hashes whose stored counts are 0. Records the requests. */
function world(unread: unknown) {
	const requested: string[] = [];
	const api = new WorldApi({
		ask: ({ route }) => {
			requested.push(route);
			if (route === 'GET /reader/unread_story_hashes') return { unread_feed_story_hashes: unread };
			return { feeds: { 5: { id: 5, ps: 0, nt: 0, ng: 0 } }, folders: [5] };
		},
	});
	return { api, requested };
}

const hashes = (count: number) => Array.from({ length: count }, (_, n) => [`5:${n}`, 1_788_265_800 + n]);

it('are empty if the service sends an empty list instead of a map', async () => {
	const { byFeed } = await unreadByFeed(world([]).api, undefined, {});
	expect(byFeed).toEqual(new Map());
});

it.each([[['5:a']], ['none'], [null]])('are rejected if invalid: %j', async (unread) => {
	await expect(unreadByFeed(world(unread).api, undefined, {})).rejects.toThrow('hashes');
});

it('lead to stories that are hidden, too', async () => {
	const api = new WorldApi({ ask: () => ({ stories: [] }) });
	const send = jest.spyOn(api, 'send');
	await readStories(api, ['5:a']);
	expect(send.mock.lastCall).toMatchObject([{ query: { h: ['5:a'], include_hidden: true } }]);
});

it.each([
	[1, 1],
	[100, 1],
	[101, 2],
])(
	'are marked in batches of a hundred if the feed counts no unread stories: %i in %i requests',
	async (count, requests) => {
		const { api, requested } = world({ 5: hashes(count) });
		await markUncounted(api, { body: {} });
		expect(requested.filter((route) => route.startsWith('POST'))).toEqual(
			Array.from({ length: requests }, () => 'POST /reader/mark_story_hashes_as_read'),
		);
	},
);

it.each([
	['older', [0, 1]],
	['newer', [1, 2]],
])('are marked up to and including a time: %s stories', async (direction, marked) => {
	const { api } = world({ 5: hashes(3) });
	const sent: unknown[] = [];
	const ask = api.send.bind(api);
	api.send = async (request) => {
		if (request.method === 'POST') sent.push(request.body?.story_hash);
		return await ask(request);
	};
	await markUncounted(api, { body: { cutoff_timestamp: 1_788_265_801, direction } });
	expect(sent).toEqual([marked.map((n) => `5:${n}`)]);
});
