import type { NodeApiError } from 'n8n-workflow';
import type { ApiResponse, ApiRequest } from '../../nodes/runtime/api-types';
import { clock } from '../../nodes/runtime/clock';
import { baseUrlOf, connectionFields, isOn, timeLimitOf } from '../../nodes/runtime/credential';
import { ServiceApi } from '../../nodes/runtime/transport/api';
import { Client } from '../../nodes/runtime/transport/client';
import { linkManager } from '../../nodes/LinkManager/service';
import {
	clientOf,
	contextOf,
	credential,
	networkError,
	type FakeReply,
} from '../support/hosts/service-context';
import { makeVirtual, type VirtualClock } from '../support/clock';

let time: VirtualClock;

beforeEach(() => {
	time = makeVirtual(clock);
});
afterEach(() => time.restore());

const MAY_BE_DONE = 'The service may have carried out the request.';

/** Each test uses a new host, because all clients of a host share its throttle. */
let hosts = 0;
const freshHost = (): string => `https://host-${(hosts += 1)}.test`;
const newCredential = (baseUrl = freshHost()) => ({ ...credential, baseUrl });

/** Returns the response to a request, or throws the error. */
async function send(client: Client, request: ApiRequest, item: number): Promise<ApiResponse> {
	const outgoing = { ...request, credential: await client.credential(item) };
	const { response, failure } = await client.send(outgoing, item);
	const api = new ServiceApi(client, { item, advice: '', hint: () => undefined });
	if (failure) throw api.errorOf(failure, { namesItem: false });
	return response;
}

const get: ApiRequest = { method: 'GET', path: '/api/account' };
const post: ApiRequest = { method: 'POST', path: '/api/url/add', body: { url: 'https://example.com' } };

describe('the base URL', () => {
	it.each([
		['https://links.test', 'https://links.test'],
		['https://links.test/', 'https://links.test'],
		[' https://links.test/tools/links// ', 'https://links.test/tools/links'],
		['HTTPS://Links.test:8443/sub/', 'https://links.test:8443/sub'],
		['http://127.0.0.1:8787/links', 'http://127.0.0.1:8787/links'],
		['links.test', 'https://links.test'],
		['links.test:8443/sub/', 'https://links.test:8443/sub'],
		['127.0.0.1.links.test', 'https://127.0.0.1.links.test'],
		['localhost.links.test/', 'https://localhost.links.test'],
		['localhost:8787/links', 'http://localhost:8787/links'],
		['127.0.0.1:8787/links', 'http://127.0.0.1:8787/links'],
		['[::1]:8787', 'http://[::1]:8787'],
		['192.168.1.5:8080', undefined],
		['links', undefined],
		['localhost:secret@links.test', undefined],
		['links.test:443@other.test', undefined],
		['ftp://links.test', undefined],
		['https://', undefined],
		['', undefined],
		['https://me:secret@links.test', undefined],
		['https://links.test/sub?key=secret', undefined],
		['https://links.test/sub#secret', undefined],
	])('is normalized: %j becomes %j', (written, base) => {
		expect(baseUrlOf({ baseUrl: written })).toBe(base);
	});

	it('is followed by the query: encoded, with lists repeated, without undefined values', async () => {
		const { client, sent } = clientOf(() => ({}), newCredential());
		await send(client, { ...get, query: { q: 'a b&c=d/é', id: [1, 2], none: undefined } }, 0);
		expect(sent[0]!.url.search).toBe('?q=a+b%26c%3Dd%2F%C3%A9&id=1&id=2');
	});
});

describe('a response', () => {
	const rejection = async (response: FakeReply, request = get) => {
		const { client } = clientOf(() => response, newCredential());
		return await send(client, request, 3).then(
			() => undefined,
			(error: unknown) => error,
		);
	};

	it.each<[string, FakeReply]>([
		['0', { body: { error: 0 } }],
		['"0"', { body: { error: '0', data: {} } }],
		['" 0 "', { body: { error: ' 0 ' } }],
		['false', { body: { error: false } }],
		['0 with another status', { status: 404, body: { error: 0 } }],
		['0 after a byte order mark', { body: '\uFEFF{"error":0}' }],
	])('is a success if its error is %s', async (_, reply) => {
		expect(await rejection(reply)).toBeUndefined();
	});

	it.each<[string, FakeReply, string]>([
		['1', { body: { error: 1, message: 'No such thing.' } }, 'No such thing.'],
		['"1"', { status: 400, body: { error: '1', message: 'No such thing.' } }, 'No such thing.'],
		['429', { body: { error: 429, message: 'Slow down.' } }, 'Slow down.'],
		['true', { body: { error: true, message: 'No.' } }, 'No.'],
		['a word', { body: { error: 'invalid', message: 'No.' } }, 'No.'],
		['no reason', { body: { error: 1 } }, ''],
		[
			'texts by field',
			{ body: { error: 1, message: { url: ['Is taken.', 'Is long.'], name: 'Is short.' } } },
			'Is taken. Is long. Is short.',
		],
		['a list of texts', { body: { error: 1, message: ['One.', 'Two.'] } }, 'One. Two.'],
	])('is a rejection if its error is %s', async (_, response, words) => {
		const reason = words === '' ? 'It gave no reason' : `It says: “${words}”`;
		expect(await rejection(response)).toMatchObject({
			name: 'NodeApiError',
			message: `The link management service refused the request. ${reason}`,
			context: { itemIndex: 3 },
			messages: [expect.stringMatching(/^[A-Z]+ \/\S+ \(status \d+\)$/) as string],
		});
	});

	it('never shows the key in the details of an error', async () => {
		const request = { ...post, path: `/api/${credential.apiKey}` };
		const error = await rejection({ status: 400, body: { error: 1 } }, request);
		expect(error).toMatchObject({ messages: ['POST /api/*** (status 400)'] });
	});
});

describe('retries', () => {
	const failingClient = (times: number, failure: FakeReply | Error) => {
		let remaining = times;
		return clientOf(() => ((remaining -= 1) >= 0 ? failure : {}), newCredential());
	};
	const sendFailing = async (times: number, failure: FakeReply | Error, request: ApiRequest) => {
		const { client, sent } = failingClient(times, failure);
		const error = await send(client, request, 0).then(
			() => undefined,
			(thrown: unknown) => thrown as Error,
		);
		return { requests: sent.length, error };
	};

	it.each<[string, FakeReply, ApiRequest, boolean]>([
		['a truncated success', { body: '{"error":0,"id":' }, post, true],
		['a page of another host', { status: 404, body: '<html>' }, post, true],
		['400 with an error of the service', { status: 400, body: { error: 1, message: 'No.' } }, post, false],
		['500 with an error of the service', { status: 500, body: { error: 1, message: 'No.' } }, post, true],
		['408 with an error of the service', { status: 408, body: { error: 1, message: 'No.' } }, post, true],
		['409 with an error of the service', { status: 409, body: { error: 1, message: 'No.' } }, post, false],
		['a failed read', { status: 500, body: '<html>' }, get, false],
	])(
		'report a write as in doubt only if it may have been carried out: %s',
		async (_, failure, request, isInDoubt) => {
			const { error } = await sendFailing(9, failure, request);
			expect(String((error as NodeApiError).description).includes(MAY_BE_DONE)).toBe(isInDoubt);
		},
	);

	it.each<[string, object]>([
		['its code', { code: 'ENOTFOUND' }],
		['its HTTP code, if it has no code', { httpCode: 'ENOTFOUND' }],
		['its HTTP code, if the code is empty', { code: '', httpCode: 'ENOTFOUND' }],
		['its HTTP code, if the code is a number', { code: 5, httpCode: 'ENOTFOUND' }],
		['its cause', { cause: { code: 'ENOTFOUND' } }],
	])('name the reason of a network error by %s', async (_, members) => {
		const { error } = await sendFailing(9, Object.assign(new Error('Failed'), members), get);
		expect(error?.message).toMatch(/: the host name is unknown$/);
	});

	it('keep a write in doubt whatever the response to the repeated request', async () => {
		const responses = [networkError('ECONNRESET'), { status: 404, body: { error: 1, message: 'Gone.' } }];
		const data = newCredential();
		const { client } = clientOf(() => responses.shift()!, data);
		const { failure } = await client.send({ ...post, idempotent: true, credential: data }, 0);
		expect(failure).toMatchObject({ class: 'refused', inDoubt: true });
		expect(failure!.message).toContain('“Gone.”');
	});

	it('wait for the Retry-After of a 503 up to the maximum wait', async () => {
		const reply = { status: 503, headers: { 'retry-after': '9' }, body: '' };
		expect(await sendFailing(1, reply, get)).toEqual({ requests: 2, error: undefined });
		expect(time.elapsed()).toBeGreaterThanOrEqual(9000);
		const long = { ...reply, headers: { 'retry-after': '3600' } };
		expect(await sendFailing(1, long, get)).toMatchObject({ requests: 1, error: expect.any(Error) as Error });
	});
});

describe('the rate limit', () => {
	it('is shared by all clients with the same host and key, and by no others', async () => {
		const used = { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' } };
		const shared = newCredential();
		await send(clientOf(() => used, shared).client, get, 0);
		await send(clientOf(() => ({}), { ...shared, apiKey: 'another-key' }).client, get, 0);
		await send(clientOf(() => ({}), newCredential()).client, get, 0);
		expect(time.elapsed()).toBe(0);
		await send(clientOf(() => ({}), { ...shared, baseUrl: `${shared.baseUrl}/` }).client, get, 0);
		expect(time.elapsed()).toBeGreaterThanOrEqual(30_000);
	});

	it('is not blocked by a request that can’t be encoded', async () => {
		// Uses the real clock: if the second request were blocked, the test would time out.
		time.restore();
		const { client, sent } = clientOf(() => ({}), newCredential());
		const body: Record<string, unknown> = {};
		body.itself = body;
		await expect(send(client, { method: 'POST', path: '/api/url/add', body }, 0)).rejects.toThrow(/circular/);
		await send(client, get, 0);
		expect(sent).toHaveLength(1);
	});

	it('is reported to the user during the wait', async () => {
		const messages: unknown[] = [];
		const { context } = contextOf(
			() => ({ headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' } }),
			newCredential(),
		);
		context.sendMessageToUI = (message: unknown) => messages.push(message);
		const client = new Client(context, linkManager, { maxWaitMs: 60_000 });
		await send(client, get, 0);
		await send(client, get, 0);
		expect(messages[0]).toMatch(/^Waiting 3\d s for the rate limit of the link management service$/);
		expect(client.waits.total).toBeGreaterThanOrEqual(30_000);
	});
});

describe('a redirect', () => {
	const redirecting = (status: number, location: string, request = get) => {
		const host = freshHost();
		const { client, sent } = clientOf(
			({ url }) =>
				url.pathname === '/moved/api'
					? {}
					: {
							status,
							headers: location
								? { location: location.replace('HOSTNAME', new URL(host).host).replace('HOST', host) }
								: {},
							body: '',
						},
			newCredential(host),
		);
		return { sent, host, sending: send(client, request, 0) };
	};

	it.each<[string, number, string, ApiRequest]>([
		['to another port', 302, 'HOST:8443/moved/api', get],
		['without a target', 302, '', get],
		['that would lose the body', 302, '/moved/api', post],
		['that would become a GET', 303, '/moved/api', post],
	])('%s is rejected', async (_, status, location, request) => {
		const { sent, sending } = redirecting(status, location, request);
		await expect(sending).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('The service redirects to another address') as string,
		});
		expect(sent).toHaveLength(1);
	});

	it.each<[string, string, string, ApiRequest]>([
		['another origin', 'https://other.test', 'If a login page stands there', get],
		[
			'a path',
			'/moved/api',
			'Check the path in the Base URL of the credential. If a login page stands there, let n8n past it.',
			post,
		],
		[
			'a path, in API Request',
			'/moved/api',
			'Check the Path. If a login page stands there, let n8n past it.',
			{ ...post, isCustom: true },
		],
	])('to %s names it and says what to check', async (_, location, advice, request) => {
		await expect(redirecting(301, location, request).sending).rejects.toMatchObject({
			message: `The service redirects to another address: ${location}`,
			description: expect.stringContaining(advice) as string,
		});
	});

	it('does not replace the credential by a user in its address', async () => {
		const { sent, sending } = redirecting(302, 'https://me:secret@HOSTNAME/moved/api');
		await sending;
		expect(sent[1]?.url.username).toBe('');
	});

	it('is not followed more than five times', async () => {
		const { sent, sending } = redirecting(302, '/around');
		await expect(sending).rejects.toMatchObject({ message: expect.stringContaining('redirects') as string });
		// Five are followed.
		expect(sent).toHaveLength(6);
	});
});

it('checks certificates, waits five minutes and allows writes by default', () => {
	const defaults = connectionFields.map(({ name, default: initial }) => [name, initial]);
	expect(Object.fromEntries(defaults)).toEqual({ ignoreSSLIssues: false, timeout: 300, readOnly: false });
});

it.each([
	['', 300_000],
	[0, 300_000],
	[0.001, 1],
	['7', 7000],
	[1.0005, 1001],
	[2_147_453.647, 2_147_453_647],
	[2_147_453.648, 2_147_453_647],
	[Infinity, 2_147_453_647],
])('a request with a Timeout of %j s may take %i ms', (timeout, ms) => {
	expect(timeLimitOf({ timeout })).toBe(ms);
});

it.each([
	[true, true],
	['true', true],
	['on', true],
	[1, true],
	[false, false],
	['false', false],
	['0', false],
	['', false],
	[undefined, false],
])('a switch with the value %j is on: %s', (value, expected) => {
	expect(isOn(value)).toBe(expected);
});
