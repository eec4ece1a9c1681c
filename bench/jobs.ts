/** Measures how many requests jobs need, compared with the minimum that the services allow. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { chain, createEngine, type Engine, type NodeJson } from '../engine/index.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { controls, ReaderClient } from '../test/support/clients/reader-client.ts';
import { allPages, HTTP_REQUEST, httpRequest, httpRequestNode } from './other-nodes.ts';

const API_KEY = 'sandbox-api-key';

export interface Job {
	name: string;
	/** The smallest number of requests that the service allows, without those for a session. */
	least: number;
	requests: number;
	/** The requests of n8n's HTTP Request node; absent if it is not installed or can't do the job. */
	httpRequest?: number;
}

const links = (parameters: object): NodeJson => ({
	name: 'Node',
	type: 'n8n-nodes-newslink.linkManager',
	parameters: { resource: 'shortLink', ...parameters },
	credentials: { linkManagerApi: { id: 'key', name: 'key' } },
});
const stories = (parameters: object): NodeJson => ({
	name: 'Node',
	type: 'n8n-nodes-newslink.newsReader',
	parameters: { resource: 'story', ...parameters },
	credentials: { newsReaderSessionApi: { id: 'session', name: 'session' } },
});

/** The number of requests that some work sends. */
async function countRequests(work: () => Promise<unknown>): Promise<number> {
	let requests = 0;
	const onRequest = (): void => void (requests += 1);
	subscribe('http.client.request.start', onRequest);
	await work();
	unsubscribe('http.client.request.start', onRequest);
	return requests;
}

/** The number of requests that a node sends for its items. */
async function requestsOf(engine: Engine, node: NodeJson, input: IDataObject[] = [{}]): Promise<number> {
	const items = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
	return await countRequests(async () => {
		const { error } = await engine.run({ workflow: chain(items, node), input });
		if (error) throw error;
	});
}

/** The number of requests of a poll that finds nothing new. */
async function quietPoll(
	engine: Engine,
	{ type, credentials }: NodeJson,
	name: string,
	event: string,
): Promise<Job> {
	const node = { name: 'Trigger', type: `${type}Trigger`, parameters: { event }, credentials };
	const { staticData } = await engine.poll({ node });
	const requests = await countRequests(async () => {
		const { items } = await engine.poll({ node, staticData });
		if (items) throw new Error(`${event} emitted items although nothing was new`);
	});
	return { name: `A poll of ${name} that finds nothing new`, least: 1, requests };
}

export async function measureJobs(): Promise<Job[]> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const engine = await createEngine({
		packageDirs: [join(import.meta.dirname, '..')],
		extraNodes: httpRequestNode(),
		credentials: {
			key: { type: 'linkManagerApi', data: { baseUrl: sandbox.linksUrl, apiKey: API_KEY } },
			session: {
				type: 'newsReaderSessionApi',
				data: {
					baseUrl: sandbox.readerUrl,
					username: 'reader',
					password: 'sandbox-password',
					sessionToken: '',
				},
			},
		},
	});
	try {
		return [
			...(await jobsOfLinks(engine, sandbox.linksUrl)),
			...(await jobsOfStories(engine, sandbox.readerUrl)),
		];
	} finally {
		await engine.close();
		await sandbox.close();
	}
}

async function jobsOfLinks(engine: Engine, baseUrl: string): Promise<Job[]> {
	const targets = (amount: number): IDataObject[] =>
		Array.from({ length: amount }, (_, n) => ({ url: `https://example.com/${n}` }));
	const create = links({ operation: 'create', url: '={{ $json.url }}', ifExists: 'return' });
	const creating = await requestsOf(engine, create, targets(500));
	await requestsOf(engine, links({ operation: 'create', url: '={{ $json.url }}' }), targets(500));
	const listing = await requestsOf(engine, links({ operation: 'getAll', returnAll: true }));
	const isInstalled = HTTP_REQUEST in httpRequestNode();
	const paged = httpRequest(`${baseUrl}/api/urls?limit=100`, allPages);
	return [
		{ name: '500 links created, unless they exist', least: 501, requests: creating },
		{
			name: '1,000 links listed',
			least: 10,
			requests: listing,
			...(isInstalled && { httpRequest: await requestsOf(engine, paged) }),
		},
		await quietPoll(engine, create, 'New QR Scan', 'newQrScan'),
	];
}

async function jobsOfStories(engine: Engine, baseUrl: string): Promise<Job[]> {
	const anonymous = new ReaderClient(new URL(baseUrl).origin);
	await anonymous.control(controls.settings, { fetch_seconds: 0 });
	await anonymous.control(controls.bulk, { feed_id: 1, count: 10_000 });
	const unread = { operation: 'getUnread', whichFeeds: 'feeds', feedIds: [1], limit: 5000 };
	const hashes = Array.from({ length: 10_000 }, (_, n) => ({ hash: `1:${n.toString(16).padStart(6, '0')}` }));
	const marked = stories({ operation: 'markRead', storyHash: '={{ $json.hash }}' });
	return [
		{
			name: '5,000 unread stories with their content',
			least: 51,
			requests: await requestsOf(engine, stories(unread)),
		},
		{ name: '10,000 stories marked as read', least: 100, requests: await requestsOf(engine, marked, hashes) },
		await quietPoll(engine, marked, 'New Unread Story', 'newUnreadStory'),
	];
}
