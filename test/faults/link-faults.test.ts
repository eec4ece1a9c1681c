/** What goes wrong between the Link Manager and its service, on n8n's engine and with real connections. */
import type { Engine } from '../../engine/index.ts';
import { byId, byUrl, KEY, records, runNode, startEngine } from '../support/nodes/link-node';
import { makeFast } from '../support/clock';
import { clock } from '../support/nodes/built';
import { FakeHost, type Responder, type Reply } from '../support/hosts/fake-host';

const MAY_BE_DONE =
	'The service may have carried out the request. Check there before you run this item again.';
const account = { resource: 'account', operation: 'get' };
const create = { resource: 'shortLink', operation: 'create', url: 'https://example.com/={{ $json.n }}' };
const accountAnswer: Reply = { body: { error: 0, data: { id: 1, username: 'me' } } };
const created: Reply = { body: { error: 0, id: 7, shorturl: 'https://links.test/a' } };

let engine: Engine;
let fast: ReturnType<typeof makeFast>;
const hosts: FakeHost[] = [];

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(() => {
	fast = makeFast(clock);
});
afterEach(async () => {
	fast.restore();
	await Promise.all(hosts.splice(0).map((host) => host.stop()));
});

async function start(respond: Responder): Promise<FakeHost> {
	const host = await FakeHost.start(respond);
	hosts.push(host);
	return host;
}

/** Answers the first requests otherwise. */
const first = (count: number, reply: Reply, then: Reply) => {
	let left = count;
	return () => ((left -= 1) >= 0 ? reply : then);
};

describe('connections', () => {
	it.each([account, create])(
		'that are refused are repeated, then reported clearly: $operation',
		async (parameters) => {
			const host = await start(() => undefined);
			host.down();
			const { baseUrl } = host;
			const { error } = await runNode(engine, { baseUrl }, parameters);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: `No response from the link management service at ${new URL(baseUrl).host}: the connection was refused`,
				description: 'Check the Base URL of the credential and that the service runs.',
				httpCode: 'ECONNREFUSED',
			});
			expect(fast.waits.filter((ms) => ms >= 500)).toEqual([500, 1000]);
		},
	);

	it('that break during a creation are not repeated, and are reported as in doubt', async () => {
		const host = await start(() => 'drop');
		const { error } = await runNode(engine, host, create);
		expect(host.requests).toHaveLength(1);
		expect(error).toMatchObject({
			message: expect.stringContaining('the connection was closed before a response') as string,
			description: MAY_BE_DONE,
		});
	});

	it('that break while reading are repeated', async () => {
		let left = 2;
		const host = await start(() => ((left -= 1) < 0 ? accountAnswer : 'drop'));
		expect(records(await runNode(engine, host, account))).toEqual([
			{ id: 1, username: 'me', avatar: null, email: null, expires: null, registered: null, status: null },
		]);
		expect(host.requests).toHaveLength(3);
	});

	it.each([
		{ parameters: account, description: 'Nothing more was sent.' },
		{ parameters: create, description: `${MAY_BE_DONE} Nothing more was sent.` },
	])(
		'that end with a cancelled execution say so: $parameters.operation',
		async ({ parameters, description }) => {
			const controller = new AbortController();
			const host = await start(() => {
				controller.abort();
				return 'hang';
			});
			const { status, error } = await runNode(engine, host, parameters, [{}], {
				signal: controller.signal,
			});
			expect(host.requests).toHaveLength(1);
			expect(status).toBe('canceled');
			expect(error).toMatchObject({ message: 'The execution was canceled', description });
		},
	);

	it('that break within a response count as no response', async () => {
		const headers = { 'content-type': 'application/json', 'content-length': '1000' };
		const host = await start(() => ({ headers, body: '{"error":0,', cutAfter: 11 }));
		const { error } = await runNode(engine, host, create);
		expect(host.requests).toHaveLength(1);
		expect(error).toMatchObject({ name: 'NodeApiError', description: MAY_BE_DONE });
	});
});

describe('a service in trouble', () => {
	it('that responds with 503 gets reads again, but no creations: a proxy may have passed them on', async () => {
		const reading = await start(first(2, { status: 503, body: 'Busy' }, accountAnswer));
		expect(records(await runNode(engine, reading, account))).toHaveLength(1);
		expect(reading.requests).toHaveLength(3);

		const writing = await start(first(2, { status: 503, body: 'Busy' }, created));
		const { error } = await runNode(engine, writing, create);
		expect(writing.requests).toHaveLength(1);
		expect(error).toMatchObject({ description: expect.stringContaining(MAY_BE_DONE) as string });
	});

	it('that responds with 500 gets reads again, but no creations', async () => {
		const reading = await start(first(1, { status: 500, body: 'Oops' }, accountAnswer));
		expect(records(await runNode(engine, reading, account))).toHaveLength(1);
		expect(reading.requests).toHaveLength(2);

		const writing = await start(first(1, { status: 500, body: 'Oops' }, created));
		const { error } = await runNode(engine, writing, create);
		expect(writing.requests).toHaveLength(1);
		expect(error).toMatchObject({
			message: 'The link management service responded to /api/url/add with text instead of JSON (status 500)',
			description: expect.stringContaining(MAY_BE_DONE) as string,
			httpCode: '500',
		});
	});

	it('refuses in its own words, with any status', async () => {
		for (const status of [200, 400, 404, 422, 500]) {
			const host = await start(() => ({ status, body: { error: 1, message: 'Nicht gefunden.' } }));
			const { error } = await runNode(engine, host, create);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: 'Nicht gefunden.',
				httpCode: String(status),
			});
		}
	});

	it('leaves it open whether a creation worked when it does not say so itself', async () => {
		const host = await start(() => ({ body: { message: 'Accepted.', id: 7 } }));
		const { error } = await runNode(engine, host, create);
		expect(error).toMatchObject({
			message: 'Accepted.',
			description: `${MAY_BE_DONE} The response to POST /api/url/add (status 200) does not say whether it worked.`,
		});
	});

	it.each<[string, Reply, string]>([
		[
			'HTML',
			{ headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' },
			'a web page instead of JSON (status 200)',
		],
		['an empty body', { body: '' }, 'an empty body (status 200)'],
		['204', { status: 204 }, 'an empty body (status 204)'],
		['truncated JSON', { body: '{"error":0,"data":{"id":' }, 'incomplete JSON (status 200)'],
		['another shape', { body: { error: 0, data: [1, 2] } }, 'JSON in an unexpected format (status 200)'],
		['another interface', { body: { status: 'ok' } }, 'JSON in an unexpected format (status 200)'],
	])('is reported with the path and the response: %s', async (_, reply, what) => {
		const host = await start(() => reply);
		const { error } = await runNode(engine, { baseUrl: `${host.baseUrl}/sub` }, account);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `The link management service responded to /api/account with ${what}`,
		});
	});
});

describe('redirects', () => {
	it.each([
		[301, account],
		[307, account],
		[307, create],
		[308, create],
	])('%i within the origin is followed, with key and body: $operation', async (status, parameters) => {
		const host = await start(({ path }) => {
			if (!path.startsWith('/new')) return { status, headers: { location: '/new/place' } };
			return parameters === account ? accountAnswer : created;
		});
		expect(records(await runNode(engine, host, parameters))).toHaveLength(1);
		const [requested, followed] = host.requests;
		expect(followed).toMatchObject({ method: requested!.method, path: '/new/place', body: requested!.body });
		expect(followed!.headers.authorization).toBe(`Bearer ${KEY}`);
	});

	it.each([301, 302, 303, 307, 308])(
		'%i to another origin never gets there, and neither does the key',
		async (status) => {
			const other = await start(() => accountAnswer);
			const host = await start(() => ({ status, headers: { location: `${other.baseUrl}/api/account` } }));
			for (const parameters of [account, create]) {
				const { error } = await runNode(engine, host, parameters);
				expect(error).toMatchObject({
					name: 'NodeApiError',
					message: `The service redirects to another address: ${other.baseUrl}`,
				});
			}
			expect(other.requests).toEqual([]);
		},
	);
});

describe('the credential', () => {
	it('is only used with the domains it is allowed for', async () => {
		const host = await start(() => accountAnswer);
		const limited = { baseUrl: host.baseUrl, allowedHttpRequestDomains: 'domains' } as const;
		const refused = await runNode(engine, { ...limited, allowedDomains: 'links.example.com' }, account);
		expect(refused.error).toMatchObject({ message: 'The credential may not be used with 127.0.0.1' });
		expect(host.requests).toEqual([]);
		const allowed = await runNode(engine, { ...limited, allowedDomains: 'a.test, 127.0.0.1' }, account);
		expect(records(allowed)).toHaveLength(1);
	});

	it('is the one of each item', async () => {
		const host = await start(() => accountAnswer);
		const credential = { baseUrl: '={{ $json.base }}', apiKey: '={{ $json.secret }}' };
		const inputs = [1, 2, 3].map((n) => ({ base: `${host.baseUrl}/base-${n}`, secret: `secret-${n}` }));
		expect(records(await runNode(engine, credential, account, inputs))).toHaveLength(3);
		expect(host.requests.map(({ path, headers }) => [path, headers.authorization]).sort()).toEqual(
			[1, 2, 3].map((n) => [`/base-${n}/api/account`, `Bearer secret-${n}`]),
		);
	});

	it('does not reuse records of one account in another', async () => {
		const campaigns: Record<string, object> = {
			'Bearer one': { id: 1, name: 'Spring', list: 'https://links.test/u/first/spring-1' },
			'Bearer two': { id: 2, name: 'spring', list: 'https://links.test/u/two/spring-2' },
		};
		const host = await start(({ headers, method }) => ({
			body:
				method === 'GET'
					? { error: '0', data: { maxpage: 1, campaigns: [campaigns[String(headers.authorization)]] } }
					: { error: 0, message: 'Done.' },
		}));
		const credential = { baseUrl: host.baseUrl, apiKey: '={{ $json.account }}' };
		const inputs = ['one', 'two', 'one'].map((account) => ({ account }));
		const options = { concurrency: 1 };
		const create = { resource: 'campaign', operation: 'create', name: 'Spring', ifExists: 'return', options };
		expect(records(await runNode(engine, credential, create, inputs)).map(({ id }) => id)).toEqual([1, 2, 1]);

		const remove = { resource: 'campaign', operation: 'delete', options };
		const campaignId = byUrl('https://links.test/u/first/spring-1');
		const run = await runNode(engine, credential, { ...remove, campaignId }, inputs, {
			onError: 'continueRegularOutput',
		});
		const deleted = { deleted: true, id: 1 };
		const unknown = 'No campaign has the URL "https://links.test/u/first/spring-1" [item 1]';
		expect(records(run)).toMatchObject([deleted, { error: unknown }, deleted]);
	});

	it('is never in a run’s data, even if the service repeats it', async () => {
		const secret = 'sk-very-secret';
		const host = await start(({ headers, path }) => ({
			status: path.includes('account') ? 401 : 200,
			headers: { 'x-echo': String(headers.authorization) },
			body: { error: 1, message: `Bad header: ${headers.authorization}, key ${secret}!` },
		}));
		for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
			for (const parameters of [account, create]) {
				const run = await runNode(engine, { baseUrl: host.baseUrl, apiKey: secret }, parameters, [{}], {
					onError,
				});
				const left = JSON.stringify([run.runData, run.error, run.error?.stack, run.error?.cause]);
				expect(left).toContain('Bad header');
				expect(left).not.toContain(secret);
			}
		}
	});
});

describe('a password that was typed', () => {
	const password = '={{ $json.secret }}';
	const inputs = [{ secret: 'hunter2' }];
	const repeated = (body: string): string =>
		(/"(?:pass|password)":"([^"]*)"/.exec(body) as RegExpExecArray)[1] as string;

	it.each([
		{ resource: 'account', operation: 'update', updateFields: { password } },
		{ ...create, additionalFields: { password } },
		{ resource: 'qrCode', operation: 'create', qrType: 'wifi', wifiSsid: 'Guests', wifiPass: password },
	])('is in no error, even if the service repeats it: $resource', async (parameters) => {
		const host = await start(({ body }) => ({
			body: { error: 1, message: `${repeated(body)} is too short` },
		}));
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const run = await runNode(engine, host, parameters, inputs, { onError });
			const left = JSON.stringify([run.json('Link Manager'), run.error, run.error?.stack]);
			expect(left).toContain('*** is too short');
			expect(left).not.toContain('hunter2');
		}
	});

	it('never comes out of an update of the account', async () => {
		const host = await start(({ body }) => ({
			body: { error: 0, message: `It is ${repeated(body)}.`, sent: { body } },
		}));
		const parameters = { resource: 'account', operation: 'update', updateFields: { password } };
		expect(records(await runNode(engine, host, parameters, inputs))).toEqual([
			{ message: 'It is ***.', sent: { body: '{"password":"***"}' } },
		]);
	});

	it('leaves the address of a link as it is, though its alias is the same', async () => {
		const shortUrl = 'https://links.test/spring';
		const host = await start(() => ({ body: { error: 0, id: 7, shorturl: shortUrl } }));
		const parameters = { ...create, additionalFields: { custom: 'spring', password: 'spring' } };
		const [made] = records(await runNode(engine, host, parameters));
		expect(made).toMatchObject({ id: 7, shortUrl, alias: 'spring', existed: false });
	});
});

describe('waiting for the rate limit', () => {
	const waiting: Reply = { status: 429, headers: { 'retry-after': '60' }, body: '<html>Slow down</html>' };

	it('continues alone, in the order of the items, and is reported', async () => {
		const host = await start(first(1, waiting, created));
		const run = await runNode(engine, host, create, [{ n: 1 }, { n: 2 }, { n: 3 }]);
		expect(records(run)).toHaveLength(3);
		expect(host.requests).toHaveLength(4);
		const [waited] = run.hints('Link Manager');
		expect(waited?.message).toMatch(
			/^Waited 6\d s in all for the rate limit of the link management service$/,
		);
	});

	it('ends when it would take longer than the user allows, and says when to try again', async () => {
		const host = await start(() => waiting);
		const options = { maximumWait: 10 };
		const run = await runNode(engine, host, { ...create, options }, [{ n: 1 }, { n: 2 }], {
			onError: 'continueRegularOutput',
		});
		const reported = expect.stringMatching(
			/^The rate limit of the link management service is used up: try again after \d{4}-.*Z \(in \d\d s\)$/,
		) as string;
		const details = (sent: string): string =>
			`That is longer than this request may wait (10 s). It was not ${sent}. See Options → Maximum Wait (Seconds).`;
		expect(records(run)).toMatchObject([
			{ error: reported, details: details('sent again') },
			{ error: reported, details: details('sent') },
		]);
		expect(host.requests).toHaveLength(1);
	});

	it('ends when the execution is cancelled', async () => {
		const controller = new AbortController();
		const host = await start(() => {
			setTimeout(() => controller.abort(), 50);
			return waiting;
		});
		const run = await runNode(
			engine,
			host,
			{ ...create, options: { maximumWait: 3600 } },
			[{ n: 1 }, { n: 2 }],
			{
				signal: controller.signal,
			},
		);
		expect(run.status).toBe('canceled');
		const waited = fast.waits.length;
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(fast.waits).toHaveLength(waited);
		expect(host.requests).toHaveLength(1);
	});
});

it('stops at the first failure, and reports the items that are done', async () => {
	const host = await start(({ path }) =>
		path.includes('/2')
			? { body: { error: 1, message: 'Gone.' } }
			: { body: { error: 0, details: { id: 1 } } },
	);
	const get = {
		resource: 'shortLink',
		operation: 'get',
		linkId: byId('={{ $json.id }}'),
		options: { concurrency: 1 },
	};
	const { error } = await runNode(
		engine,
		host,
		get,
		[1, 1, 1, 2, 1].map((id) => ({ id })),
	);
	expect(error).toMatchObject({
		message: 'Gone.',
		description: expect.stringContaining('Done: 0-2. In doubt: none. Not done: 3. Not begun: 4.') as string,
		context: { itemIndex: 3 },
	});
	expect(host.requests).toHaveLength(4);
});
