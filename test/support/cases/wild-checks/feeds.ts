import type { ReaderResponse, ReaderClient } from '../../clients/reader-client.ts';
import { LIVE_WIRE, storiesOf, type Checks } from './check.ts';

const foldersOf = async (client: ReaderClient) => (await client.get('/reader/feeds')).body.folders;

function upload(client: ReaderClient, content: string | Uint8Array<ArrayBuffer>): Promise<ReaderResponse> {
	const body = new FormData();
	body.append('file', new Blob([content]), 'list.opml');
	return client.send('/import/opml_upload', { method: 'POST', body });
}

/** Feeds, folders, and lists of them. */
export const feedChecks: Checks = {
	'known-feeds': async (client) => {
		const url = `${client.origin}/feeds/harbour-lantern/rss.xml?copy=1`;
		const search = async () => (await client.get('/rss_feeds/search_feed', { address: url })).body;
		expect(await search()).toMatchObject({
			code: -1,
			message: 'No feed found matching that XML or website address.',
		});
		await client.post('/reader/add_url', { url });
		expect(await search()).toMatchObject({ feed_address: url });
	},
	'term-needed': async (client) => {
		expect((await client.get('/rss_feeds/feed_autocomplete')).body).toMatchObject({
			code: -1,
			message: "Specify a search 'term'.",
			feeds: [],
		});
	},
	'feeds-first': async (client) => {
		await client.post('/reader/move_feed_to_folder', { feed_id: 3, in_folder: 'Technology', to_folder: '' });
		const before = await foldersOf(client);
		expect(before.at(-1)).toBe(3);
		await client.post('/reader/delete_feed', { feed_id: 1, in_folder: 'News' });
		expect((await foldersOf(client)).slice(0, 3)).toEqual([10, 3, expect.any(Object)]);
	},
	'plain-titles': async (client) => {
		await client.publish('live-wire', { title: 'The <b>bold</b> & the <small>' });
		const titles = (await storiesOf(client, LIVE_WIRE)).map(({ story_title: title }) => title);
		expect(titles).toContain('The bold & the ');
	},
	'folder-needed': async (client) => {
		const remove = (fields: Record<string, string>) => client.post('/reader/delete_folder', fields);
		expect((await remove({ folder_to_delete: 'Science' })).status).toBe(500);
		expect((await remove({ folder_to_delete: 'Science', in_folder: '' })).status).toBe(200);
		expect(JSON.stringify(await foldersOf(client))).not.toContain('Science');
	},
	'null-folders': async (client) => {
		const before = await foldersOf(client);
		const fields = { folder_name: 'Nothing', in_folder: '', to_folder: '' };
		const moved = await client.post('/reader/move_folder_to_folder', fields);
		expect(moved.body).toMatchObject({ code: 1, folders: [...before, null] });
		expect(await foldersOf(client)).toEqual([...before, null]);
		expect((await client.get('/reader/feeds', { flat: true })).status).toBe(200);
		expect((await client.get('/import/opml_export')).text).toContain('<opml');
	},
	'opml-anything': async (client) => {
		const folders = await foldersOf(client);
		expect((await upload(client, 'no list at all')).body).toMatchObject({
			code: 1,
			message: 'OK',
			payload: {},
		});
		expect((await upload(client, '<html><body>no</body></html>')).body).toMatchObject({
			code: 1,
			payload: { folders, feeds: { length: 10 } },
		});
		expect((await upload(client, new Uint8Array([0x9f, 0xff]))).body.code).toBe(-1);
		expect((await upload(client, '')).status).toBe(500);
		expect((await client.post('/import/opml_upload')).body['payload']).toEqual({});
	},
};
