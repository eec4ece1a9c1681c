/** Tests that a confirmed write is in doubt if a later response of the run shows that another process has undone it. */
import type { Engine } from '../../engine/index.ts';
import { FakeHost, type HostRequest } from '../support/hosts/fake-host';
import { byId, runReader, sessionCredential, SESSION, startEngine } from '../support/nodes/reader-node';
import { stagesOf, type Stage } from './support/stages';

const OK = { result: 'ok', code: 1, authenticated: true, user_id: 1 };
const NODE = 'News Reader';
const ITEMS = [{ n: 2 }, { n: 3 }, { n: 4 }];

describe('a confirmed write that a later response no longer shows', () => {
	let host: FakeHost;
	let engine: Engine;
	let respond: (form: URLSearchParams, request: HostRequest) => object;

	beforeAll(async () => {
		host = await FakeHost.start((request) => ({
			body: { ...OK, ...respond(new URLSearchParams(request.body), request) },
		}));
		engine = await startEngine();
		engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: SESSION }));
	});
	afterAll(async () => await host.stop());

	const run = async (parameters: object, onError?: 'continueRegularOutput', items: object[] = ITEMS) =>
		await runReader(engine, parameters, items, { ...(onError && { onError }) });
	const stagesFor = async (parameters: object, items: object[] = ITEMS): Promise<Stage[]> => {
		const result = await run(parameters, 'continueRegularOutput', items);
		expect(result.error).toBeUndefined();
		return stagesOf(result, NODE, items.length);
	};

	/** Sets the followed users in consecutive responses. */
	const following = (...lists: number[][]): void => {
		let requested = 0;
		respond = (form) => {
			const id = Number(form.get('user_id'));
			const list = lists[requested++ % lists.length]!;
			const profile = { user_id: id, followed_by_you: list.includes(id) };
			return {
				user_profile: { user_id: 1, following_user_ids: list },
				follow_profile: profile,
				unfollow_profile: profile,
			};
		};
	};
	const change = (operation: string) => ({
		...{ resource: 'user', operation, userId: byId('={{ $json.n }}') },
	});

	it('reports Follow as in doubt, with the reason', async () => {
		following([2], [2, 3], [3, 4]);
		const result = await run(change('follow'), 'continueRegularOutput');
		expect(stagesOf(result, NODE, 3)).toEqual(['in doubt', 'done', 'done']);
		expect(result.items(NODE)[0]?.json).toEqual({
			error: 'The service confirmed this, but its later responses no longer show it',
			details:
				'The service may have carried out the request. Check there before you run this item again. ' +
				'Another process may have changed the same list at the same moment.',
		});
	});

	it('stops the run with Stop Workflow, and reports the stage of each item', async () => {
		following([2], [2, 3], [3, 4]);
		const { error } = await run(change('follow'));
		expect(error?.message).toContain('its later responses no longer show it');
		expect(error?.description).toContain('Done: 1-2. In doubt: 0. Not begun: none.');
	});

	it('keeps the reason why a run stopped', async () => {
		following([2], [3], [3]);
		const { error } = await run(change('follow'));
		expect(error?.message).toContain('user 4 is not followed');
		expect(error?.description).toContain('Done: 1. In doubt: 0, 2. Not begun: none.');
	});

	it('reports Unfollow as in doubt', async () => {
		following([3, 4], [4], [2]);
		expect(await stagesFor(change('unfollow'))).toEqual(['in doubt', 'done', 'done']);
	});

	it('reports Follow as done if the last response shows it again, or may be incomplete', async () => {
		following([2], [3], [2, 3, 4]);
		expect(await stagesFor(change('follow'))).toEqual(['done', 'done', 'done']);
		following([2], [2, 3], [4, ...Array.from({ length: 47 }, (_, n) => 100 + n)]);
		expect(await stagesFor(change('follow'))).toEqual(['done', 'done', 'done']);
	});

	/** Sets the folders in consecutive responses to writes; a read returns `before`. */
	const foldersAfter = (before: unknown[], ...trees: unknown[][]): void => {
		let requested = 0;
		respond = (_, { method }) =>
			method === 'GET' ? { folders: before, feeds: { 7: { id: 7 } } } : { folders: trees[requested++] };
	};

	it('reports changes of folders as in doubt', async () => {
		const create = { resource: 'folder', operation: 'create', folderName: '=F{{ $json.n }}' };
		const [two, three, four] = [{ F2: [] }, { F3: [] }, { F4: [] }];
		foldersAfter([7], [7, two], [7, two, three], [7, three, four]);
		expect(await stagesFor(create)).toEqual(['in doubt', 'done', 'done']);
		foldersAfter([7], [7, two], [7, two, three], [7, two, three, four]);
		expect(await stagesFor(create)).toEqual(['done', 'done', 'done']);
		const remove = { resource: 'folder', operation: 'delete', folder: byId('=F{{ $json.n }}') };
		foldersAfter([7, two, three, four], [7, three, four], [7, four], [7, two]);
		expect(await stagesFor(remove)).toEqual(['in doubt', 'done', 'done']);
	});

	it('reports a moved feed as in doubt, unless a later item moved it again', async () => {
		const move = {
			...{ resource: 'feed', operation: 'move', feedId: byId('={{ $json.feed }}') },
			...{ inFolder: byId(''), toFolder: byId('={{ $json.to }}') },
		};
		const items = [
			{ feed: 7, to: 'A' },
			{ feed: 8, to: 'B' },
		];
		foldersAfter([7, 8, { A: [] }, { B: [] }], [8, { A: [7] }, { B: [] }], [7, { A: [] }, { B: [8] }]);
		expect(await stagesFor(move, items)).toEqual(['in doubt', 'done']);
		foldersAfter([7, { A: [] }, { B: [] }], [{ A: [7] }, { B: [] }], [{ A: [] }, { B: [7] }]);
		const moveAgain = { ...move, inFolder: byId('={{ $json.from }}') };
		const steps = [
			{ feed: 7, from: '', to: 'A' },
			{ feed: 7, from: 'A', to: 'B' },
		];
		expect(await stagesFor(moveAgain, steps)).toEqual(['done', 'done']);
	});

	it('reports replies to the same comment as in doubt', async () => {
		let requested = 0;
		const storedReplies = [['r1'], ['r1', 'r2'], ['r3']];
		respond = () => {
			const replies = storedReplies[requested++]!.map((id) => ({
				reply_id: id,
				user_id: 1,
				comments: 'So',
				date: '',
			}));
			return {
				comment: { id: 'c', user_id: 9, comments: '', date: '', replies },
				reply_id: replies.at(-1)!.reply_id,
			};
		};
		const reply = {
			...{ resource: 'comment', operation: 'saveReply', storyId: byId('story'), feedId: byId(7) },
			...{ commentUserId: byId(9), replyText: 'So' },
		};
		expect(await stagesFor(reply)).toEqual(['in doubt', 'in doubt', 'done']);
		requested = 0;
		const others = { ...reply, commentUserId: byId('={{ $json.n }}') };
		expect(await stagesFor(others)).toEqual(['done', 'done', 'done']);
	});
});
