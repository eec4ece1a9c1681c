import type { ICredentialType, IDataObject, INodeType, IPollFunctions } from 'n8n-workflow';
import { chain, connect, createEngine, n8n, type Engine, type NodeJson } from '../../engine/index.ts';
import { FakeHost } from '../support/hosts/fake-host';

let validToken = '';
/** Echoes the request in the response; `/token` requires the token that `/login` returned last. */
let host: FakeHost;
let origin: string;

const echo = nodeType('echo', {
	properties: [
		{ displayName: 'Value', name: 'value', type: 'string', default: '' },
		{ displayName: 'Fail On', name: 'failOn', type: 'string', default: '' },
	],
	async execute() {
		return [
			this.getInputData().map((_, item) => {
				const value = this.getNodeParameter('value', item) as string;
				const fails = value === this.getNodeParameter('failOn', item);
				if (fails && !this.continueOnFail()) {
					throw new n8n.NodeOperationError(this.getNode(), `No ${value}`, { itemIndex: item });
				}
				return { json: fails ? { error: `No ${value}` } : { value }, pairedItem: { item } };
			}),
		];
	},
});

/** Outputs every item twice, so that pairing can't be derived from the order. */
const twice = nodeType('twice', {
	properties: [{ displayName: 'Paired', name: 'paired', type: 'boolean', default: true }],
	async execute() {
		const paired = this.getNodeParameter('paired', 0);
		this.addExecutionHints({ message: 'Everything twice' });
		return [
			this.getInputData().flatMap((_, item) =>
				['a', 'b'].map((copy) => ({ json: { copy }, ...(paired ? { pairedItem: { item } } : {}) })),
			),
		];
	},
});

let attempts = 0;
const flaky = nodeType('flaky', {
	async execute() {
		attempts++;
		if (attempts < 3) throw new n8n.NodeOperationError(this.getNode(), 'Not yet');
		return [[{ json: { attempts } }]];
	},
});

const waiting = nodeType('waiting', {
	async execute() {
		const signal = this.getExecutionCancelSignal()!;
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
		return [[{ json: { reported: true } }]];
	},
});

const request = nodeType('request', {
	credentials: [
		{ name: 'sessionApi', required: false },
		{ name: 'keyApi', required: false },
		{ name: 'signedApi', required: false },
		{ name: 'tokenOAuth2Api', required: false },
	],
	properties: [
		{ displayName: 'Path', name: 'path', type: 'string', default: '' },
		{ displayName: 'Credential', name: 'credential', type: 'string', default: '' },
	],
	async execute() {
		const items = this.getInputData();
		const output = [];
		for (let item = 0; item < items.length; item++) {
			const type = this.getNodeParameter('credential', item) as string;
			const { baseUrl } = await this.getCredentials(type, item);
			const url = `${baseUrl as string}${this.getNodeParameter('path', item) as string}`;
			const json = await this.helpers.httpRequestWithAuthentication.call(this, type, { url });
			output.push({ json: json as IDataObject, pairedItem: { item } });
		}
		return [output];
	},
	methods: {
		listSearch: {
			async searchThings(filter, paginationToken) {
				const { baseUrl } = await this.getCredentials('keyApi');
				const kind = this.getCurrentNodeParameter('path') as string;
				return {
					results: [{ name: `${kind} ${filter} at ${baseUrl as string}`, value: 1 }],
					paginationToken: paginationToken ? undefined : '2',
				};
			},
		},
		loadOptions: {
			async getThings() {
				return [{ name: this.getNode().name, value: 1 }];
			},
		},
	},
});

const counter: INodeType = {
	description: { ...descriptionOf('counter'), polling: true, inputs: [], group: ['trigger'] },
	async poll(this: IPollFunctions) {
		const state = this.getWorkflowStaticData('node');
		const count = ((state.count as number | undefined) ?? 0) + 1;
		state.count = count;
		if (count % 2 === 0) return null;
		return [[{ json: { count, mode: this.getMode(), activation: this.getActivationMode() } }]];
	},
};

const baseUrl = { displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' } as const;

const sessionApi: ICredentialType = {
	name: 'sessionApi',
	displayName: 'Session API',
	properties: [
		baseUrl,
		{ displayName: 'User', name: 'user', type: 'string', default: 'nobody' },
		{ displayName: 'Token', name: 'token', type: 'hidden', typeOptions: { expirable: true }, default: '' },
	],
	async preAuthentication(credentials) {
		const { token } = (await this.helpers.httpRequest({
			method: 'POST',
			url: `${credentials.baseUrl as string}/login`,
		})) as { token: string };
		return { token, user: 'renamed' };
	},
	authenticate: { type: 'generic', properties: { headers: { 'x-token': '={{$credentials.token}}' } } },
	test: {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/token' },
		rules: [
			{
				type: 'responseSuccessBody',
				properties: { key: 'demo.on', value: true, message: 'This is demo data' },
			},
		],
	},
};

const keyApi: ICredentialType = {
	name: 'keyApi',
	displayName: 'Key API',
	properties: [baseUrl, { displayName: 'Key', name: 'key', type: 'string', default: 'default key' }],
	authenticate: {
		type: 'generic',
		properties: { headers: { 'x-key': '={{$credentials.key}}' }, qs: { v: '2' } },
	},
	test: {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/token' },
		rules: [{ type: 'responseCode', properties: { value: 401, message: 'The key is wrong' } }],
	},
};

const signedApi: ICredentialType = {
	name: 'signedApi',
	displayName: 'Signed API',
	properties: [baseUrl],
	authenticate: async (credentials, options) => ({
		...options,
		headers: { ...options.headers, 'x-signed': String(credentials.baseUrl).length },
	}),
};

const tokenOAuth2Api: ICredentialType = {
	name: 'tokenOAuth2Api',
	displayName: 'Token OAuth2 API',
	extends: ['oAuth2Api'],
	properties: [
		baseUrl,
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'hidden',
			default: '={{$self["baseUrl"]}}/oauth/token',
		},
	],
};

let engine: Engine;

beforeAll(async () => {
	host = await FakeHost.start(({ url, path, headers }) => {
		const token = headers['x-token'] ?? headers.authorization?.replace('Bearer ', '');
		if (path === '/login' || path === '/oauth/token') {
			validToken = `token-${host.requests.length}`;
			const oauth = { access_token: validToken, refresh_token: 'next', token_type: 'bearer' };
			return { body: path === '/login' ? { token: validToken } : oauth };
		}
		if (path === '/token' && token !== validToken) return { status: 401, body: {} };
		return { body: { url, headers, demo: { on: token === 'demo' } } };
	});
	origin = host.baseUrl;
	engine = await createEngine({
		extraNodes: Object.fromEntries(
			[echo, twice, flaky, waiting, request, counter].map((type) => [`test.${type.description.name}`, type]),
		),
		extraCredentials: [sessionApi, keyApi, signedApi, tokenOAuth2Api],
	});
});

beforeEach(() => {
	host.reset();
	validToken = '';
	attempts = 0;
});

afterAll(() => host.stop());

const items: NodeJson = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
const input = [{ n: 'one' }, { n: 'two' }, { n: 'three' }];

/** An Edit Fields node that evaluates expressions. */
function read(fields: Record<string, string>): NodeJson {
	const assignments = Object.entries(fields).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: 'string',
	}));
	return { name: 'Read', type: 'n8n-nodes-base.set', parameters: { assignments: { assignments } } };
}

describe('a run', () => {
	it('evaluates parameters per item ', async () => {
		const echoes = { name: 'Echo', type: 'test.echo', parameters: { value: '={{ $json.n.toUpperCase() }}' } };
		const finished: string[] = [];
		const result = await engine.run({
			workflow: chain(items, echoes),
			input,
			onNodeFinished: (node, outputs) => finished.push(`${node} ${outputs.flat().length}`),
		});
		expect(result).toMatchObject({ status: 'success', error: undefined });
		expect(finished).toEqual(['Items 3', 'Echo 3']);
		expect(result.json('Echo')).toEqual([{ value: 'ONE' }, { value: 'TWO' }, { value: 'THREE' }]);
	});

	it('traces list entries back to their items, and fails if a node returned no pairing', async () => {
		const back = read({ n: "={{ $('Items').item.json.n }}", copy: '={{ $json.copy }}' });
		const paired = await engine.run({
			workflow: chain(items, { name: 'T', type: 'test.twice' }, back),
			input,
		});
		expect(paired.json('Read').map(({ n, copy }) => `${n}${copy}`)).toEqual([
			'onea',
			'oneb',
			'twoa',
			'twob',
			'threea',
			'threeb',
		]);
		expect(paired.hints('T')).toMatchObject([{ message: 'Everything twice' }]);

		const nodeWithoutPairing = { name: 'T', type: 'test.twice', parameters: { paired: false } };
		const resultWithoutPairing = await engine.run({
			workflow: chain(items, nodeWithoutPairing, back),
			input,
		});
		expect(resultWithoutPairing.status).toBe('error');
		expect(resultWithoutPairing.error?.message).toMatch(/paired item/i);
	});

	it('stops at the failing item, or continues, depending on the node’s settings', async () => {
		const failing = {
			name: 'Echo',
			type: 'test.echo',
			parameters: { value: '={{ $json.n }}', failOn: 'two' },
		};
		const stopped = await engine.run({ workflow: chain(items, failing, read({ n: 'x' })), input });
		expect(stopped).toMatchObject({
			status: 'error',
			error: { message: 'No two', context: { itemIndex: 1 } },
		});
		expect(stopped.items('Read')).toEqual([]);

		const continued = await engine.run({
			workflow: chain(
				items,
				{ ...failing, onError: 'continueRegularOutput' },
				read({ n: "={{ $('Items').item.json.n }}" }),
			),
			input,
		});
		expect(continued.json('Echo')).toEqual([{ value: 'one' }, { error: 'No two' }, { value: 'three' }]);
		expect(continued.json('Read').map(({ n }) => n)).toEqual(['one', 'two', 'three']);
	});

	it('sends the failed item with its input to the error output', async () => {
		const failing: NodeJson = {
			name: 'Echo',
			type: 'test.echo',
			parameters: { value: '={{ $json.n }}', failOn: 'two' },
			onError: 'continueErrorOutput',
		};
		const workflow = chain(items, failing);
		workflow.nodes.push(read({ n: "={{ $('Items').item.json.n }}" }));
		connect(workflow.connections, 'Echo', 1, 'Read');
		const result = await engine.run({ workflow, input });
		expect(result.json('Echo').map(({ value }) => value)).toEqual(['one', 'three']);
		expect(result.json('Echo', 1)).toEqual([{ n: 'two', error: 'No two' }]);
		expect(result.json('Read')).toEqual([{ n: 'two' }]);
	});

	it('retries if the node is set to', async () => {
		const retried = {
			name: 'Flaky',
			type: 'test.flaky',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		};
		const result = await engine.run({ workflow: chain(items, retried) });
		expect(result.json('Flaky')).toEqual([{ attempts: 3 }]);
	});

	it('aborts the signal of the running node when it is canceled', async () => {
		const controller = new AbortController();
		const running = engine.run({
			workflow: chain(items, { name: 'Wait', type: 'test.waiting' }, read({ n: 'x' })),
			signal: controller.signal,
		});
		setTimeout(() => controller.abort(), 20);
		const result = await running;
		expect(result.status).toBe('canceled');
		expect(result.items('Read')).toEqual([]);
	});

	it('rejects unknown parameters, versions and nodes', async () => {
		const run = (node: NodeJson) => engine.run({ workflow: chain(items, node) });
		await expect(run({ ...read({}), parameters: { keepOnlySet: true } })).rejects.toThrow(
			'has no parameter "keepOnlySet"',
		);
		await expect(run({ ...read({}), parameters: { options: { dotNotation: false } } })).rejects.toThrow(
			'has no parameter "options.dotNotation"',
		);
		await expect(run({ ...read({}), typeVersion: 2 })).rejects.toThrow('has no version 2');
		await expect(run({ name: 'X', type: 'test.nothing' })).rejects.toThrow('no node type "test.nothing"');
	});
});

describe('replacements of core nodes', () => {
	it('start, split, filter and edit like the originals', async () => {
		const workflow = chain(
			{ name: 'Every Day', type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2 },
			{
				name: 'List',
				type: 'n8n-nodes-base.set',
				parameters: {
					mode: 'raw',
					jsonOutput: '={"by": "{{ $json.by }}", "rows": [{"n": 1}, {"n": 2}]}',
					includeOtherFields: true,
				},
			},
			{ name: 'Split', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'rows' } },
			{
				name: 'Big',
				type: 'n8n-nodes-base.filter',
				parameters: {
					conditions: {
						options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
						conditions: [
							{
								id: '1',
								leftValue: '={{ $json.n }}',
								rightValue: 1,
								operator: { type: 'number', operation: 'gt' },
							},
						],
						combinator: 'and',
					},
				},
			},
			read({ n: '={{ $json.n }}', by: "={{ $('Every Day').item.json.by }}" }),
			{ name: 'Done', type: 'n8n-nodes-base.noOp' },
		);
		const result = await engine.run({ workflow, mode: 'trigger', input: [{ by: 'clock' }] });
		expect(result.error).toBeUndefined();
		expect(result.json('List')).toEqual([{ by: 'clock', rows: [{ n: 1 }, { n: 2 }] }]);
		expect(result.json('Done')).toEqual([{ n: '2', by: 'clock' }]);
	});
});

describe('credentials', () => {
	const requestWith = (type: string, id: string, path = '/echo'): NodeJson => ({
		name: 'Ask',
		type: 'test.request',
		parameters: { path, credential: type },
		credentials: { [type]: { id, name: id } },
	});

	it('get defaults and are sent by the type’s expression or function', async () => {
		const key = await engine.run({
			workflow: chain(items, requestWith('keyApi', 'k')),
			credentials: { k: { type: 'keyApi', data: { baseUrl: origin } } },
		});
		expect(key.json('Ask')[0]).toMatchObject({ url: '/echo?v=2', headers: { 'x-key': 'default key' } });

		const signed = await engine.run({
			workflow: chain(items, requestWith('signedApi', 's')),
			credentials: { s: { type: 'signedApi', data: { baseUrl: origin } } },
		});
		expect(signed.json('Ask')[0]).toMatchObject({ headers: { 'x-signed': String(origin.length) } });
	});

	it('resolve their expressions for the current item', async () => {
		const result = await engine.run({
			workflow: chain(items, requestWith('keyApi', 'k')),
			credentials: { k: { type: 'keyApi', data: { baseUrl: `=${origin}/{{ $json.n }}` } } },
			input,
		});
		expect(result.json('Ask').map(({ url }) => url)).toEqual([
			'/one/echo?v=2',
			'/two/echo?v=2',
			'/three/echo?v=2',
		]);
	});

	it('log in if the token is empty, save the token, and log in again on 401', async () => {
		const data = { baseUrl: origin, user: '={{ "by expression" }}' };
		const workflow = chain(items, requestWith('sessionApi', 's', '/token'));
		const first = await engine.run({
			workflow,
			credentials: { s: { type: 'sessionApi', data } },
			input: input.slice(0, 2),
		});
		expect(first.json('Ask')).toMatchObject([
			{ headers: { 'x-token': 'token-1' } },
			{ headers: { 'x-token': 'token-1' } },
		]);
		// The expression is kept, and the token is saved.
		expect(engine.credentials.data('s')).toMatchObject({ token: 'token-1', user: '={{ "by expression" }}' });
		expect(host.requests.map(({ url }) => url)).toEqual(['/login', '/token', '/token']);

		validToken = 'revoked';
		host.reset();
		const second = await engine.run({ workflow });
		expect(second.status).toBe('success');
		expect(host.requests.map(({ url }) => url)).toEqual(['/token', '/login', '/token']);
		expect(engine.credentials.data('s').token).toBe('token-2');
	});

	it('refresh an OAuth2 token through n8n and save the new one', async () => {
		const oauthTokenData = { access_token: 'old', refresh_token: 'old', token_type: 'bearer' };
		const result = await engine.run({
			workflow: chain(items, requestWith('tokenOAuth2Api', 'o', '/token')),
			credentials: {
				o: {
					type: 'tokenOAuth2Api',
					data: { baseUrl: origin, clientId: 'c', clientSecret: 's', oauthTokenData },
				},
			},
		});
		expect(result.error).toBeUndefined();
		expect(host.requests.map(({ url }) => url)).toEqual(['/token', '/oauth/token', '/token']);
		expect(engine.credentials.data('o').oauthTokenData).toMatchObject({
			access_token: 'token-2',
			refresh_token: 'next',
		});
	});

	it('have the fields of allowed domains, which are enforced', async () => {
		const data = { baseUrl: origin, allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
		const result = await engine.run({
			workflow: chain(items, requestWith('sessionApi', 's', '/token')),
			credentials: { s: { type: 'sessionApi', data } },
		});
		expect(result.status).toBe('error');
		expect(host.requests).toEqual([]);
	});

	it('are tested with their request and rules', async () => {
		const test = async (type: string, data: Record<string, string>) => {
			engine.credentials.set('t', { type, data });
			return await engine.testCredential('t');
		};
		validToken = 'demo';
		expect(await test('sessionApi', { baseUrl: origin, token: 'demo' })).toEqual({
			status: 'Error',
			message: 'This is demo data',
		});
		expect(await test('sessionApi', { baseUrl: origin })).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		expect(await test('keyApi', { baseUrl: origin })).toEqual({
			status: 'Error',
			message: 'The key is wrong',
		});
		expect(await test('keyApi', { baseUrl: 'http://127.0.0.1:1' })).toEqual({
			status: 'Error',
			message: 'ECONNREFUSED',
		});
		expect(await test('signedApi', { baseUrl: origin })).toMatchObject({
			message: expect.stringContaining('No testing'),
		});
		expect(await test('tokenOAuth2Api', { baseUrl: origin })).toMatchObject({ status: 'Error' });
	});

	it('report a missing credential', async () => {
		const result = await engine.run({ workflow: chain(items, requestWith('keyApi', 'never given')) });
		expect(result.error?.message).toContain('"never given"');
	});
});

describe('outside an execution', () => {
	it('searches lists and loads options with the current parameters', async () => {
		const node: NodeJson = {
			name: 'Ask',
			type: 'test.request',
			parameters: { path: 'red' },
			credentials: { keyApi: { id: 'k', name: 'k' } },
		};
		const credentials = { k: { type: 'keyApi', data: { baseUrl: origin } } };
		const first = await engine.listSearch({ node, method: 'searchThings', filter: 'things', credentials });
		expect(first).toEqual({ results: [{ name: `red things at ${origin}`, value: 1 }], paginationToken: '2' });
		const last = await engine.listSearch({ node, method: 'searchThings', paginationToken: '2' });
		expect(last.paginationToken).toBeUndefined();
		expect(await engine.loadOptions({ node, method: 'getThings' })).toEqual([{ name: 'Ask', value: 1 }]);
		await expect(engine.loadOptions({ node, method: 'no' })).rejects.toThrow('no option list "no"');
	});

	it('polls with the static data of the previous poll', async () => {
		const node: NodeJson = { name: 'Counter', type: 'test.counter' };
		const first = await engine.poll({ node });
		expect(first).toEqual({
			items: [{ json: { count: 1, mode: 'trigger', activation: 'activate' } }],
			staticData: { count: 1 },
		});
		const second = await engine.poll({ node, staticData: first.staticData });
		expect(second).toEqual({ items: null, staticData: { count: 2 } });
		const manual = await engine.poll({ node, staticData: second.staticData, mode: 'manual' });
		expect(manual.items).toEqual([{ json: { count: 3, mode: 'manual', activation: 'manual' } }]);
	});

	it('runs a manual poll in a workflow', async () => {
		const workflow = chain({ name: 'Counter', type: 'test.counter' }, read({ n: '={{ $json.count }}' }));
		const result = await engine.run({
			workflow: { ...workflow, staticData: { 'node:Counter': { count: 4 } } },
		});
		expect(result.json('Read')).toEqual([{ n: '5' }]);
	});
});

function descriptionOf(name: string) {
	return {
		displayName: name,
		name,
		group: ['transform' as const],
		version: 1,
		description: name,
		defaults: { name },
		inputs: ['main' as const],
		outputs: ['main' as const],
		properties: [],
	};
}

/** Creates a node type with defaults for everything that the test does not set. */
function nodeType(
	name: string,
	{
		properties = [],
		credentials,
		...rest
	}: Pick<Partial<INodeType['description']>, 'properties' | 'credentials'> &
		Pick<INodeType, 'execute' | 'methods'>,
): INodeType {
	return { description: { ...descriptionOf(name), properties, credentials }, ...rest };
}
