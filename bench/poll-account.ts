/** Polls one account in a separate process, and measures its requests, time and memory. */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { createEngine, type CredentialRecord, type NodeJson } from '../engine/index.ts';
import { report } from './apart.ts';

/** The cost of one poll. */
export interface Cost {
	requests: number;
	ms: number;
	items: number;
}

/** The cost of a trigger in an account of one size; memory and state in bytes. */
export interface Costs {
	first: Cost;
	quiet: Cost;
	news: Cost;
	memory: number;
	state: number;
}

/** An account to poll, and the request that changes it between two polls. */
export interface Account {
	node: NodeJson;
	credentials: Record<string, CredentialRecord>;
	/** A request that causes an event, as its URL and JSON body. */
	news: { url: string; body: object }[];
}

export const post = async (
	url: string,
	body: object,
	headers: Record<string, string> = {},
): Promise<IDataObject> => {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
	return (await response.json()) as IDataObject;
};

/** Polls an account three times in this process, which does nothing else. */
async function measure({ node, credentials, news }: Account): Promise<Costs> {
	let requests = 0;
	subscribe('http.client.request.start', () => (requests += 1));
	const engine = await createEngine({ packageDirs: [join(import.meta.dirname, '..')], credentials });
	let staticData: IDataObject = {};
	const poll = async (): Promise<Cost> => {
		requests = 0;
		const startedAt = performance.now();
		const result = await engine.poll({ node, staticData });
		const ms = performance.now() - startedAt;
		staticData = result.staticData;
		return { requests, ms, items: result.items?.length ?? 0 };
	};
	const first = await poll();
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	const quiet = await poll();
	// The peak of the whole process is an upper bound for the poll.
	const memory = Math.max(process.resourceUsage().maxRSS * 1024 - before, 0);
	for (const { url, body } of news) await post(url, body);
	const third = await poll();
	await engine.close();
	return { first, quiet, news: third, memory, state: JSON.stringify(staticData).length };
}

if (process.argv[1] === import.meta.filename) report(await measure(JSON.parse(process.argv[2]!) as Account));
