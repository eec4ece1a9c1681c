/** Requests for stories by hash, if the server returns only one story per cluster in a response. */
import type { ApiResponse } from '../../nodes/runtime/api-types';
import { readWithSimilar } from '../../nodes/NewsReader/model/similar-stories';

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
