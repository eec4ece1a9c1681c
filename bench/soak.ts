/**
 * Polls triggers and runs workflows on n8n's engine for a while (`SOAK_MINUTES`, 20 unless said), and looks whether
 * memory, sockets and saved state stay as they are, and whether each new thing is handed over once.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { chain, createEngine, type Engine, type NodeJson } from '../engine/index.ts';
import { startSandbox } from '../sandbox/server.ts';

const API_KEY = 'sandbox-api-key';
const MINUTES = Number(process.env.SOAK_MINUTES ?? 20);
/** So many that what a trigger remembers of the past soon comes to its limit. */
const STORIES_PER_ROUND = 400;
const SCANS_PER_ROUND = 5;
/** Ten rows, however long it takes. */
const SAMPLES = 10;
/** By how much three samples may need more than the three before: what a garbage collector leaves differs. */
const MOST_GROWTH = 1.02;

/** What the process holds after so many rounds; memory and state in bytes. */
interface Sample {
	rounds: number;
	handedOver: number;
	memory: number;
	sockets: number;
	state: number;
}

interface Addresses {
	links: string;
	reader: string;
	code: string;
	feedId: number;
}

const post = async (url: string, body: object): Promise<IDataObject> => {
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

/** A trigger that is polled round after round, as n8n would, with what it saved. */
class Watched {
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

/** What one process of n8n does all day: new things come, triggers tell them, workflows work on them. */
async function soak({ links, reader, code, feedId }: Addresses): Promise<void> {
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
	const stories = new Watched(engine, readerNode(inFull, 'newsReaderTrigger'));
	const scans = new Watched(engine, linkNode({ event: 'newQrScan' }, 'linkManagerTrigger'));
	const round = async (): Promise<number> => {
		await post(`${reader}/sandbox/bulk`, { feed_id: feedId, count: STORIES_PER_ROUND });
		await post(`${links}/sandbox/visits`, { kind: 'qr', code, count: SCANS_PER_ROUND });
		const told = await stories.poll();
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
		return told.length + scanned.reduce((sum, { newScans }) => sum + Number(newScans), 0);
	};
	await stories.poll();
	await scans.poll();
	let rounds = 0;
	let handedOver = 0;
	for (let sample = 1; sample <= SAMPLES; sample += 1) {
		const until = performance.now() + (MINUTES * 60_000) / SAMPLES;
		while (performance.now() < until) {
			handedOver += await round();
			rounds += 1;
		}
		await pause(100);
		globalThis.gc?.();
		const sockets = process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
		const state = JSON.stringify([stories.staticData, scans.staticData]).length;
		const memory = process.memoryUsage().heapUsed;
		process.send!({ rounds, handedOver, memory, sockets, state } satisfies Sample);
	}
	await engine.close();
	process.disconnect();
}

const printed = ({ rounds, handedOver, memory, sockets, state }: Sample): string =>
	[rounds, handedOver, `${(memory / 1e6).toFixed(1)} MB`, sockets, `${(state / 1e3).toFixed(1)} kB`]
		.map((cell) => String(cell).padStart(14))
		.join('');

/** What grew in the last samples: by then all that is remembered has come to its limit. */
function growthOf(samples: Sample[]): string[] {
	const [earlier, later] = [samples.slice(-6, -3), samples.slice(-3)];
	const least = (part: Sample[], what: 'memory' | 'sockets' | 'state'): number =>
		Math.min(...part.map((sample) => sample[what]));
	return (['memory', 'sockets', 'state'] as const).filter(
		(what) => least(later, what) > least(earlier, what) * MOST_GROWTH,
	);
}

async function watch(): Promise<void> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const { link } = await post(`${sandbox.linksUrl}/api/qr/add`, { type: 'text', data: 'soak' });
	const code = String(link).split('/').at(-1)!;
	await post(`${sandbox.readerUrl}/sandbox/settings`, { fetch_seconds: 0 });
	const addresses = { links: sandbox.linksUrl, reader: sandbox.readerUrl, code, feedId: 1 };
	const child = fork(import.meta.filename, [JSON.stringify(addresses)], { execArgv: ['--expose-gc'] });
	const samples: Sample[] = [];
	console.log(
		['rounds', 'handed over', 'memory', 'sockets', 'state'].map((cell) => cell.padStart(14)).join(''),
	);
	child.on('message', (sample: Sample) => {
		samples.push(sample);
		console.log(printed(sample));
	});
	const exitCode = await new Promise<number | null>((resolve) => child.on('exit', resolve));
	await sandbox.close();
	const last = samples.at(-1);
	const faults = [
		...(exitCode === 0 && samples.length === SAMPLES ? [] : [`the process ended with ${exitCode}`]),
		...growthOf(samples).map((what) => `${what} grew`),
		...(last?.handedOver === (last?.rounds ?? 0) * (STORIES_PER_ROUND + SCANS_PER_ROUND)
			? []
			: ['not everything was handed over once']),
	];
	console.log(
		faults.length === 0 ? 'Nothing grew, nothing was lost, nothing came twice.' : faults.join('; '),
	);
	process.exitCode = faults.length;
}

await (process.argv[2] ? soak(JSON.parse(process.argv[2]) as Addresses) : watch());
