/** When lists of stories end, and which responses are rejected. */
import { table } from '../../nodes/NewsReader/resources';
import type { Operation } from '../../nodes/runtime/table/operation';
import { responseWith } from '../support/responses';
import { readStories } from '../../nodes/NewsReader/model/hashes';
import { unreadByFeed } from '../../nodes/NewsReader/model/unread';
import { WorldApi } from './trigger-world';

const { story, river, savedStory, share } = table;
const feed = story.operations.getAll!;
const rivers = river.operations.getAll!;
const unlimited = [
	story.operations.getHistory!,
	savedStory.operations.getAll!,
	share.operations.getAll!,
	river.operations.getShared!,
];
const stories = [{ story_hash: '42:a1b2c3' }];

/** Reads one page of a list. */
function read(row: Operation, page: number, body: object, query: Record<string, unknown> = {}) {
	const json = { result: 'ok', authenticated: true, ...body };
	return row.paging!.read(responseWith(json), page, query)!;
}

it.each([
	['a feed', feed],
	['the river', rivers],
])('%s ends after 400 pages with a hint that more may exist', (_, row) => {
	expect(read(row, 399, { stories })).toMatchObject({ more: true });
	expect(read(row, 400, { stories })).toMatchObject({
		more: false,
		warning: expect.stringContaining('400') as string,
	});
	expect(read(row, 400, { stories: [] })).toEqual({ records: [], more: false, warning: undefined });
});

it.each(unlimited.map((row) => [row.route, row]))('%s continues after 400 pages', (_, row) => {
	expect(read(row, 400, { stories })).toMatchObject({ more: true, warning: undefined });
});

it.each([
	['the river', 12, 200, rivers],
	['shared stories', 10, 50, river.operations.getShared!],
])('%s: a page has %i to %i stories', (_, least, most, row) => {
	const { pageSize, query } = row.paging!;
	expect(pageSize).toBe(most);
	expect([1, least, most].map((size) => query(3, size))).toEqual([
		{ page: 3, limit: least },
		{ page: 3, limit: least },
		{ page: 3, limit: most },
	]);
});

/** A page is empty before the end of the list if the service has deleted all its stories. */
it('reads the whole history on one page, which has up to 1,000 stories', () => {
	const { pageSize, query } = story.operations.getHistory!.paging!;
	expect(query(1, pageSize)).toEqual({ page: 1, limit: 1000 });
	expect(query(2, 50)).toEqual({ page: 2, limit: 200 });
});

it('rejects a first page with only a message', () => {
	const message = 'Not on this plan';
	expect(read(savedStory.operations.getAll!, 1, { stories: [], message })).toMatchObject({
		error: message,
	});
	expect(read(savedStory.operations.getAll!, 2, { stories: [], message })).toMatchObject({
		warning: message,
	});
});

it('accepts an empty page with code 0, but rejects it for a search', () => {
	const cut = { stories: [], code: 0, message: 'Not on this plan' };
	expect(read(rivers, 1, cut)).toMatchObject({
		warning: expect.stringMatching(/^Not on this plan\. .*Story → Get Unread/) as string,
	});
	expect(read(rivers, 1, cut, { query: 'sun' })).toMatchObject({ error: cut.message });
	const whole = { ...cut, stories: Array.from({ length: 4 }, () => stories[0]) };
	expect(read(rivers, 2, whole)).toEqual({ records: whole.stories, more: true });
});

describe('hashes of unread stories', () => {
	const world = (unread: unknown): WorldApi =>
		new WorldApi({ ask: () => ({ unread_feed_story_hashes: unread, feeds: {} }) });

	it('are empty if the service sends an empty list instead of a map', async () => {
		const { byFeed } = await unreadByFeed(world([]), undefined, {});
		expect(byFeed).toEqual(new Map());
	});

	it.each([[['5:a']], ['none'], [null]])('are rejected if invalid: %j', async (unread) => {
		await expect(unreadByFeed(world(unread), undefined, {})).rejects.toThrow('hashes');
	});

	it('lead to stories that are hidden, too', async () => {
		const api = new WorldApi({ ask: () => ({ stories: [] }) });
		const send = jest.spyOn(api, 'send');
		await readStories(api, ['5:a']);
		expect(send.mock.lastCall).toMatchObject([{ query: { h: ['5:a'], include_hidden: true } }]);
	});
});
