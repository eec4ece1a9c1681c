/** How many pages a poll reads of a list that has the newest entries first. */
import type { Api } from '../../nodes/runtime/api-types';
import { newActivity, newInteraction } from '../../nodes/NewsReader/triggers/interactions';
import { fingerprint, type Entry } from '../../nodes/NewsReader/triggers/newest-first-cursor';
import { readList } from '../../nodes/NewsReader/triggers/newest-first-reading';
import { newSharedStory } from '../../nodes/NewsReader/triggers/shares';
import type { Watch } from '../../nodes/runtime/table/event';
import { WorldApi } from './trigger-world';

it.each<[string, number, Watch]>([
	['interactions', 5, newInteraction.watch({})],
	['activities', 5, newActivity.watch({})],
	['shared stories', 25, newSharedStory.watch({ sharer: 7, content: 'none' })],
])('a first poll of %s reads %i pages', async (_, pages, watch) => {
	const api = new WorldApi({
		ask: (__, { query }) => {
			const entry = {
				category: 'follow',
				date: `2026-09-01 12:00:${query.page}`,
				story_hash: `1:${query.page}`,
			};
			return { interactions: [entry], activities: [entry], stories: [entry], has_next_page: true };
		},
	});
	await watch.snapshot(undefined, api);
	expect(api.requests).toBe(pages);
});

const entryOf = (key: string): Entry => ({ key, passesFilters: true, item: () => ({}), kept: {} });

/** Reads an endless list with one entry a page, of which one page is known. */
async function readUntil(knownPage: number, backlogPage?: number) {
	const list = async (page: number) => ({ entries: [entryOf(`page ${page}`)], more: true });
	const cursor = { known: `${fingerprint(`page ${knownPage}`)}.`, knownUntil: 0, groups: null };
	const options = {
		idPrefix: 'entry',
		depth: 1,
		lists: async () => ({ lists: [list], groups: null }),
		restore: async () => [],
	};
	const api: Api = new WorldApi({ ask: () => ({}) });
	const hint = jest.spyOn(api, 'hint');
	const { entries } = await readList(list, cursor, options, api, backlogPage);
	return { first: entries[0]?.key, last: entries.at(-1)?.key, hints: hint.mock.calls.length };
}

it('a poll reads up to a hundred pages, otherwise the oldest twenty new ones', async () => {
	expect(await readUntil(100)).toEqual({ first: 'page 1', last: 'page 100', hints: 0 });
	expect(await readUntil(101)).toEqual({ first: 'page 81', last: 'page 101', hints: 1 });
});

it('a poll reads the oldest twenty pages of a backlog', async () => {
	expect(await readUntil(31, 30)).toEqual({ first: 'page 11', last: 'page 31', hints: 0 });
});
