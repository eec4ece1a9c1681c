/** Stories asked for by hash, of a server that keeps one story of each cluster in a response. */
import type { ApiResponse } from '../../nodes/runtime/api-types';
import { readWithSimilar } from '../../nodes/NewsReader/model/similar-stories';

interface Server {
	/** Clusters of hashes; their first members score highest. */
	clusters?: string[][];
	/** Hashes of stories that are in no cluster. */
	others?: string[];
	/** Clusters whose members the remaining story does not name. */
	isSilent?: boolean;
}

/** Reads stories from a server, with what was asked for in each request. */
async function read(hashes: string[], { clusters = [], others = [], isSilent = false }: Server) {
	const requests: string[][] = [];
	const response = await readWithSimilar(hashes, async (requested) => {
		requests.push(requested);
		const kept = clusters.flatMap((cluster) => {
			const [first] = cluster.filter((hash) => requested.includes(hash));
			const mates = cluster.filter((hash) => hash !== first).map((hash) => ({ story_hash: hash }));
			return first ? [{ story_hash: first, ...(!isSilent && { cluster_stories: mates }) }] : [];
		});
		const stories = [
			...kept,
			...others.filter((hash) => requested.includes(hash)).map((hash) => ({ story_hash: hash })),
		];
		return await Promise.resolve({ json: { code: 1, stories } } as unknown as ApiResponse);
	});
	const { stories } = response.json as { stories: Array<{ story_hash: string }> };
	return { found: stories.map(({ story_hash: hash }) => hash), requests };
}

const hashesOf = (feed: number, count: number): string[] =>
	Array.from({ length: count }, (_, index) => `${feed}:${String(index).padStart(6, '0')}`);

it('returns every member of a cluster of ten, with ten requests', async () => {
	const cluster = hashesOf(1, 10);
	const { found, requests } = await read(cluster, { clusters: [cluster] });
	expect(found.sort()).toEqual(cluster);
	expect(requests).toHaveLength(10);
});

it('requests members of several clusters together, never two of one cluster', async () => {
	const clusters = Array.from({ length: 10 }, (_, feed) => hashesOf(feed + 1, 10));
	const { found, requests } = await read(clusters.flat(), { clusters });
	expect(found.sort()).toEqual(clusters.flat().sort());
	expect(requests.map(({ length }) => length)).toEqual([100, ...Array.from({ length: 9 }, () => 10)]);
	for (const requested of requests.slice(1)) {
		for (const cluster of clusters)
			expect(requested.filter((hash) => cluster.includes(hash))).toHaveLength(1);
	}
});

it('needs one request where nothing is left out', async () => {
	const others = hashesOf(2, 100);
	expect(await read(others, { others })).toEqual({ found: others, requests: [others] });
});

it('takes a story for gone only when a response without similar stories lacks it, too', async () => {
	const cluster = hashesOf(1, 10);
	const { found, requests } = await read(['9:aaaaaa', ...cluster, '9:bbbbbb'], { clusters: [cluster] });
	expect(found.sort()).toEqual(cluster);
	expect(requests).toHaveLength(11);
	expect(requests.at(-1)).toEqual(['9:aaaaaa', '9:bbbbbb']);
});

it('believes a response without stories at once, as similar ones never empty it', async () => {
	const { found, requests } = await read(['9:aaaaaa', '9:bbbbbb'], {});
	expect({ found, requests: requests.length }).toEqual({ found: [], requests: 1 });
});

it('returns members that no story names', async () => {
	const cluster = hashesOf(1, 4);
	const { found, requests } = await read([...cluster, '9:aaaaaa'], { clusters: [cluster], isSilent: true });
	expect(found.sort()).toEqual(cluster);
	expect(requests).toHaveLength(5);
});

it('passes on a response without a list of stories', async () => {
	const odd = { json: { code: 1 } } as unknown as ApiResponse;
	expect(await readWithSimilar(['1:aaaaaa'], async () => await Promise.resolve(odd))).toBe(odd);
});
