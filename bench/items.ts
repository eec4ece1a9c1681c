/**
 * Measures the cost of an item in n8n and the node; the service responds immediately, so that its time is negligible.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chain, createEngine, type NodeJson } from '../engine/index.ts';
import { apart, report } from './apart.ts';
import { nodeOfN8n } from './other-nodes.ts';

const COUNTS = [10, 100, 1_000, 10_000, 100_000];

/** `marked`: stories are marked as read; `set`: the same items in n8n's Set node; `listed`: stories are listed. */
const kinds = ['marked', 'set', 'listed'] as const;
export type Kind = (typeof kinds)[number];
const SET = 'n8n-nodes-base.set';
const STORIES_PER_PAGE = 100;

/** The cost of one item: milliseconds, and growth of the process in bytes. */
export interface ItemCost {
	kind: Kind;
	items: number;
	ms: number;
	memory: number;
}

/** A service that responds like the reader to marked stories; its list of saved stories never ends. */
async function startService(): Promise<{ url: string; close(): void }> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => void chunks.push(chunk));
		request.on('end', () => {
			const story_hashes = new URLSearchParams(Buffer.concat(chunks).toString()).getAll('story_hash');
			response.setHeader('content-type', 'application/json');
			// A login asks for it.
			response.setHeader('set-cookie', 'sessionid=one');
			const page = Number(new URL(request.url!, 'http://localhost').searchParams.get('page'));
			const stories = page > 0 ? Array.from({ length: STORIES_PER_PAGE }, (_, n) => story(page, n)) : [];
			response.end(JSON.stringify({ code: 1, result: 'ok', authenticated: true, story_hashes, stories }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const hashOf = (n: number): string => `1:${n.toString(16).padStart(6, '0')}`;

const story = (page: number, n: number) => ({
	story_hash: hashOf(page * STORIES_PER_PAGE + n),
	story_feed_id: 1,
	story_title: `Story ${n} of page ${page}`,
	story_permalink: `https://example.com/${page}/${n}`,
	story_content: `<p>${'All that there is to say. '.repeat(40)}</p>`,
	story_date: '2026-01-02 03:04:05',
	starred_date: '2026-01-02 03:04:05',
});

const setNode = () => nodeOfN8n(SET, 'Set/Set');

/** A Set node with the same output as marking as read. */
const setHash: NodeJson = {
	name: 'Node',
	type: SET,
	typeVersion: 3.4,
	parameters: {
		mode: 'manual',
		assignments: {
			assignments: [
				{ id: 'hash', name: 'storyHash', type: 'string', value: '={{ $json.hash }}' },
				{ id: 'read', name: 'read', type: 'boolean', value: true },
			],
		},
		options: {},
	},
};

/** Runs one kind of node with `count` items in this process, which does nothing else. */
async function measure(kind: Kind, count: number, baseUrl: string): Promise<ItemCost> {
	const engine = await createEngine({
		packageDirs: [join(import.meta.dirname, '..')],
		extraNodes: setNode(),
		credentials: {
			session: {
				type: 'newsReaderSessionApi',
				data: { baseUrl, username: 'reader', password: 'sandbox-password', sessionToken: '' },
			},
		},
	});
	const items = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
	const nodeFor = (amount: number): NodeJson => {
		if (kind === 'set') return setHash;
		const parameters =
			kind === 'marked'
				? { resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' }
				: { resource: 'savedStory', operation: 'getAll', returnAll: false, limit: amount };
		return {
			name: 'Node',
			type: 'n8n-nodes-newslink.newsReader',
			parameters,
			credentials: { newsReaderSessionApi: { id: 'session', name: 'session' } },
		};
	};
	const run = async (amount: number): Promise<void> => {
		const input = Array.from({ length: kind === 'listed' ? 1 : amount }, (_, n) => ({ hash: hashOf(n) }));
		const { error, items: itemsOf } = await engine.run({ workflow: chain(items, nodeFor(amount)), input });
		if (error) throw error;
		if (itemsOf('Node').length !== amount) throw new Error(`Not all of ${amount} items were returned`);
	};
	// The first run is a warm-up.
	await run(1_000);
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	const startedAt = performance.now();
	await run(count);
	const ms = (performance.now() - startedAt) / count;
	await engine.close();
	return { kind, items: count, ms, memory: Math.max(process.resourceUsage().maxRSS * 1024 - before, 0) };
}

/** Runs each measurement in a separate process; the kinds alternate, so that other load on the machine affects all of them. */
export async function measureItems(): Promise<ItemCost[]> {
	const service = await startService();
	const measured = kinds.filter((kind) => kind !== 'set' || SET in setNode());
	const costs: ItemCost[] = [];
	try {
		for (const count of COUNTS) {
			for (const kind of measured) {
				costs.push(await apart<ItemCost>(import.meta.filename, kind, String(count), service.url));
			}
		}
	} finally {
		service.close();
	}
	return costs;
}

if (process.argv[1] === import.meta.filename) {
	const [, , kind, count, url] = process.argv;
	report(await measure(kind as Kind, Number(count), url!));
}
