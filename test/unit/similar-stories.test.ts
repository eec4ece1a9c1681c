import type { ApiResponse } from '../../nodes/runtime/api-types';
import { readWithSimilar } from '../../nodes/NewsReader/model/stories';
import type { IDataObject } from 'n8n-workflow';
import { responseWith } from '../support/responses';
import { clock } from '../../nodes/runtime/clock';
import { bestOf, StoryGroups, type EmittedGroups } from '../../nodes/NewsReader/triggers/similar-groups';
import { collectStories } from '../../nodes/NewsReader/triggers/story-items';
import { WorldApi } from './trigger-world';

describe('requests for similar stories by hash', () => {
	interface Server {
		/** Clusters of hashes; the first hash has the highest score. */
		clusters?: string[][];
		/** Hashes of stories without a cluster. */
		others?: string[];
		/** Whether the returned story does not list the omitted members of its cluster. */
		isSilent?: boolean;
	}

	/** Reads stories from a server. @returns the stories, and the hashes of each request */
	async function read(hashes: string[], { clusters = [], others = [], isSilent = false }: Server) {
		const requests: string[][] = [];
		const response = await readWithSimilar(hashes, async (requested) => {
			requests.push(requested);
			const clustered = clusters.flatMap((cluster) => {
				const [first] = cluster.filter((hash) => requested.includes(hash));
				const omitted = cluster.filter((hash) => hash !== first).map((hash) => ({ story_hash: hash }));
				return first ? [{ story_hash: first, ...(!isSilent && { cluster_stories: omitted }) }] : [];
			});
			const stories = [
				...clustered,
				...others.filter((hash) => requested.includes(hash)).map((hash) => ({ story_hash: hash })),
			];
			return await Promise.resolve({ json: { code: 1, stories } } as unknown as ApiResponse);
		});
		const { stories } = response.json as { stories: Array<{ story_hash: string }> };
		return { returned: stories.map(({ story_hash: hash }) => hash), requests };
	}

	const hashesOf = (feed: number, count: number): string[] =>
		Array.from({ length: count }, (_, index) => `${feed}:${String(index).padStart(6, '0')}`);

	it('returns every member of a cluster of ten, with ten requests', async () => {
		const cluster = hashesOf(1, 10);
		const { returned, requests } = await read(cluster, { clusters: [cluster] });
		expect(returned.sort()).toEqual(cluster);
		expect(requests).toHaveLength(10);
	});

	it('returns every member of ten clusters, with ten requests', async () => {
		const clusters = Array.from({ length: 10 }, (_, feed) => hashesOf(feed + 1, 10));
		const { returned, requests } = await read(clusters.flat(), { clusters });
		expect(returned.sort()).toEqual(clusters.flat().sort());
		expect(requests.map(({ length }) => length)).toEqual([100, 90, 80, 70, 60, 50, 40, 30, 20, 10]);
	});

	it('sends one request if no story is omitted', async () => {
		const others = hashesOf(2, 100);
		expect(await read(others, { others })).toEqual({ returned: others, requests: [others] });
	});

	it('treats a story as missing only if a response without similar stories also lacks it', async () => {
		const cluster = hashesOf(1, 10);
		const { returned, requests } = await read(['9:aaaaaa', ...cluster, '9:bbbbbb'], { clusters: [cluster] });
		expect(returned.sort()).toEqual(cluster);
		expect(requests).toHaveLength(11);
		expect(requests.at(-1)).toEqual(['9:aaaaaa', '9:bbbbbb']);
	});

	it('accepts an empty response immediately, because clusters never empty a response', async () => {
		const { returned, requests } = await read(['9:aaaaaa', '9:bbbbbb'], {});
		expect({ returned, requests: requests.length }).toEqual({ returned: [], requests: 1 });
	});

	it('returns cluster members that no story lists', async () => {
		const cluster = hashesOf(1, 4);
		const { returned, requests } = await read([...cluster, '9:aaaaaa'], {
			clusters: [cluster],
			isSilent: true,
		});
		expect(returned.sort()).toEqual(cluster);
		expect(requests).toHaveLength(5);
	});

	it('returns a response without a list of stories unchanged', async () => {
		const odd = { json: { code: 1 } } as unknown as ApiResponse;
		expect(await readWithSimilar(['1:aaaaaa'], async () => await Promise.resolve(odd))).toBe(odd);
	});
});

describe('groups of similar stories', () => {
	const DAY_MS = 24 * 3_600_000;

	interface Story {
		story: IDataObject;
		hashes: string[];
	}
	const storyOf = (hash: string, similar: string[] = [], score?: number): Story => ({
		story: { story_hash: hash, score },
		hashes: [hash, ...similar],
	});
	const groupsOf = (stories: Story[]) => {
		const groups = new StoryGroups<Story>();
		for (const story of stories) groups.add(story, story.hashes);
		return groups.all;
	};
	const hashesIn = (stories: Story[]): unknown[][] =>
		groupsOf(stories).map((group) => group.stories.map(({ story }) => story.story_hash));

	afterEach(() => jest.restoreAllMocks());

	it.each([
		[
			'named by one of them',
			[storyOf('1:a', ['2:b']), storyOf('3:c'), storyOf('2:b')],
			[['1:a', '2:b'], ['3:c']],
		],
		['that name the same old one', [storyOf('1:a', ['9:z']), storyOf('2:b', ['9:z'])], [['1:a', '2:b']]],
	])('contain stories %s', (_, stories, groups) => {
		expect(hashesIn(stories)).toEqual(groups);
	});

	it.each([
		['the highest score', [-1, 1, 0], 1],
		['the first of equal scores', [0, 1, 1], 1],
		['the first where the service sends no scores', [undefined, undefined, undefined], 0],
	])('emit the story with %s', (_, scores, index) => {
		const stories = scores.map((score, n) => storyOf(`${n}:a`, ['9:z'], score));
		expect(bestOf(groupsOf(stories)[0]!)).toBe(stories[index]);
	});

	it('are skipped for 14 days after the first story, however many stories join', async () => {
		// Late in the day: the days are counted by their dates.
		const start = Date.UTC(2030, 0, 1, 23);
		let now = start;
		jest.spyOn(clock, 'now').mockImplementation(() => now);
		let emittedGroups: EmittedGroups = {};
		const isEmitted = async (hash: string, similar: string[]): Promise<boolean> => {
			const cluster = similar.map((story_hash) => ({ story_hash }));
			const story = { story_hash: hash, cluster_stories: cluster };
			const options = {
				idPrefix: 'unread',
				readStories: async () => ({ stories: new Map([[hash, story]]), response: responseWith({}) }),
				passesFilters: () => true,
				groupsSimilar: true,
				item: async () => ({}),
			};
			const event = { feed: hash.split(':')[0]!, hash, at: 0, returnCount: 0 };
			const api = new WorldApi({ ask: () => ({}) });
			const collected = await collectStories([event], options, 10, emittedGroups, api);
			expect(collected.known).toEqual([event]);
			({ emittedGroups } = collected);
			return collected.items.length > 0;
		};
		expect(await isEmitted('1:a', [])).toBe(true);
		now = start + 7 * DAY_MS;
		expect(await isEmitted('2:b', ['1:a'])).toBe(false);
		now = start + 14 * DAY_MS - 1;
		expect(await isEmitted('3:c', ['2:b'])).toBe(false);
		now = start + 15 * DAY_MS;
		expect(await isEmitted('4:d', ['3:c'])).toBe(true);
		expect(await isEmitted('5:e', ['4:d'])).toBe(false);
		expect(JSON.stringify(emittedGroups)).not.toContain('1:a');
	});
});
