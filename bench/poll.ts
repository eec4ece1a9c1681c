/** Measures polls of both triggers on n8n's engine: requests, time, memory and the size of the state. */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { createEngine, type CredentialRecord, type NodeJson } from '../engine/index.ts';
import { startSandbox } from '../sandbox/server.ts';
import { apart, tell } from './apart.ts';

const root = join(import.meta.dirname, '..');
const API_KEY = 'sandbox-api-key';

/** What one poll took. */
interface Cost {
	requests: number;
	ms: number;
	items: number;
}

/** What a trigger took in an account of one size; memory and state in bytes. */
interface Costs {
	first: Cost;
	quiet: Cost;
	news: Cost;
	memory: number;
	state: number;
}

/** What is done between two polls; runs in the process of the sandbox. */
interface Account {
	node: NodeJson;
	credentials: Record<string, CredentialRecord>;
	/** A request that makes something new, as its URL and JSON body. */
	news: { url: string; body: object }[];
}

const post = async (
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
	const engine = await createEngine({ packageDirs: [root], credentials });
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
	// What the process ever held, so no less than what the poll took.
	const memory = Math.max(process.resourceUsage().maxRSS * 1024 - before, 0);
	for (const { url, body } of news) await post(url, body);
	const third = await poll();
	await engine.close();
	return { first, quiet, news: third, memory, state: JSON.stringify(staticData).length };
}

const widths = [26, 16, 16, 16, 10, 10];
const line = (...cells: string[]): string =>
	cells
		.map((cell, place) => (place === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[place]!)))
		.join('');
const cost = ({ requests, ms }: Cost): string => `${requests} in ${ms.toFixed(0)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} kB`;

function print(name: string, { first, quiet, news, memory, state }: Costs): void {
	console.log(line(name, cost(first), cost(quiet), `${cost(news)}`, megabytes(memory), kilobytes(state)));
}

async function measureStories(count: number): Promise<void> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const control = `${sandbox.url}/reader-service/sandbox`;
	await post(`${control}/settings`, { fetch_seconds: 0 });
	const login = await fetch(`${sandbox.readerUrl}/api/login`, {
		method: 'POST',
		body: new URLSearchParams({ username: 'reader', password: 'sandbox-password' }),
	});
	const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
	const form = new URLSearchParams({ days: '0' });
	await fetch(`${sandbox.readerUrl}/reader/mark_all_as_read`, {
		method: 'POST',
		headers: { cookie },
		body: form,
	});
	const answer = await fetch(`${sandbox.readerUrl}/reader/feeds`, { headers: { cookie } });
	const { feeds } = (await answer.json()) as { feeds: Record<string, unknown> };
	const feedId = Number(Object.keys(feeds)[0]);
	if (count > 0) await post(`${control}/bulk`, { feed_id: feedId, count });
	const credentials = {
		reader: {
			type: 'newsReaderSessionApi',
			data: {
				baseUrl: sandbox.readerUrl,
				username: 'reader',
				password: 'sandbox-password',
				sessionToken: cookie,
			},
		},
	};
	const node = {
		name: 'Trigger',
		type: 'n8n-nodes-newslink.newsReaderTrigger',
		parameters: { event: 'newUnreadStory' },
		credentials: { newsReaderSessionApi: { id: 'reader', name: 'reader' } },
	};
	const news = [{ url: `${control}/bulk`, body: { feed_id: feedId, count: 10 } }];
	await finish(`${count.toLocaleString('en')} unread stories`, sandbox, { node, credentials, news });
}

async function measureCodes(count: number): Promise<void> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const authorization = { authorization: `Bearer ${API_KEY}` };
	const codes: string[] = [];
	for (let n = 0; n < count; n += 1) {
		const { link } = await post(
			`${sandbox.linksUrl}/api/qr/add`,
			{ type: 'text', data: `${n}` },
			authorization,
		);
		codes.push(String(link).split('/').at(-1)!);
	}
	const node = {
		name: 'Trigger',
		type: 'n8n-nodes-newslink.linkManagerTrigger',
		parameters: { event: 'newQrScan' },
		credentials: { linkManagerApi: { id: 'key', name: 'key' } },
	};
	const credentials = {
		key: { type: 'linkManagerApi', data: { baseUrl: sandbox.linksUrl, apiKey: API_KEY } },
	};
	const url = `${sandbox.linksUrl}/sandbox/visits`;
	const news = codes.slice(-10).map((code) => ({ url, body: { kind: 'qr', code } }));
	await finish(`${count.toLocaleString('en')} QR codes`, sandbox, { node, credentials, news });
}

/** Measures an account of a sandbox that goes on answering in this process, and ends that. */
async function finish(name: string, sandbox: { close(): Promise<void> }, account: Account): Promise<void> {
	try {
		print(name, await apart<Costs>(import.meta.filename, JSON.stringify(account)));
	} finally {
		await sandbox.close();
	}
}

if (process.argv[2]) {
	tell(await measure(JSON.parse(process.argv[2]) as Account));
} else {
	console.log('Polls on n8n-core against the sandbox; ten new ones before the third poll:');
	console.log(line('', 'first', 'quiet', 'ten new', 'memory', 'state'));
	for (const count of [0, 1_000, 100_000]) await measureStories(count);
	for (const count of [10, 500, 5_000]) await measureCodes(count);
}
