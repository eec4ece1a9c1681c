import { createEngine, chain } from './engine.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
const sandbox = spawn(
	'node',
	[
		'sandbox/main.ts',
		'--port',
		'0',
		'--rate-limit',
		process.argv[2] ?? '30/0.5',
		'--wild',
		'reset-milliseconds',
	],
	{ stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = await once(sandbox.stdout!, 'data');
console.log(String(line));
const base = /http:\S+\/links/.exec(String(line))![0];
const engine = await createEngine({
	packageDirs: [process.cwd()],
	credentials: {
		k: { name: 'k', type: 'linkManagerApi', data: { baseUrl: base + '/', apiKey: 'sandbox-api-key' } },
	},
});
const node = (name: string, parameters: object, extra = {}) => ({
	name,
	type: 'n8n-nodes-newslink.linkManager',
	parameters,
	credentials: { linkManagerApi: { id: 'k', name: 'k' } },
	...extra,
});
const trig = { name: 'T', type: 'n8n-nodes-base.manualTrigger' };
async function go(parameters: object, input: object[], extra = {}) {
	const t = Date.now();
	const r = await engine.run({ workflow: chain(trig, node('L', parameters, extra)), input: input as never });
	console.log(
		JSON.stringify(parameters).slice(0, 100),
		r.status,
		Date.now() - t,
		'ms',
		r.error ? [r.error.message, r.error.description] : '',
		JSON.stringify(r.items('L').slice(0, 3)),
		r.items('L').length,
		JSON.stringify(r.hints('L')),
	);
}
console.log(await engine.testCredential('k'));
await go({ resource: 'account', operation: 'get' }, [{}]);
await go({ resource: 'account', operation: 'update', updateFields: { password: 'newsecret' } }, [{}]);
await go({ resource: 'account', operation: 'update' }, [{}]);
await go(
	{
		resource: 'campaign',
		operation: 'create',
		name: '={{$json.n}}',
		ifExists: 'return',
		additionalFields: { slug: '={{$json.n}}', public: true },
	},
	[{ n: 'a' }, { n: 'b' }, { n: 'A' }],
);
await go({ resource: 'campaign', operation: 'getAll', returnAll: true }, [{}, {}]);
await go(
	{
		resource: 'shortLink',
		operation: 'create',
		url: '={{"https://example.com/" + $json.n}}',
		additionalFields: { utmSource: 'x', campaignId: { __rl: true, mode: 'id', value: '1' } },
	},
	Array.from({ length: 100 }, (_, n) => ({ n })),
);
await go({ resource: 'shortLink', operation: 'getAll', returnAll: true }, [{}]);
await go({ resource: 'shortLink', operation: 'getAll', limit: 2 }, [{}]);
await go({ resource: 'shortLink', operation: 'get', linkId: { __rl: true, mode: 'id', value: 3 } }, [{}]);
await go(
	{ resource: 'shortLink', operation: 'get', linkId: { __rl: true, mode: 'id', value: '={{$json.n}}' } },
	[{ n: 1 }, { n: '2/3' }, { n: 2 }],
	{ onError: 'continueRegularOutput' },
);
await go(
	{ resource: 'shortLink', operation: 'get', linkId: { __rl: true, mode: 'id', value: '={{$json.n}}' } },
	[{ n: 1 }, { n: 99999 }, { n: 2 }],
);
await go(
	{
		resource: 'qrCode',
		operation: 'create',
		qrType: 'wifi',
		wifiSsid: 'me',
		wifiPass: 'secretpw',
		additionalFields: { foreground: '#ff0000' },
	},
	[{}],
);
await go({ resource: 'qrCode', operation: 'getAll' }, [{}]);
await go({ resource: 'channel', operation: 'create', name: 'News', additionalFields: { color: '#f00' } }, [
	{},
]);
await go(
	{
		resource: 'channel',
		operation: 'assignItem',
		channelId: { __rl: true, mode: 'id', value: 1 },
		itemType: 'links',
		linkId: { __rl: true, mode: 'id', value: 1 },
	},
	[{}],
);
await go({ resource: 'channel', operation: 'getItems', channelId: { __rl: true, mode: 'id', value: 1 } }, [
	{},
]);
console.log(
	JSON.stringify(
		await engine.listSearch({
			node: node('L', { resource: 'shortLink', operation: 'get' }),
			method: 'shortLink',
			filter: 'example.com/9',
		} as never),
	).slice(0, 400),
);
sandbox.kill();
