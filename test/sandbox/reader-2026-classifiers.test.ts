import { asReader, type ReaderClient } from '../support/clients/reader-client.ts';
import { addStories, LIVE_WIRE } from '../support/cases/wild-checks/check.ts';

/** Classifiers in the variant `2026`. */

const save = (client: ReaderClient, fields: Record<string, string | number>) =>
	client.post('/classifier/save', { feed_id: LIVE_WIRE, ...fields });

test('a super dislike scores -2 and beats a like', () =>
	asReader({ variant: '2026' }, async (client) => {
		const [hash] = await addStories(client, 1);
		const newest = async () => {
			const { stories } = (await client.get(`/reader/feed/${LIVE_WIRE}`, { include_hidden: true })).body;
			return stories.find(({ story_hash }) => story_hash === hash);
		};
		const [tag = ''] = (await newest())?.['story_tags'] as string[];
		await save(client, { like_title: 'Synthetic', super_dislike_tag: tag });
		expect(await newest()).toMatchObject({ score: -2, intelligence: { title: 1, tags: -2 } });
		await save(client, { remove_super_dislike_tag: tag });
		expect(await newest()).toMatchObject({ score: 1 });
	}));

/** The newest story of the live wire, with its score and counts. */
async function newestOf(client: ReaderClient) {
	await client.publish('live-wire', {
		guid: 'tag:live,2026:90',
		title: 'Ferry',
		content: '<p>To the lighthouse</p>',
	});
	const { stories } = (await client.get(`/reader/feed/${LIVE_WIRE}`, { include_hidden: true })).body;
	const counts = (await client.get('/reader/feeds')).body.feeds[LIVE_WIRE];
	return { ...stories[0], ng: counts?.ng, ps: counts?.ps };
}

describe.each([
	['premium', { text: 0, url: 1 }],
	['archive', { text: -1, url: 1 }],
	['free', { text: 0, url: 0 }],
] as const)('with the plan %s', (plan, { text, url }) => {
	test('classifiers by text and URL score, regular expressions do not', () =>
		asReader({ variant: '2026', plan }, async (client) => {
			const neutral = {
				feed: 0,
				author: 0,
				tags: 0,
				title: 0,
				title_regex: 0,
				text_regex: 0,
				url_regex: 0,
				prompt: 0,
			};
			expect(await newestOf(client)).toMatchObject({
				score: 0,
				intelligence: { ...neutral, text: 0, url: 0 },
			});
			await save(client, { dislike_text: 'LightHouse', dislike_title_regex: 'F.*' });
			expect(await newestOf(client)).toMatchObject({
				score: text,
				intelligence: { ...neutral, text, url: 0 },
				ng: Math.abs(text),
			});
			await save(client, { like_url: 'live-wire' });
			const both = await newestOf(client);
			expect(both).toMatchObject({ score: url || text, intelligence: { ...neutral, text, url } });
			expect((both.ps ?? 0) > 0).toBe(url === 1);
		}));
});

test('classifiers of a folder score the stories of its feeds, global ones all stories', () =>
	asReader({ variant: '2026', plan: 'archive' }, async (client) => {
		const scores = async () => {
			const found = await Promise.all(
				[1, 3, 4].map(async (id) => (await client.get(`/reader/feed/${id}`, { include_hidden: true })).body),
			);
			return found.map(({ stories }) => stories[0]?.score);
		};
		const { folders } = (await client.get('/reader/feeds')).body;
		expect(folders).toContainEqual({ News: expect.arrayContaining([1]) as unknown });
		expect(await scores()).toEqual([0, 0, 0]);
		await save(client, { scope: 'folder', folder_name: 'News', dislike_feed: 1 });
		expect(await scores()).toEqual([-1, 0, 0]);
		await save(client, { scope: 'global', like_url: 'http' });
		expect(await scores()).toEqual([1, 1, 1]);
		expect((await client.get('/reader/feeds')).body.feeds['1']).toMatchObject({ nt: 0, ng: 0 });
	}));

test('all classifiers are listed by folder and feed, with newer kinds; an invalid expression is silently ignored', () =>
	asReader({ variant: '2026', plan: 'archive' }, async (client) => {
		await save(client, { feed_id: 3, dislike_author: 'Ada' });
		const saved = await save(client, { like_text: 'ferry', like_title_regex: '^A', dislike_url_regex: '(' });
		expect(saved.body).toMatchObject({ code: 0, message: 'OK' });
		await save(client, { scope: 'folder', folder_name: 'News', like_tag: 'x' });
		await save(client, { scope: 'global', super_dislike_title: 'y' });
		const { body } = await client.get('/reader/all_classifiers');
		expect(body).toMatchObject({
			total_classifiers: 5,
			scoped_classifiers: {
				tags: [{ tag: 'x', score: 1, scope: 'folder', folder_name: 'News' }],
				titles: [{ title: 'y', score: -2, scope: 'global' }],
				urls: [],
			},
		});
		expect(body.folders).toEqual([
			expect.objectContaining({ folder_name: 'Uncategorized' }),
			expect.objectContaining({ folder_name: 'Technology' }),
		]);
		expect(body.folders[0]).toMatchObject({
			feeds: [
				{
					feed_id: LIVE_WIRE,
					classifiers: {
						texts: [{ text: 'ferry', score: 1, is_regex: false }],
						titles: [{ title: '^A', score: 1, is_regex: true }],
						urls: [],
						tags: [],
						prompts: [],
					},
				},
			],
		});
	}));

test('folder and global classifiers require the archive plan', () =>
	asReader({ variant: '2026' }, async (client) => {
		const { status, body } = await save(client, { scope: 'global', like_tag: 'x' });
		expect([status, body.code, body.message]).toEqual([
			200,
			-1,
			expect.stringContaining('Premium Archive required'),
		]);
	}));
