/** Pages that live at another host: they are fetched there, without the credential. */
import type { Engine } from '../../engine/index.ts';
import { byId, records, runReader, SESSION, sessionCredential, startEngine } from '../support/reader-node';
import { Host } from '../support/host';

let engine: Engine;
let host: Host;
let storage: Host;

beforeAll(async () => {
	engine = await startEngine();
	storage = await Host.start(() => ({ headers: { 'content-type': 'text/html' }, body: '<p>Stored</p>' }));
	host = await Host.start(({ path }) => ({
		status: 302,
		headers: { location: `${storage.baseUrl}/stored${path}` },
	}));
	engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: SESSION }));
});
afterAll(async () => {
	await host.stop();
	await storage.stop();
});
beforeEach(() => {
	storage.received.length = 0;
});

it.each<[string, object, string, object]>([
	['feed.getPage', { feedId: byId(7) }, '/stored/reader/page/7', { feed_id: 7, content: '<p>Stored</p>' }],
	['share.getPage', { userId: byId(12) }, '/stored/social/page/12/', { html: '<p>Stored</p>' }],
	[
		'story.getOriginalPage',
		{ storyHash: '42:a1b2c3', pageFormat: 'text' },
		'/stored/rss_feeds/original_story?story_hash=42%3Aa1b2c3',
		{ story_hash: '42:a1b2c3', content: 'Stored' },
	],
])('%s follows the service there', async (name, parameters, path, record) => {
	const [resource, operation] = name.split('.');
	expect(records(await runReader(engine, { resource, operation, ...parameters }))).toEqual([record]);
	expect(storage.received).toMatchObject([{ method: 'GET', path }]);
	const { cookie, authorization } = storage.received[0]!.headers;
	expect([cookie, authorization]).toEqual([undefined, undefined]);
	expect(JSON.stringify(storage.received)).not.toContain(SESSION);
});

it('says so when nothing answers there', async () => {
	host.answer = () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/page' } });
	const { error } = await runReader(engine, { resource: 'feed', operation: 'getPage', feedId: byId(7) });
	expect(error?.message).toMatch(/^No answer from the news reader service/);
});

it('does not follow it for anything but pages', async () => {
	host.answer = () => ({ status: 302, headers: { location: `${storage.baseUrl}/feeds` } });
	const { error } = await runReader(engine, { resource: 'feed', operation: 'getAll' });
	expect(error?.message).toContain('The service redirects elsewhere');
	expect(storage.received).toEqual([]);
});
