/** The lists that a trigger requests for a saved search, depending on the scope that a client saved. */
import { savedSearchMatch } from '../../nodes/NewsReader/triggers/saved-search';
import { clock } from '../../nodes/runtime/clock';
import { savedStory } from '../../nodes/NewsReader/resources/saved-story';
import { SimulatedN8n, WorldApi, type World } from './trigger-world';

const PAGE = 10;

afterEach(() => jest.restoreAllMocks());

/** Two feeds, one of them in a folder, and a search with a saved scope. Records the requested lists. */
class Searches implements World {
	/** The Unix times of the matching stories, in the order of the list. */
	matches: number[] = [];
	readonly requested: unknown[] = [];

	private readonly scopes: string[];

	constructor(...scopes: string[]) {
		this.scopes = scopes;
	}

	ask({ route }: { route: string }, { path, query }: Parameters<World['ask']>[1]): unknown {
		if (route === 'GET /reader/feeds') {
			return {
				feeds: { 42: { id: 42, feed_title: 'News' }, 43: { id: 43, feed_title: 'Chips' } },
				folders: [42, { Tech: [{ Hardware: [43] }] }, { Empty: [] }],
				folder_paths_supported: true,
				saved_searches: this.scopes.map((feed_id) => ({ feed_id, query: 'gnu' })),
			};
		}
		const { page, feeds, tag, query: searchText } = query as Record<string, unknown>;
		this.requested.push([route, path.id ?? feeds ?? tag ?? null, searchText]);
		const from = (Number(page) - 1) * PAGE;
		const stories = this.matches.slice(from, from + PAGE);
		return {
			stories: stories.map((at) => ({ story_hash: `42:${at}`, story_timestamp: String(at), id: at })),
		};
	}

	n8n(): SimulatedN8n {
		return new SimulatedN8n(savedSearchMatch.watch({ content: 'none' }), this, 'cursors');
	}
}

it.each([
	['42', ['GET /reader/feed/{id}', 42]],
	['feed:42', ['GET /reader/feed/{id}', 42]],
	['river:', ['GET /reader/river_stories', [42, 43]]],
	['river:Tech', ['GET /reader/river_stories', [43]]],
	['river:Hardware', ['GET /reader/river_stories', [43]]],
	['river:Tech / Hardware', ['GET /reader/river_stories', [43]]],
	['river:Tech - Hardware', ['GET /reader/river_stories', [43]]],
	['starred', ['GET /reader/starred_stories', null]],
	['starred:keep', ['GET /reader/starred_stories', 'keep']],
	['river:infrequent', ['GET /reader/river_stories', [42, 43]]],
	['read', ['GET /reader/read_stories', null]],
])('%s', async (scope, list) => {
	const searches = new Searches(scope);
	await searches.n8n().poll();
	expect(searches.requested).toEqual([[...list, 'gnu']]);
});

it.each([
	['feed:44', 'you are not subscribed to its feed'],
	['river:Elsewhere', 'its folder no longer exists'],
	['river:Empty', 'there are no feeds'],
	['social:7', 'the service does not search shared stories'],
	['river:blurblogs', 'the service does not search shared stories'],
	['river:global', 'the service does not search shared stories'],
	['other:Tech', 'this trigger does not know where it searches'],
])('says once why it does not watch a search in %s', async (scope, reason) => {
	const n8n = new Searches(scope, 'feed:42').n8n();
	const hints: string[] = [];
	jest.spyOn(WorldApi.prototype, 'hint').mockImplementation((message) => void hints.push(message));
	await n8n.poll();
	await n8n.poll();
	expect(hints).toEqual([`The saved search "gnu" in ${scope} is not watched: ${reason}`]);
	expect(await new Searches(scope).n8n().poll()).toEqual({
		failed: expect.objectContaining({ message: 'Saved Query selects no search that can be watched' }),
	});
});

/** Emits a story at the top of a long list whose date is older than everything that a first poll reads. */
async function emissionOfOldStory(scope: string): Promise<string[]> {
	const searches = new Searches(scope);
	searches.matches = Array.from({ length: 20 * PAGE }, (_, n) => 2_000_000 - n);
	const n8n = searches.n8n();
	await n8n.poll();
	expect(searches.requested).toHaveLength(10);
	searches.matches.unshift(1000);
	const polled = await n8n.poll();
	return 'ids' in polled ? polled.ids : [String(polled.failed)];
}

it('uses the saved date in searches of saved stories, otherwise the story’s date', async () => {
	expect(await emissionOfOldStory('starred')).toEqual([expect.stringContaining('42:1000')]);
	expect(await emissionOfOldStory('42')).toEqual([]);
});

it.each([
	['48 hours ago', 48 * 3600, 1],
	['less than 48 hours ago', 48 * 3600 - 1, 2],
])('reads one more page for late matches if a page ends %s', async (_, age, pages) => {
	const now = 2_000_000_000;
	jest.spyOn(clock, 'now').mockReturnValue(now * 1000);
	const searches = new Searches('42');
	const ofPage = (seconds: number): number[] =>
		Array.from({ length: PAGE }, (__, n) => seconds + PAGE - n - 1);
	searches.matches = [...ofPage(now - age), ...ofPage(now - 72 * 3600), ...ofPage(now - 96 * 3600)];
	const n8n = searches.n8n();
	await n8n.poll();
	searches.requested.length = 0;
	await n8n.poll();
	expect(searches.requested).toHaveLength(pages);
});

it('ignores tags of saved stories without a name', async () => {
	const starred_counts = [
		{ tag: 'keep', count: 2 },
		{ tag: '', count: 3 },
		{ tag: null, count: 5 },
		{ count: 4 },
	];
	const api = new WorldApi({ ask: () => ({ feeds: {}, starred_counts }) });
	const { records } = await api.page(savedStory.operations.getTags, 1);
	expect(records).toEqual([{ tag: 'keep', count: 2 }]);
});
