/** How many requests per second the Link Manager makes on n8n's engine, beside a plain node and a bare HTTP client. */
import { join } from 'node:path';
import { Pool } from 'undici';
import { startSandbox } from '../sandbox/server.ts';
import { chain, createEngine } from '../engine/index.ts';
import { plainNode } from './plain-node.ts';

const ROUNDS = 7;
const REQUESTS = 300;
const CONCURRENCY = 5;
const API_KEY = 'sandbox-api-key';

/** Requests per second, the median of the rounds. */
export interface Throughput {
	linkManager: number;
	/** A node that does nothing but send requests. */
	plain: number;
	/** undici alone. */
	bare: number;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Runs them in turns, so that whatever else the machine does meets all alike. */
export async function measureThroughput(): Promise<Throughput> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const { origin, pathname } = new URL(sandbox.linksUrl);
	const pool = new Pool(origin, { connections: CONCURRENCY });
	const engine = await createEngine({
		packageDirs: [join(import.meta.dirname, '..')],
		extraNodes: { 'bench.plain': plainNode(CONCURRENCY) },
		credentials: {
			key: { type: 'linkManagerApi', data: { baseUrl: sandbox.linksUrl, apiKey: API_KEY } },
		},
	});

	const bare = async (): Promise<void> => {
		let left = REQUESTS;
		const work = async (): Promise<void> => {
			while ((left -= 1) >= 0) {
				const { body } = await pool.request({
					method: 'GET',
					path: `${pathname}/api/account`,
					headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
				});
				const answer = (await body.json()) as { data: { id: number } };
				if (answer.data.id !== 1) throw new Error('Not the account');
			}
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, work));
	};

	const input = Array.from({ length: REQUESTS }, (_, n) => ({ n }));
	const onEngine = (type: string, parameters: object) => async (): Promise<void> => {
		const credentials = { linkManagerApi: { id: 'key', name: 'key' } };
		const { error, items } = await engine.run({
			workflow: chain(
				{ name: 'Items', type: 'n8n-nodes-base.manualTrigger' },
				{ name: 'Node', type, parameters, credentials },
			),
			input,
		});
		if (error) throw error;
		if (items('Node').length !== REQUESTS) throw new Error('Not every item came out');
	};
	const get = { resource: 'account', operation: 'get', options: { concurrency: CONCURRENCY } };
	const contenders = {
		bare,
		plain: onEngine('bench.plain', {}),
		linkManager: onEngine('n8n-nodes-newslink.linkManager', get),
	};

	const perSecond = async (work: () => Promise<void>): Promise<number> => {
		const startedAt = performance.now();
		await work();
		return (REQUESTS * 1000) / (performance.now() - startedAt);
	};

	const rates: Record<keyof Throughput, number[]> = { bare: [], plain: [], linkManager: [] };
	try {
		for (let round = 0; round <= ROUNDS; round += 1) {
			for (const name of ['bare', 'plain', 'linkManager'] as const) {
				const rate = await perSecond(contenders[name]);
				// The first round only warms up.
				if (round > 0) rates[name].push(rate);
			}
		}
	} finally {
		await pool.close();
		await sandbox.close();
	}
	return { bare: median(rates.bare), plain: median(rates.plain), linkManager: median(rates.linkManager) };
}
