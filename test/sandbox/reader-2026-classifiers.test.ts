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

test('all classifiers are listed by folder and feed, with newer kinds; a bad expression is dropped with OK', () =>
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

test('folders and everything need the archive plan', () =>
	asReader({ variant: '2026' }, async (client) => {
		const { status, body } = await save(client, { scope: 'global', like_tag: 'x' });
		expect([status, body.code, body.message]).toEqual([
			200,
			-1,
			expect.stringContaining('Premium Archive required'),
		]);
	}));
