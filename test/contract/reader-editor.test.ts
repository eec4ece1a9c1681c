/** What the editor requests through the News Reader in the sandbox: lists, and feeds by URL. */
import { byId, byUrl, newsReader, records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { controls, startReader, type ReaderClient } from '../support/clients/reader-client.ts';
import { variants } from '../../cases/endpoint.ts';
import { engine } from '../support/nodes/suite-engine';

describe.each(variants)('%s', (variant) => {
	let client: ReaderClient;
	let close: () => Promise<void>;

	beforeAll(async () => {
		({ client, close } = await startReader({ variant }));
		await client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		engine.credentials.setAll(sessionCredential(`${client.origin}/reader-service`));
	});
	afterAll(() => close());

	const node = newsReader({ resource: 'story', operation: 'getAll' });
	const search = async (method: string, filter?: string) =>
		(await engine.listSearch({ node, method, filter })).results;

	it('lists feeds grouped by folder, each with its URL', async () => {
		const feeds = await search('feed');
		expect(feeds.map(({ name }) => name)).toEqual([
			'Culture / Café Müller – Blätter für Kultur',
			'Culture / Letters from the Lighthouse',
			'Culture / The Long Walk',
			'Life / Food / Slow Kitchen Notes',
			'Live Wire',
			'News / Cities / Kerb & Crossing',
			'News / The Harbour Lantern',
			'Science / Night Sky Almanac',
			'Technology / Bitwright',
			'Technology / Hardware / Open Bench',
		]);
		expect(await engine.loadOptions({ node, method: 'feed' })).toEqual(
			feeds.map(({ name, value }) => ({ name, value })),
		);
		expect(await search('feed', 'KERB')).toEqual(feeds.filter(({ name }) => name.includes('Kerb')));
		const { url, value } = feeds.find(({ name }) => name.includes('Kerb'))!;
		const withoutStart = String(url).slice(10);
		expect(await search('feed', withoutStart)).toEqual(
			feeds.filter((feed) => String(feed.url).includes(withoutStart)),
		);
		const stories = records(
			await runReader(engine, {
				resource: 'story',
				operation: 'getAll',
				feedId: byUrl(String(url)),
				limit: 1,
			}),
		);
		expect(stories).toMatchObject([{ feedId: value }]);
	});

	it.each(['feed', 'folder', 'savedStory', 'user'])('lists each %s alphabetically', async (of) => {
		const names = (await search(of)).map(({ name }) => name);
		expect(names.length).toBeGreaterThan(1);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	});

	it('lists folders by path, saved tags, and users', async () => {
		expect((await search('folder')).map(({ value }) => value)).toContain('News / Cities');
		expect(await search('savedStory', 'later')).toEqual([{ name: 'later (2)', value: 'later' }]);
		const [friend, you] = await search('user');
		expect(you).toEqual({ name: 'reader (you)', value: expect.any(Number) as number });
		expect(friend).toEqual({ name: 'friend', value: expect.any(Number) as number });
		const user = await runReader(engine, {
			resource: 'user',
			operation: 'get',
			userId: byId(friend!.value),
		});
		expect(records(user)).toMatchObject([{ username: 'friend' }]);
	});
});
