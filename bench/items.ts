/** What an item costs the node itself, however many there are: a service that answers at once takes next to nothing. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chain, createEngine } from '../engine/index.ts';

const COUNTS = [10, 100, 1_000, 10_000, 100_000];

/** Milliseconds of an item, and bytes that the process grew by. */
export interface ItemCost {
	items: number;
	ms: number;
	memory: number;
}

/** Answers every request as the reader does when it marks stories. */
async function answering(): Promise<{ url: string; close(): void }> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => void chunks.push(chunk));
		request.on('end', () => {
			const story_hashes = new URLSearchParams(Buffer.concat(chunks).toString()).getAll('story_hash');
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ code: 1, result: 'ok', authenticated: true, story_hashes }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Marks so many stories in this process, which does nothing else. */
async function measure(count: number, baseUrl: string): Promise<ItemCost> {
	const engine = await createEngine({
		packageDirs: [join(import.meta.dirname, '..')],
		credentials: {
			session: {
				type: 'newsReaderSessionApi',
				data: { baseUrl, username: 'reader', password: 'sandbox-password', sessionToken: 'sessionid=one' },
			},
		},
	});
	const items = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
	const node = {
		name: 'Node',
		type: 'n8n-nodes-newslink.newsReader',
		parameters: { resource: 'story', operation: 'markRead', storyHash: '={{ $json.hash }}' },
		credentials: { newsReaderSessionApi: { id: 'session', name: 'session' } },
	};
	const run = async (amount: number): Promise<void> => {
		const input = Array.from({ length: amount }, (_, n) => ({
			hash: `1:${n.toString(16).padStart(6, '0')}`,
		}));
		const { error } = await engine.run({ workflow: chain(items, node), input });
		if (error) throw error;
	};
	// Once to warm up.
	await run(1_000);
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	const startedAt = performance.now();
	await run(count);
	const ms = (performance.now() - startedAt) / count;
	await engine.close();
	return { items: count, ms, memory: Math.max(process.resourceUsage().maxRSS * 1024 - before, 0) };
}

/** Each number of items in a process of its own. */
export async function measureItems(): Promise<ItemCost[]> {
	const service = await answering();
	const costs: ItemCost[] = [];
	try {
		for (const count of COUNTS) {
			const args = ['--expose-gc', import.meta.filename, String(count), service.url];
			const { stdout } = await promisify(execFile)(process.execPath, args);
			costs.push(JSON.parse(stdout) as ItemCost);
		}
	} finally {
		service.close();
	}
	return costs;
}

if (process.argv[1] === import.meta.filename) {
	const cost = await measure(Number(process.argv[2]), process.argv[3]!);
	process.stdout.write(JSON.stringify(cost), () => process.exit());
}
