/** The process that `npm run bench:soak` watches: it polls triggers, runs workflows and reports samples of itself. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { chain, createEngine, type Engine, type NodeJson } from '../engine/index.ts';

const API_KEY = 'sandbox-api-key';
/** High, so that the memory of a trigger reaches its limit early. */
export const STORIES_PER_ROUND = 400;
export const SCANS_PER_ROUND = 5;
/** The number of samples, whatever the duration. */
export const SAMPLES = 10;

/** The measurements after a number of rounds; memory and state in bytes. */
export interface Sample {
	rounds: number;
	emittedCount: number;
	memory: number;
	sockets: number;
	state: number;
}

export interface Addresses {
	links: string;
	reader: string;
	code: string;
	feedId: number;
	/** The duration of the run. */
	minutes: number;
}

export const post = async (url: string, body: object): Promise<IDataObject> => {
	const headers = { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` };
	const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
	return (await response.json()) as IDataObject;
};

const key = { linkManagerApi: { id: 'key', name: 'key' } };
const session = { newsReaderSessionApi: { id: 'session', name: 'session' } };
const linkNode = (parameters: object, kind = 'linkManager'): NodeJson => ({
	name: 'Node',
	type: `n8n-nodes-newslink.${kind}`,
	parameters: parameters as NodeJson['parameters'],
	credentials: key,
});
const readerNode = (parameters: object, kind = 'newsReader'): NodeJson => ({
	...linkNode(parameters, kind),
	credentials: session,
});

/** Polls a trigger as n8n does, with its saved state. */
class PolledTrigger {
	staticData: IDataObject = {};
	readonly #engine: Engine;
	readonly #node: NodeJson;

	constructor(engine: Engine, node: NodeJson) {
		this.#engine = engine;
		this.#node = node;
	}

	async poll(): Promise<IDataObject[]> {
		const { items, staticData } = await this.#engine.poll({ node: this.#node, staticData: this.staticData });
		this.staticData = staticData;
		return (items ?? []).map(({ json }) => json);
	}
}

/** Repeatedly creates records, polls the triggers and runs workflows in one process, as n8n does. */
async function soak({ links, reader, code, feedId, minutes }: Addresses): Promise<void> {
	const engine = await createEngine({
		packageDirs: [join(import.meta.dirname, '..')],
		credentials: {
			key: { type: 'linkManagerApi', data: { baseUrl: links, apiKey: API_KEY } },
			session: {
				type: 'newsReaderSessionApi',
				data: { baseUrl: reader, username: 'reader', password: 'sandbox-password', sessionToken: '' },
			},
		},
	});
	const run = async (node: NodeJson): Promise<void> => {
		const items = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
		const { error } = await engine.run({ workflow: chain(items, node) });
		if (error) throw error;
	};
	const inFull = { event: 'newUnreadStory', options: { maximum: STORIES_PER_ROUND } };
	const stories = new PolledTrigger(engine, readerNode(inFull, 'newsReaderTrigger'));
	const scans = new PolledTrigger(engine, linkNode({ event: 'newQrScan' }, 'linkManagerTrigger'));
	const round = async (): Promise<number> => {
		await post(`${reader}/sandbox/bulk`, { feed_id: feedId, count: STORIES_PER_ROUND });
		await post(`${links}/sandbox/visits`, { kind: 'qr', code, count: SCANS_PER_ROUND });
		const emitted = await stories.poll();
		const scanned = await scans.poll();
		await run(readerNode({ resource: 'feed', operation: 'markRead', whichFeeds: 'all' }));
		await run(
			linkNode({
				resource: 'shortLink',
				operation: 'create',
				url: 'https://example.com/soak',
				ifExists: 'return',
			}),
		);
		return emitted.length + scanned.reduce((sum, { newScans }) => sum + Number(newScans), 0);
	};
	await stories.poll();
	await scans.poll();
	let rounds = 0;
	let emittedCount = 0;
	for (let sample = 1; sample <= SAMPLES; sample += 1) {
		const until = performance.now() + (minutes * 60_000) / SAMPLES;
		while (performance.now() < until) {
			emittedCount += await round();
			rounds += 1;
		}
		await pause(100);
		globalThis.gc?.();
		const sockets = process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
		const state = JSON.stringify([stories.staticData, scans.staticData]).length;
		const memory = process.memoryUsage().heapUsed;
		process.send!({ rounds, emittedCount, memory, sockets, state } satisfies Sample);
	}
	await engine.close();
	process.disconnect();
}

if (process.argv[1] === import.meta.filename) await soak(JSON.parse(process.argv[2]!) as Addresses);
