import { asReader, controls, type ReaderClient } from '../support/clients/reader-client.ts';

/** Import and export of feeds as OPML. */

function upload(client: ReaderClient, xml: string | Uint8Array<ArrayBuffer> | undefined) {
	const form = new FormData();
	if (xml !== undefined) form.append('file', new Blob([xml]), 'feeds.opml');
	else form.append('other', 'x');
	return client.send('/import/opml_upload', { method: 'POST', body: form });
}

const outline = (text: string, url: string) => `<outline type="rss" text="${text}" xmlUrl="${url}"/>`;
const opml = (body: string) =>
	`<?xml version="1.0"?><opml version="1.1"><head><title>x</title></head><body>${body}</body></opml>`;

test('hundreds of feeds in nested folders are listed immediately, then fetched', () =>
	asReader({}, async (client) => {
		const feeds = Array.from({ length: 300 }, (_, n) =>
			outline(`Feed ${n} &amp; more`, `${client.origin}/feeds/imported-${n}/rss.xml`),
		);
		const own = outline('Lantern', `${client.origin}/feeds/harbour-lantern/rss.xml`);
		const xml = opml(
			`<outline text="News"><outline text="Deep">${feeds.slice(0, 200).join('')}</outline></outline>
			<outline text="New">${feeds.slice(200).join('')}${own}</outline>`,
		);
		const { body } = await upload(client, xml);
		expect(body).toMatchObject({ code: 1, message: 'OK', authenticated: true });
		const listed = (await client.get('/reader/feeds')).body;
		expect(Object.keys(listed.feeds)).toHaveLength(310);
		const news = listed.folders[0] as { News: [number, object, { Deep: number[] }] };
		expect(news).toMatchObject({ News: [1, { Cities: [2] }, { Deep: { length: 200 } }] });
		expect(listed.folders.at(-1)).toMatchObject({ New: { length: 101 } });
		const [first = 0] = news.News[2].Deep;
		expect(listed.feeds[first]).toMatchObject({ feed_title: 'Feed 0 & more' });
		await client.control(controls.fetch);
		expect((await client.get('/reader/feeds')).body.feeds[first]).toMatchObject({
			has_exception: true,
			exception_code: 404,
			not_yet_fetched: true,
		});
		await upload(client, xml);
		expect(Object.keys((await client.get('/reader/feeds')).body.feeds)).toHaveLength(310);
	}));

test('the export contains the whole tree, and importing it changes nothing', () =>
	asReader({}, async (client) => {
		await client.post('/reader/rename_feed', { feed_id: 1, feed_title: 'Mine & <yours>' });
		const exported = await client.get('/import/opml_export');
		expect(exported.headers.get('content-type')).toBe('text/xml; charset=utf-8');
		expect(exported.headers.get('content-disposition')).toMatch(
			/^attachment; filename=".*reader-2026-09-01\.opml"$/,
		);
		expect(exported.text).toContain('Mine &amp; &lt;yours&gt;');
		const before = (await client.get('/reader/feeds')).body.folders;
		for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
			await client.post('/reader/delete_feed', { feed_id: id });
		await client.post('/reader/save_feed_order', { folders: '[]' });
		expect((await client.get('/reader/feeds')).body).toMatchObject({ feeds: {}, folders: [] });
		await upload(client, exported.text);
		expect((await client.get('/reader/feeds')).body.folders).toEqual(before);
	}));

test('contract: rejects a missing file and invalid OPML', () =>
	asReader({}, async (client) => {
		expect(await upload(client, undefined)).toMatchObject({
			status: 400,
			body: { code: -1, message: 'Attach an .opml file.' },
		});
		expect(await upload(client, '<html><body>no</body></html>')).toMatchObject({
			status: 400,
			body: { code: -1, message: "OPML import failed. Couldn't parse XML file." },
		});
	}));

test('wild: the response is labeled HTML, and lists all subscriptions', () =>
	asReader({ variant: 'wild' }, async (client) => {
		const xml = opml(outline('Lantern', `${client.origin}/feeds/harbour-lantern/rss.xml?copy=1`));
		const { status, headers, body } = await upload(client, xml);
		expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
		expect(body).toMatchObject({ message: 'OK', code: 1, payload: { feeds: { length: 11 } } });
		expect(body).not.toHaveProperty('result');
		expect(await upload(client, undefined)).toMatchObject({
			status: 200,
			body: { code: -1, message: 'Attach an .opml file.', payload: {} },
		});
	}));
