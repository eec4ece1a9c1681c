/** Tests that the News Reader guesses no folders, shows no secrets, hides no refusal, and keeps the limit of one request a minute. */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../support/nodes/built';
import { variants } from '../../cases/endpoint.ts';
import { byId, records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { controls, type ReaderClient } from '../support/clients/reader-client.ts';
import { makeVirtual } from '../support/clock';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { engine } from '../support/nodes/suite-engine';

describe.each(variants)('%s', (variant) => {
	let reader: ReaderSandbox;
	let me: ReaderClient;

	beforeAll(async () => {
		reader = await ReaderSandbox.start({ variant });
		await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		me = await reader.logIn();
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
	});
	beforeEach(() => reader.host.reset());

	const run = async (name: string, parameters: object = {}, inputs: object[] = [{}]) => {
		const [resource, operation] = name.split('.');
		return await runReader(engine, { resource, operation, ...parameters }, inputs);
	};
	const folders = async () => JSON.stringify((await me.get('/reader/feeds')).body.folders);

	describe('folders', () => {
		const EXISTING =
			'The folders are: News, News / Cities, Technology, Technology / Hardware, Science, Culture, Life, Life / Food.';

		/** Runs an operation that must change nothing. @returns its error */
		async function refusalOf(name: string, parameters: object): Promise<IDataObject> {
			const before = await folders();
			const result = await run(name, parameters);
			expect(
				reader.host.requests.filter(({ method, path }) => method === 'POST' && !path.endsWith('/login')),
			).toEqual([]);
			expect(await folders()).toBe(before);
			return {
				name: result.error?.name,
				message: result.error?.message,
				description: result.error?.description,
			};
		}

		const unknown = byId('Nowhere');
		const feedId = byId(5);
		it.each<[string, object, string]>([
			['feed.add', { feedUrl: 'https://example.com', folder: unknown }, 'Folder'],
			['feed.move', { feedId, toFolder: unknown }, 'To Folder'],
			['feed.move', { feedId, inFolder: unknown, toFolder: byId('News') }, 'In Folder'],
			['feed.delete', { feedId, inFolder: unknown }, 'In Folder'],
			['folder.create', { folderName: 'x', parentFolder: unknown }, 'Parent Folder'],
			['folder.delete', { folder: unknown }, 'Folder'],
			['folder.move', { folder: unknown, toFolder: byId('News') }, 'Folder'],
			['folder.move', { folder: byId('Science'), toFolder: unknown }, 'To Folder'],
			['folder.rename', { folder: unknown, newFolderName: 'x' }, 'Folder'],
		])('%s refuses an unknown folder and lists the existing ones', async (name, parameters, label) => {
			expect(await refusalOf(name, parameters)).toEqual({
				name: 'NodeOperationError',
				message: `${label} "Nowhere" does not exist [item 0]`,
				description: EXISTING,
			});
		});

		it('are identified by their path, not by their name', async () => {
			expect(await refusalOf('folder.delete', { folder: byId('Cities') })).toMatchObject({
				message: 'Folder "Cities" does not exist [item 0]',
			});
		});

		it('are refused if two have the same name, because the service could change the other one', async () => {
			await me.post('/reader/add_folder', { folder: 'Food', parent_folder: 'Science' });
			const ambiguous = byId('Life / Food');
			for (const [name, parameters] of [
				['folder.rename', { folder: ambiguous, newFolderName: 'x' }],
				['folder.delete', { folder: byId('Science / Food') }],
				['feed.move', { feedId: byId(10), toFolder: ambiguous }],
			] as const) {
				const { message, description } = await refusalOf(name, parameters);
				expect(message).toContain('"Food" occurs more than once ("Science / Food", "Life / Food")');
				expect(description).toContain('Life / Food');
			}
			await me.post('/reader/delete_folder', { folder_to_delete: 'Food', in_folder: 'Science' });
		});

		it.each<[string, object, string]>([
			['folder.create', { folderName: 'food' }, 'Name'],
			['folder.create', { folderName: 'Food', parentFolder: byId('News') }, 'Name'],
			['folder.rename', { folder: byId('Science'), newFolderName: ' Food' }, 'New Name'],
		])('%s refuses a name that another folder has', async (name, parameters, label) => {
			expect((await refusalOf(name, parameters)).message).toBe(
				`${label} is taken by the folder "Life / Food" [item 0]`,
			);
		});

		it('are refused as their own target, and as the source of a feed that they do not contain', async () => {
			expect(
				(await refusalOf('folder.move', { folder: byId('News'), toFolder: byId('News / Cities') })).message,
			).toContain('is the folder itself or inside it');
			expect((await refusalOf('feed.delete', { feedId, inFolder: byId('News') })).message).toContain(
				'In Folder "News" does not contain feed 5',
			);
			expect((await refusalOf('feed.delete', { feedId, inFolder: byId('/') })).message).toContain(
				'In Folder "/" does not contain feed 5',
			);
			expect((await refusalOf('feed.move', { feedId: byId(99), toFolder: byId('News') })).message).toContain(
				'Feed 99 is not one of your subscriptions',
			);
		});

		it('must be chosen for a feed that is in several of them', async () => {
			const before = await folders();
			const twice = [...(JSON.parse(before) as unknown[]), 5];
			await me.post('/reader/save_feed_order', { folders: JSON.stringify(twice) });
			expect(await refusalOf('feed.delete', { feedId })).toMatchObject({
				message: expect.stringMatching(
					/^In Folder is needed, because feed 5 is in several folders: the top level, "Science" /,
				) as string,
				description: 'Enter the folder.',
			});
			expect((await run('feed.delete', { feedId, inFolder: byId('Science') })).error).toBeUndefined();
			const remaining = JSON.parse(await folders()) as Array<object | number>;
			expect(remaining).toContain(5);
			expect(remaining).not.toContainEqual({ Science: expect.arrayContaining([5]) as number[] });
			await me.post('/reader/save_feed_order', { folders: JSON.stringify(twice) });
			expect((await run('feed.delete', { feedId, inFolder: byId('/') })).error).toBeUndefined();
			expect(JSON.parse(await folders())).not.toContain(5);
			expect(await folders()).toContain('5');
			await me.post('/reader/save_feed_order', { folders: before });
		});

		describe('changed by several items', () => {
			let before: string;
			beforeEach(async () => (before = await folders()));
			afterEach(async () => void (await me.post('/reader/save_feed_order', { folders: before })));

			const foldersByName = async () =>
				(await me.get('/reader/feeds', { flat: true })).body.flat_folders as Record<string, number[]>;
			const move = { feedId: byId('={{ $json.feed }}'), toFolder: byId('={{ $json.to }}') };

			it('are read once per run, and updated from the response of each write', async () => {
				const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
				const toScience = all.map((feed) => ({ feed, to: 'Science' }));
				const toCities = all.map((feed) => ({ feed, to: 'News / Cities' }));
				const result = await run('feed.move', move, [...toScience, ...toCities]);
				expect(records(result)).toHaveLength(20);
				expect(reader.host.requestsTo('/reader/feeds')).toHaveLength(1);
				expect((await foldersByName())['News - Cities']?.sort()).toEqual([...all].sort());
				expect((await foldersByName()).Science ?? []).toEqual([]);
			});

			it('are changed sequentially, because concurrent writes could undo each other', async () => {
				let [active, maxActive] = [0, 0];
				reader.host.respond = async ({ path }) => {
					if (!path.endsWith('/move_feed_to_folder')) return undefined;
					maxActive = Math.max(maxActive, (active += 1));
					await new Promise(setImmediate);
					active -= 1;
					return undefined;
				};
				const inputs = [1, 2, 3, 4, 5].map((feed) => ({ feed, to: 'Science' }));
				expect(records(await run('feed.move', move, inputs))).toHaveLength(5);
				expect(maxActive).toBe(1);
			});

			it('are read again after a failed write', async () => {
				let failures = 1;
				reader.host.respond = ({ path }) =>
					path.endsWith('/move_feed_to_folder') && failures-- > 0
						? { status: 500, body: 'Sorry' }
						: undefined;
				const inputs = [
					{ feed: 1, to: 'Science' },
					{ feed: 1, to: 'Life' },
				];
				const result = await runReader(engine, { resource: 'feed', operation: 'move', ...move }, inputs, {
					onError: 'continueRegularOutput',
				});
				expect(result.json('News Reader')).toMatchObject([
					{ error: expect.anything() as string },
					{ success: true },
				]);
				expect(reader.host.requestsTo('/reader/feeds')).toHaveLength(2);
				expect((await foldersByName()).Life).toContain(1);
			});

			it('are returned in the unchanged response with Raw Response', async () => {
				const [response] = records(
					await run('feed.move', { ...move, options: { rawResponse: true } }, [{ feed: 1, to: 'Science' }]),
				);
				expect(response).toMatchObject({ code: 1, folders: expect.any(Array) as unknown[] });
			});
		});

		it('must contain exactly the subscribed feeds when their order is saved', async () => {
			expect((await refusalOf('folder.saveOrder', { folders: '[1,2,3]' })).message).toContain(
				'leaves out feeds of your subscriptions or folders: 4, 5, 6, 7, 8, 9, 10',
			);
			const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 77];
			expect((await refusalOf('folder.saveOrder', { folders: all })).message).toContain(
				'not subscribed to: 77',
			);
			const unnamed = [1, 2, 3, { Tech: [4, 5, 6, 7, 8, 9, { ' ': [10] }] }];
			expect((await refusalOf('folder.saveOrder', { folders: unnamed })).message).toContain(
				'folders with names',
			);
		});

		it('include the feeds of nested folders', async () => {
			const chosen = { whichFeeds: 'folder', folder: byId('Technology') };
			const stories = records(
				await run('story.getUnread', { ...chosen, returnAll: true, storyContent: 'none' }),
			);
			expect(new Set(stories.map(({ feedId: id }) => id))).toEqual(new Set([3, 4]));
			const expected = [...(await reader.unreadHashes(3)), ...(await reader.unreadHashes(4))];
			expect(stories.map(({ hash }) => hash).sort()).toEqual(expected.sort());
			expect(reader.host.requestsTo('/reader/river_stories')).toHaveLength(Math.ceil(expected.length / 100));
			expect((await run('story.getUnread', { ...chosen, folder: unknown, limit: 5 })).error).toMatchObject({
				message: 'Folder "Nowhere" does not exist [item 0]',
				description: EXISTING,
			});
		});
	});

	describe('unread stories', () => {
		const unread = async (more: object) =>
			records(await run('story.getUnread', { whichFeeds: 'feeds', storyContent: 'none', ...more }));

		it('are sorted across feeds, newest or oldest first, up to the limit', async () => {
			const everything = await unread({ feedIds: [1, 2], returnAll: true, options: { order: 'newest' } });
			expect(everything).toHaveLength(120);
			const newest = await unread({ feedIds: [1, 2], limit: 7, options: { order: 'newest' } });
			expect(newest).toEqual(everything.slice(0, 7));
			const oldest = await unread({ feedIds: [1, 2], limit: 7, options: { order: 'oldest' } });
			expect(oldest.map(({ date }) => date)).toEqual(
				everything
					.map(({ date }) => date)
					.reverse()
					.slice(0, 7),
			);
		});

		it.each<[string, object, string, number]>([
			['story.getUnread', { limit: 120 }, 'stories', 2],
			['story.getUnreadHashes', {}, 'unread_feed_story_hashes', 1],
			['feed.getFavicons', {}, '1', 1],
		])('are returned unchanged with Raw Response: %s', async (name, more, key, count) => {
			const responses = records(await run(name, { ...more, options: { rawResponse: true } }));
			expect(responses).toHaveLength(count);
			expect(responses.every((response) => response.authenticated === true && key in response)).toBe(true);
		});

		it('are replaced and reported if the service no longer has them', async () => {
			const [existing] = await reader.unreadHashes(1);
			reader.host.respond = ({ path, url }) =>
				path.endsWith('/reader/unread_story_hashes')
					? {
							status: 200,
							headers: { 'content-type': 'application/json' },
							body: JSON.stringify({
								unread_feed_story_hashes: {
									1: [
										['1:ffffff', 1788264000],
										[existing, 1788263000],
									],
								},
								authenticated: true,
								requested: url,
							}),
						}
					: undefined;
			const result = await run('story.getUnread', { whichFeeds: 'feeds', feedIds: [1], limit: 1 });
			expect(records(result).map(({ hash }) => hash)).toEqual([existing]);
			expect(result.hints('News Reader').map(({ message }) => message)).toEqual([
				'Unread stories skipped because the service no longer has them: 1',
			]);
		});
	});

	describe('secrets in responses', () => {
		let token: string;

		beforeAll(async () => {
			await me.post('/reader/save_search', { feed_id: 'feed:1', query: 'harbour' });
			token = (await me.get('/reader/feeds')).body.share_ext_token;
			expect(token).toMatch(/^[\da-f]{32}$/);
		});

		it.each<[string, object]>([
			['feed.getAll', { returnAll: true }],
			['feed.getAll', { returnAll: true, simplify: false }],
			['feed.getAll', { returnAll: true, options: { rawResponse: true } }],
			['folder.getAll', { returnAll: true, options: { rawResponse: true } }],
			['savedSearch.getAll', { returnAll: true, simplify: false }],
			['savedSearch.getAll', { returnAll: true, options: { rawResponse: true } }],
			['savedSearch.create', { feedId: byId(2), savedQuery: 'kerb', options: { rawResponse: true } }],
			['savedStory.getTags', { returnAll: true, options: { rawResponse: true } }],
			['savedStory.unsave', { storyHash: '1:ffffff', options: { rawResponse: true } }],
		])('%s masks them (%j)', async (name, parameters) => {
			const result = await run(name, parameters);
			expect(
				reader.host.requests.some(({ reply }) => /messages/.test(reply.body) || reply.body.includes(token)),
			).toBe(true);
			expect(JSON.stringify(result.runData)).not.toContain(token);
		});

		it('are shown only if Include Secrets names them', async () => {
			const raw = async (includeSecrets: string[]) =>
				JSON.stringify(
					records(
						await run('feed.getAll', { returnAll: true, options: { rawResponse: true, includeSecrets } }),
					),
				);
			expect(await raw(['share_ext_token'])).toContain(`"share_ext_token":"${token}"`);
			expect(await raw(['share_ext_token'])).not.toContain(`starred_rss/1/${token}`);
			expect(await raw(['feed_address'])).toContain(`starred_rss/1/${token}`);
			expect(await raw(['feed_address'])).toContain('"share_ext_token":"***"');
		});

		it('do not include the public addresses of feeds', async () => {
			const feeds = records(await run('feed.getAll', { returnAll: true }));
			expect(feeds.every(({ address }) => String(address).startsWith('http'))).toBe(true);
		});
	});

	describe('an account without the premium plan', () => {
		beforeAll(() => reader.client.control(controls.settings, { plan: 'free' }));
		afterAll(() => reader.client.control(controls.settings, { plan: 'premium' }));

		it.each<[string, object]>([
			['story.getAll', { feedId: byId(1), filters: { searchQuery: 'harbour' }, limit: 5 }],
			['river.getAll', { whichFeeds: 'feeds', feedIds: [1], filters: { searchQuery: 'harbour' }, limit: 5 }],
			['savedStory.getAll', { filters: { searchQuery: 'harbour' }, limit: 5 }],
		])(
			'%s reports that searching requires a premium account instead of returning an empty list',
			async (name, parameters) => {
				const result = await run(name, parameters);
				expect(result.error).toMatchObject({
					name: 'NodeApiError',
					message: expect.stringMatching(/premium (subscriber|feature)/) as string,
				});
				expect(result.json('News Reader')).toEqual([]);
			},
		);

		it('saves searches only if the service allows it', async () => {
			const result = await run('savedSearch.create', { feedId: byId(1), savedQuery: 'sea' });
			if (variant === 'wild') expect(records(result)).toMatchObject([{ query: 'sea', success: true }]);
			else expect(result.error?.message).toMatch(/must be a premium subscriber/);
		});

		it('does not report a search as saved if the service returns only a message', async () => {
			const message = 'You must be a premium subscriber to save searches.';
			const json = {
				result: 'ok',
				authenticated: true,
				saved_searches: [{ feed_id: '1', query: 'sun' }],
				message,
			};
			reader.host.respond = ({ path }) =>
				path.endsWith('/reader/save_search')
					? { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }
					: undefined;
			const save = async (savedQuery: string) =>
				await run('savedSearch.create', { feedId: byId(1), savedQuery });
			expect((await save('sea')).error).toMatchObject({
				name: 'NodeApiError',
				message: `The news reader service refused to save a search. It says: “${message}” [item 0]`,
			});
			expect(records(await save('sun'))).toEqual([{ feedId: 1, query: 'sun', success: true, message }]);
		});

		it('returns the river, with the service’s message as a hint', async () => {
			const result = await run('river.getAll', { whichFeeds: 'feeds', feedIds: [1], returnAll: true });
			expect(records(result).length).toBeGreaterThan(3);
			const hints = result.hints('News Reader').map(({ message }) => message);
			expect(hints).toEqual(variant === 'wild' ? [expect.stringContaining('premium feature')] : []);
		});
	});

	describe('the profile', () => {
		it('does not change fields that are blank', async () => {
			const fields = {
				location: 'Oslo',
				bio: 'Reads',
				website: 'https://me.example.com',
				photo_service: 'gravatar',
			};
			await me.post('/social/save_user_profile', fields);
			await run('profile.update', { additionalFields: { location: 'Bergen', bio: '' } });
			const { user_profile: profile } = (await me.get('/social/load_user_profile')).body;
			expect(profile).toMatchObject({ ...fields, location: 'Bergen' });
		});
	});

	describe('unread counts', () => {
		it('are requested once a minute: a second call waits, or returns the last counts', async () => {
			const time = makeVirtual(clock);
			try {
				await reader.changeAddress();
				engine.credentials.setAll(sessionCredential(reader.baseUrl));
				const counts = async (withinMinute: string, items = 1) => {
					const inputs = Array.from({ length: items }, () => ({}));
					return records(await run('feed.refreshCounts', { withinMinute }, inputs));
				};
				const requested = () => reader.host.requestsTo('/reader/refresh_feeds').length;
				const first = await counts('wait');
				expect([requested(), time.elapsed() < 1000]).toEqual([1, true]);
				expect(await counts('last', 3)).toEqual([...first, ...first, ...first]);
				expect([requested(), time.elapsed() < 1000]).toEqual([1, true]);
				await counts('wait');
				expect(requested()).toBe(2);
				expect(time.elapsed()).toBeGreaterThanOrEqual(60_000);
				expect(time.elapsed()).toBeLessThan(62_000);
				await counts('wait', 2);
				expect(requested()).toBe(4);
				expect(time.elapsed()).toBeGreaterThanOrEqual(180_000);
			} finally {
				time.restore();
				engine.credentials.setAll(sessionCredential(reader.baseUrl));
			}
		});
	});

	describe('feeds', () => {
		it('are not deleted twice in one run', async () => {
			const inputs = [{ feed: 10 }, { feed: 10 }, { feed: 9 }];
			await me.post('/reader/move_feed_to_folder', { feed_id: 9, in_folder: '', to_folder: 'Science' });
			const result = await runReader(
				engine,
				{ resource: 'feed', operation: 'delete', feedId: byId('={{ $json.feed }}') },
				inputs,
				{ onError: 'continueRegularOutput' },
			);
			expect(result.json('News Reader')).toMatchObject([
				{ success: true },
				{ error: 'Feed 10 is not one of your subscriptions [item 1]' },
				{ success: true },
			]);
			expect(reader.host.requestsTo('/reader/feeds')).toHaveLength(1);
			const { feeds } = (await me.get('/reader/feeds')).body as { feeds: object };
			expect(Object.keys(feeds)).not.toEqual(expect.arrayContaining(['9', '10']));
		});
	});
});

describe('responses that do not identify their account', () => {
	let reader: ReaderSandbox;
	let me: ReaderClient;

	beforeAll(async () => {
		reader = await ReaderSandbox.start({ variant: 'wild' });
		await reader.client.control(controls.settings, { cookie_name: 'reader_sessionid' });
		me = await reader.logIn();
		// The demo account has no opinions and no renamed feeds.
		await me.post('/classifier/save', { feed_id: 1, like_tag: 'only mine' });
		await me.post('/reader/rename_feed', { feed_id: 1, feed_title: 'Only mine' });
	});
	beforeEach(async () => {
		await reader.changeAddress();
		engine.credentials.setAll(sessionCredential(reader.baseUrl));
		await runReader(engine, { resource: 'profile', operation: 'get' });
		await reader.revokeSessions();
		reader.host.reset();
	});

	it.each<[string, object]>([
		['feed.getTrainer', { returnAll: true, filters: { feedId: byId(1) } }],
		['subscriptionList.export', { exportAs: 'feeds' }],
		['subscriptionList.export', { exportAs: 'file' }],
	])('%s never returns the demo account’s data (%j)', async (name, parameters) => {
		const [resource, operation] = name.split('.');
		const result = await runReader(engine, { resource, operation, ...parameters });
		const texts = result
			.items('News Reader')
			.flatMap(({ json, binary = {} }) => [
				JSON.stringify(json),
				...Object.values(binary).map(({ data }) => Buffer.from(data, 'base64').toString()),
			]);
		expect(result.error).toBeUndefined();
		expect(texts.join()).toMatch(/only mine/i);
		expect(reader.logins).toBe(1);
	});

	it.each<[string, object]>([
		['share.getTrainer', { returnAll: true, userId: byId(2) }],
		['feed.autocomplete', { returnAll: true, term: 'lantern' }],
		// It has no stories of private users whom the demo account does not follow.
		['share.getPage', { userId: byId(2) }],
	])('%s is requested again after the session is renewed', async (name, parameters) => {
		const [resource, operation] = name.split('.');
		const result = await runReader(engine, { resource, operation, ...parameters });
		expect(records(result)).toHaveLength(1);
		const path = {
			'share.getTrainer': '/social/feed_trainer',
			'feed.autocomplete': '/rss_feeds/feed_autocomplete',
			'share.getPage': '/social/page/2/',
		}[name]!;
		expect(reader.host.requestsTo(path)).toHaveLength(2);
		expect(reader.logins).toBe(1);
	});

	it('fails and returns nothing if the session can’t be renewed', async () => {
		engine.credentials.setAll(
			sessionCredential(reader.baseUrl, { password: 'wrong', sessionToken: 'session-that-is-gone' }),
		);
		for (const [resource, operation, parameters] of [
			['feed', 'getTrainer', { returnAll: true, filters: { feedId: byId(1) } }],
			['subscriptionList', 'export', { exportAs: 'file' }],
			['feed', 'autocomplete', { returnAll: true, term: 'lantern' }],
		] as const) {
			const result = await runReader(engine, { resource, operation, ...parameters });
			expect(result.error?.message).toMatch(/^The login to the news reader service failed: .*password/);
			expect(result.items('News Reader')).toEqual([]);
		}
		expect(reader.logins).toBe(1);
	});
});
