/** Measures the requests per second of the Link Manager, compared with a minimal node and an HTTP client. */
import { join } from 'node:path';
import { Pool } from 'undici';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { chain, createEngine, type NodeJson } from '../engine/index.ts';
import { HTTP_REQUEST, httpRequest, httpRequestNode, plainNode } from './other-nodes.ts';

const ROUNDS = 15;
const REQUESTS = 300;
const CONCURRENCY = 5;
const API_KEY = 'sandbox-api-key';

/** Requests per second, the median of the rounds. */
export interface Throughput {
	linkManager: number;
	/** The minimal node. */
	plain: number;
	/** undici without n8n. */
	bare: number;
	/** n8n's HTTP Request node, five requests at a time; absent if it is not installed. */
	httpRequest?: number;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

export async function measureThroughput(): Promise<Throughput> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const { origin, pathname } = new URL(sandbox.linksUrl);
	const pool = new Pool(origin, { connections: CONCURRENCY });
	const engine = await createEngine({
		packageDirs: [join(import.meta.dirname, '..')],
		extraNodes: { 'bench.plain': plainNode(CONCURRENCY), ...httpRequestNode() },
		credentials: {
			key: { type: 'linkManagerApi', data: { baseUrl: sandbox.linksUrl, apiKey: API_KEY } },
		},
	});

	const input = Array.from({ length: REQUESTS }, (_, n) => ({ n }));
	const onEngine = (node: Omit<NodeJson, 'name'>) => async (): Promise<void> => {
		const items = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
		const run = await engine.run({ workflow: chain(items, { ...node, name: 'Node' }), input });
		if (run.error) throw run.error;
		if (run.items('Node').length !== REQUESTS) throw new Error('Not every item came out');
	};
	const get = { resource: 'account', operation: 'get', options: { concurrency: CONCURRENCY } };
	const credentials = { linkManagerApi: { id: 'key', name: 'key' } };
	const contenders: Contenders = {
		bare: withUndici(pool, `${pathname}/api/account`),
		plain: onEngine({ type: 'bench.plain', parameters: {}, credentials }),
		linkManager: onEngine({ type: 'n8n-nodes-newslink.linkManager', parameters: get, credentials }),
		...(HTTP_REQUEST in httpRequestNode() && {
			httpRequest: onEngine(httpRequest(`${sandbox.linksUrl}/api/account`)),
		}),
	};

	try {
		return await alternate(contenders);
	} finally {
		await pool.close();
		await engine.close();
		await sandbox.close();
	}
}

type Contenders = Partial<Record<keyof Throughput, () => Promise<void>>>;

/** Sends the requests with undici. */
const withUndici = (pool: Pool, path: string) => async (): Promise<void> => {
	let left = REQUESTS;
	const work = async (): Promise<void> => {
		while ((left -= 1) >= 0) {
			const { body } = await pool.request({
				method: 'GET',
				path,
				headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
			});
			const response = (await body.json()) as { data: { id: number } };
			if (response.data.id !== 1) throw new Error('Not the account');
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, work));
};

/** Alternates between the contenders, so that other load on the machine affects all equally. */
async function alternate(contenders: Contenders): Promise<Throughput> {
	const rates: Partial<Record<keyof Throughput, number[]>> = {};
	for (let round = 0; round <= ROUNDS; round += 1) {
		for (const [name, work] of Object.entries(contenders) as Array<[keyof Throughput, () => Promise<void>]>) {
			const startedAt = performance.now();
			await work();
			const rate = (REQUESTS * 1000) / (performance.now() - startedAt);
			// The first round is a warm-up.
			if (round > 0) (rates[name] ??= []).push(rate);
		}
	}
	const medians = Object.entries(rates).map(([name, values]) => [name, median(values)]);
	return Object.fromEntries(medians) as unknown as Throughput;
}
