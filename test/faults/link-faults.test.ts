/** Tests the Link Manager with failing connections, unexpected responses, redirects and rate limits. */
import { byUrl, KEY, records, runNode } from '../support/nodes/link-node';
import { makeFast } from '../support/clock';
import { clock } from '../support/nodes/built';
import { FakeHost, type Reply } from '../support/hosts/fake-host';
import { engine } from '../support/nodes/suite-engine';

const MAY_BE_DONE =
	'The service may have carried out the request. Check there before you run this item again.';
const account = { resource: 'account', operation: 'get' };
const create = { resource: 'shortLink', operation: 'create', url: 'https://example.com/={{ $json.n }}' };
const accountResponse: Reply = { body: { error: 0, data: { id: 1, username: 'me' } } };
const created: Reply = { body: { error: 0, id: 7, shorturl: 'https://links.test/a' } };

let fast: ReturnType<typeof makeFast>;
beforeEach(() => {
	fast = makeFast(clock);
});
afterEach(() => fast.restore());

/** Sends `reply` to the first requests, and `then` to all others. */
const first = (count: number, reply: Reply, then: Reply) => {
	let remaining = count;
	return () => ((remaining -= 1) >= 0 ? reply : then);
};

describe('connection errors', () => {
	it.each([account, create])(
		'retries after refused connections, then reports them: $operation',
		async (parameters) => {
			const host = await FakeHost.start(() => undefined);
			host.down();
			const { baseUrl } = host;
			const { error } = await runNode(engine, { baseUrl }, parameters);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: `No response from the link management service at ${new URL(baseUrl).host}: the connection was refused`,
				description: 'Check the Base URL of the credential, that the service runs, and any proxy of n8n.',
				httpCode: 'ECONNREFUSED',
			});
			expect(fast.waits.filter((ms) => ms >= 500)).toEqual([500, 1000]);
		},
	);

	it('does not blame the service for a proxy that asks for a password: it received nothing', async () => {
		const host = await FakeHost.start(() => ({ status: 407, body: '<html>Log in</html>' }));
		const { error } = await runNode(engine, host, create);
		expect(error).toMatchObject({
			message: expect.stringContaining('a proxy asks for a user name and password') as string,
			description: expect.stringMatching(/^Check .* any proxy of n8n\.$/) as string,
			httpCode: '407',
		});
	});

	it('does not retry a creation after a closed connection, and reports it as in doubt', async () => {
		const host = await FakeHost.start(() => 'drop');
		const { error } = await runNode(engine, host, create);
		expect(host.requests).toHaveLength(1);
		expect(error).toMatchObject({
			message: expect.stringContaining('the connection was closed before a response') as string,
			description: MAY_BE_DONE,
		});
	});

	it.each([
		{ parameters: account, description: 'Nothing more was sent.' },
		{ parameters: create, description: `${MAY_BE_DONE} Nothing more was sent.` },
	])('reports a canceled execution: $parameters.operation', async ({ parameters, description }) => {
		const controller = new AbortController();
		const host = await FakeHost.start(() => {
			controller.abort();
			return 'hang';
		});
		const { status, error } = await runNode(engine, host, parameters, [{}], {
			signal: controller.signal,
		});
		expect(host.requests).toHaveLength(1);
		expect(status).toBe('canceled');
		expect(error).toMatchObject({ message: 'The execution was canceled', description });
	});

	it('treats a truncated response as no response', async () => {
		const headers = { 'content-type': 'application/json', 'content-length': '1000' };
		const host = await FakeHost.start(() => ({ headers, body: '{"error":0,', cutAfter: 11 }));
		const { error } = await runNode(engine, host, create);
		expect(host.requests).toHaveLength(1);
		expect(error).toMatchObject({ name: 'NodeApiError', description: MAY_BE_DONE });
	});
});

describe('error responses', () => {
	it('retries reads after status 500, but not creations', async () => {
		const reading = await FakeHost.start(first(1, { status: 500, body: 'Oops' }, accountResponse));
		expect(records(await runNode(engine, reading, account))).toHaveLength(1);
		expect(reading.requests).toHaveLength(2);

		const writing = await FakeHost.start(first(1, { status: 500, body: 'Oops' }, created));
		const { error } = await runNode(engine, writing, create);
		expect(writing.requests).toHaveLength(1);
		expect(error).toMatchObject({
			message: 'The link management service failed to create a short link. It gave no reason',
			messages: ['POST /api/url/add (status 500)'],
			description: expect.stringContaining(MAY_BE_DONE) as string,
			httpCode: '500',
		});
	});

	it('reports the message of the service, with any status', async () => {
		for (const status of [200, 400, 404, 422, 500]) {
			const host = await FakeHost.start(() => ({ status, body: { error: 1, message: 'Nicht gefunden.' } }));
			const { error } = await runNode(engine, host, create);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: expect.stringContaining('“Nicht gefunden.”') as string,
				httpCode: String(status),
			});
		}
	});

	it('reports a creation as in doubt if the response does not confirm it', async () => {
		const host = await FakeHost.start(() => ({ body: { message: 'Accepted.', id: 7 } }));
		const { error } = await runNode(engine, host, create);
		expect(error).toMatchObject({
			message:
				'The link management service does not say whether the request succeeded. It says: “Accepted.” [item 0]',
			description: MAY_BE_DONE,
			messages: ['POST /api/url/add (status 200)'],
		});
	});

	it.each<[string, Reply, string]>([
		[
			'HTML',
			{ headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' },
			'HTML or XML instead of JSON',
		],
		['an empty body', { body: '' }, 'an empty body'],
		['204', { status: 204 }, 'an empty body'],
		['truncated JSON', { body: '{"error":0,"data":{"id":' }, 'incomplete JSON'],
		['JSON with unexpected data', { body: { error: 0, data: [1, 2] } }, 'JSON in an unexpected format'],
		['JSON of another API', { body: { status: 'ok' } }, 'JSON in an unexpected format'],
	])('says what kind of response is unexpected: %s', async (_, reply, what) => {
		const host = await FakeHost.start(() => reply);
		const { error } = await runNode(engine, { baseUrl: `${host.baseUrl}/sub` }, account);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `The link management service responded with ${what} when asked to get the account [item 0]`,
			messages: [expect.stringContaining('GET /api/account (status 20') as string],
		});
	});
});

describe('redirects', () => {
	it.each([
		[301, account],
		[307, account],
		[307, create],
		[308, create],
	])('follows %i within the origin, with key and body: $operation', async (status, parameters) => {
		const host = await FakeHost.start(({ path }) => {
			if (!path.startsWith('/new')) return { status, headers: { location: '/new/place' } };
			return parameters === account ? accountResponse : created;
		});
		expect(records(await runNode(engine, host, parameters))).toHaveLength(1);
		const [requested, followed] = host.requests;
		expect(followed).toMatchObject({ method: requested!.method, path: '/new/place', body: requested!.body });
		expect(followed!.headers.authorization).toBe(`Bearer ${KEY}`);
	});

	it.each([301, 302, 303, 307, 308])('does not follow %i to another origin', async (status) => {
		const other = await FakeHost.start(() => accountResponse);
		const host = await FakeHost.start(() => ({
			status,
			headers: { location: `${other.baseUrl}/api/account` },
		}));
		for (const parameters of [account, create]) {
			const { error } = await runNode(engine, host, parameters);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: `The service redirects to another address: ${other.baseUrl}`,
			});
		}
		expect(other.requests).toEqual([]);
	});
});

describe('credentials', () => {
	it('uses a credential only for its allowed domains', async () => {
		const host = await FakeHost.start(() => accountResponse);
		const limited = { baseUrl: host.baseUrl, allowedHttpRequestDomains: 'domains' } as const;
		const refused = await runNode(engine, { ...limited, allowedDomains: 'links.example.com' }, account);
		expect(refused.error).toMatchObject({ message: 'The credential may not be used with 127.0.0.1' });
		expect(host.requests).toEqual([]);
		const allowed = await runNode(engine, { ...limited, allowedDomains: 'a.test, 127.0.0.1' }, account);
		expect(records(allowed)).toHaveLength(1);
		// This keeps only n8n's HTTP Request from using it.
		const none = { ...limited, allowedHttpRequestDomains: 'none' } as const;
		expect(records(await runNode(engine, none, account))).toHaveLength(1);
	});

	it('resolves the expressions of a credential for each item', async () => {
		const host = await FakeHost.start(() => accountResponse);
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
		const host = await FakeHost.start(({ headers, method }) => ({
			body:
				method === 'GET'
					? { error: '0', data: { maxpage: 1, campaigns: [campaigns[String(headers.authorization)]] } }
					: { error: 0, message: 'Done.' },
		}));
		const credential = { baseUrl: host.baseUrl, apiKey: '={{ $json.account }}' };
		const inputs = ['one', 'two', 'one'].map((account) => ({ account }));
		const create = { resource: 'campaign', operation: 'create', name: 'Spring', ifExists: 'return' };
		expect(records(await runNode(engine, credential, create, inputs)).map(({ id }) => id)).toEqual([1, 2, 1]);

		const remove = { resource: 'campaign', operation: 'delete' };
		const campaignId = byUrl('https://links.test/u/first/spring-1');
		const run = await runNode(engine, credential, { ...remove, campaignId }, inputs, {
			onError: 'continueRegularOutput',
		});
		const deleted = { deleted: true, id: 1 };
		const unknown = 'You have no campaign with the URL "https://links.test/u/first/spring-1" [item 1]';
		expect(records(run)).toMatchObject([deleted, { error: unknown }, deleted]);
	});
});

it.each(['Bearer hunter2', ' hunter2\n', '\u200bhunter2', 'hun\nter2'])(
	'removes a key that was pasted as %j from errors',
	async (apiKey) => {
		const host = await FakeHost.start(({ headers }) => {
			const [, key] = String(headers.authorization).split(' ');
			return { status: 401, body: { error: 1, message: `No account has the key ${key}` } };
		});
		const run = await runNode(
			engine,
			{ baseUrl: host.baseUrl, apiKey },
			{ resource: 'account', operation: 'get' },
		);
		expect(run.error?.message).toContain('No account has the key ***');
	},
);

describe('passwords in parameters', () => {
	const password = '={{ $json.secret }}';
	const inputs = [{ secret: 'hunter2' }];
	const repeated = (body: string): string =>
		(/"(?:pass|password)":"([^"]*)"/.exec(body) as RegExpExecArray)[1] as string;

	it.each([
		{ resource: 'account', operation: 'update', updateFields: { password } },
		{ ...create, additionalFields: { password } },
		{ resource: 'qrCode', operation: 'create', qrType: 'wifi', wifiSsid: 'Guests', wifiPass: password },
	])('removes the password from errors if the service repeats it: $resource', async (parameters) => {
		const host = await FakeHost.start(({ body }) => ({
			body: { error: 1, message: `${repeated(body)} is too short` },
		}));
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const run = await runNode(engine, host, parameters, inputs, { onError });
			const output = JSON.stringify([run.json('Link Manager'), run.error, run.error?.stack]);
			expect(output).toContain('*** is too short');
			expect(output).not.toContain('hunter2');
		}
	});

	it('masks the password in the output wherever a member has its name', async () => {
		const host = await FakeHost.start(({ body }) => ({
			body: { error: 0, message: 'Saved.', sent: JSON.parse(body) as object },
		}));
		const parameters = { resource: 'account', operation: 'update', updateFields: { password } };
		expect(records(await runNode(engine, host, parameters, inputs))).toEqual([
			{ message: 'Saved.', sent: { password: '***' } },
		]);
	});

	it('keeps the address of a link whose alias equals the password', async () => {
		const shortUrl = 'https://links.test/spring';
		const host = await FakeHost.start(() => ({ body: { error: 0, id: 7, shorturl: shortUrl } }));
		const parameters = { ...create, additionalFields: { custom: 'spring', password: 'spring' } };
		const [made] = records(await runNode(engine, host, parameters));
		expect(made).toMatchObject({ id: 7, shortUrl, alias: 'spring', existed: false });
	});
});

describe('rate limits', () => {
	const rateLimited: Reply = {
		status: 429,
		headers: { 'retry-after': '60' },
		body: '<html>Slow down</html>',
	};

	it('waits and retries, and reports the wait', async () => {
		const host = await FakeHost.start(first(1, rateLimited, created));
		const run = await runNode(engine, host, create, [{ n: 1 }, { n: 2 }, { n: 3 }]);
		expect(records(run)).toHaveLength(3);
		expect(host.requests).toHaveLength(4);
		const [waited] = run.hints('Link Manager');
		expect(waited?.message).toMatch(
			/^Waited 6\d s in all for the rate limit of the link management service$/,
		);
	});

	it('fails if the wait exceeds Maximum Wait, and reports when to try again', async () => {
		const host = await FakeHost.start(() => rateLimited);
		const options = { maximumWait: 10 };
		const run = await runNode(engine, host, { ...create, options }, [{ n: 1 }, { n: 2 }], {
			onError: 'continueRegularOutput',
		});
		const reported = expect.stringMatching(
			/^The rate limit of the link management service is used up: try again in \d\d s$/,
		) as string;
		const details =
			'With that, this request would wait longer in all than it may (10 s). See Options → Maximum Wait (Seconds).';
		expect(records(run)).toMatchObject([
			{ error: reported, details },
			{ error: reported, details },
		]);
		expect(host.requests).toHaveLength(1);
	});

	it('stops waiting when the execution is canceled', async () => {
		const controller = new AbortController();
		const host = await FakeHost.start(() => {
			setTimeout(() => controller.abort(), 50);
			return rateLimited;
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
