/**
 * Simulated services with accounts that are too large for the sandbox: they generate each response on request, in the
 * format of the interface documents. The built triggers poll them without n8n's engine, whose cost does not depend on the
 * size of the account.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, IHttpRequestOptions, INode, INodeParameters, IPollFunctions } from 'n8n-workflow';
import type { LinkManagerTrigger } from '../nodes/LinkManager/LinkManagerTrigger.node.ts';
import { LimitedService } from '../test/support/hosts/shared-limit.ts';
import type { clock as Clock } from '../nodes/newslink.ts';

/** A service, called without a network. */
export interface Service {
	/** The number of requests so far. */
	requests(): number;
	/** Responds in the format of n8n's request helper. */
	respond(options: IHttpRequestOptions): object;
}

interface ServiceResponse {
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

function serviceOf(respond: (url: URL, form: URLSearchParams) => ServiceResponse): Service {
	let requests = 0;
	return {
		requests: () => requests,
		respond: ({ url, body: form }) => {
			requests += 1;
			const {
				status = 200,
				headers = {},
				body,
			} = respond(new URL(url), new URLSearchParams(String(form ?? '')));
			return { statusCode: status, headers, body: Buffer.from(JSON.stringify(body)) };
		},
	};
}

const DATE = '2026-01-02 03:04:05';

/** A link service with a number of links or codes, newest first, that allows 30 requests a minute. */
export function linksOf(kind: 'urls' | 'qrs', clock: typeof Clock) {
	const counts = new Map<number, number>();
	const limited = new LimitedService({ count: 30, seconds: 60 }, clock);
	let total = 0;
	const record = (id: number) => {
		const own = { id, name: `Code ${id}`, title: `Link ${id}`, date: DATE };
		return kind === 'qrs'
			? { ...own, link: `https://qr.example/${id}`, scans: counts.get(id) ?? 0, data: 'text' }
			: { ...own, shorturl: `https://s.example/${id}`, alias: `${id}`, clicks: counts.get(id) ?? 0 };
	};
	const service = serviceOf(({ pathname, searchParams }) => {
		const { status, headers } = limited.respond();
		if (status !== 200) return { status, headers, body: { error: 1, message: 'Too many requests' } };
		const [, id] = /\/(\d+)$/.exec(pathname) ?? [];
		if (id) return { headers, body: { error: 0, details: record(Number(id)), data: {} } };
		const limit = Number(searchParams.get('limit'));
		const page = Number(searchParams.get('page'));
		const first = total - (page - 1) * limit;
		const records = Array.from({ length: Math.max(Math.min(limit, first), 0) }, (_, n) => record(first - n));
		const maxpage = Math.ceil(total / limit);
		const data = { result: records.length, perpage: limit, currentpage: page, nextpage: page + 1, maxpage };
		return { headers, body: { error: 0, data: { ...data, [kind]: records } } };
	});
	return {
		...service,
		/** Adds new records. */
		add: (count: number) => void (total += count),
		/** Counts a click or a scan. */
		count: (id: number) => void counts.set(id, (counts.get(id) ?? 0) + 1),
	};
}

/** A reader with a number of feeds, each with the same number of unread stories. */
export function readerOf(feeds: number, storiesOfFeed: number) {
	const now = Math.floor(Date.now() / 1000);
	const unread = new Map<number, Array<[string, string]>>();
	const add = (feed: number, count: number): void => {
		const stories = unread.get(feed) ?? [];
		for (let n = 0; n < count; n += 1) {
			const hash = `${feed}:${stories.length.toString(16).padStart(6, '0')}`;
			stories.push([hash, String(now - 1_000_000 + stories.length)]);
		}
		unread.set(feed, stories);
	};
	for (let feed = 1; feed <= feeds; feed += 1) add(feed, storiesOfFeed);
	const story = (hash: string) => ({
		story_hash: hash,
		story_feed_id: Number(hash.split(':')[0]),
		story_title: `Story ${hash}`,
		story_permalink: `https://news.example/${hash}`,
		story_content: '<p>News</p>',
		story_date: DATE,
		story_timestamp: String(now),
		read_status: 0,
	});
	const service = serviceOf(({ pathname, searchParams }, form) => {
		const own = { authenticated: true, code: 1, user_id: 1 };
		const requested = [...searchParams.getAll('h'), ...form.getAll('h')];
		if (pathname.endsWith('/unread_story_hashes'))
			return { body: { ...own, unread_feed_story_hashes: Object.fromEntries(unread) } };
		if (requested.length > 0) return { body: { ...own, stories: requested.map(story), user_profiles: [] } };
		const counts = [...unread].map(([id, { length }]) => [id, { id, nt: length, ps: 0, ng: 0 }]);
		const titles = [...unread].map(([id]) => [id, { id, feed_title: `Feed ${id}`, nt: 1, ps: 0, ng: 0 }]);
		if (pathname.endsWith('/refresh_feeds')) return { body: { ...own, feeds: Object.fromEntries(counts) } };
		return { body: { ...own, feeds: Object.fromEntries(titles), folders: [], stories: [] } };
	});
	return { ...service, add };
}

const load = createRequire(import.meta.url);
const dist = join(import.meta.dirname, '../dist/nodes');
const { NodeHelpers } = load('n8n-workflow') as typeof import('n8n-workflow');

/** The code that n8n loads when a node is first used. */
export const runtime = load(join(dist, 'newslink.js')) as typeof import('../nodes/newslink.ts');

export interface Trigger {
	/** The data of the items that a poll emits. */
	poll(): Promise<IDataObject[]>;
	/** The state that n8n stores for the trigger. */
	saved(): IDataObject;
}

export function triggerOf(service: Service, event: string, name = 'Trigger'): Trigger {
	const kind = event.includes('Story') ? 'NewsReader' : 'LinkManager';
	const [Type] = Object.values(load(join(dist, kind, `${kind}Trigger.node.js`)) as object) as Array<
		typeof LinkManagerTrigger
	>;
	const { description, poll } = new Type!();
	const node: INode = {
		id: name,
		name,
		type: kind,
		typeVersion: 1,
		position: [0, 0],
		parameters: { event },
	};
	const parameters: INodeParameters =
		NodeHelpers.getNodeParameters(description.properties, node.parameters, true, false, node, description) ??
		{};
	const staticData: IDataObject = {};
	const credential = { baseUrl: 'https://scale.example', apiKey: 'key' };
	const context = {
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow' }),
		getMode: () => 'trigger',
		getActivationMode: () => 'activate',
		getTimezone: () => 'UTC',
		getNodeParameter: (parameter: string, fallback: unknown) => parameters[parameter] ?? fallback,
		getCredentials: async () => ({ ...credential }),
		getWorkflowStaticData: () => staticData,
		logger: { info: () => undefined, warn: () => undefined },
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				service.respond(options),
		},
	} as unknown as IPollFunctions;
	return {
		poll: async () => ((await poll.call(context)) ?? []).flat().map(({ json }) => json),
		saved: () => staticData,
	};
}
