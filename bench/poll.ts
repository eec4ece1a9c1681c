/** `npm run bench:poll`: the cost of polls of both triggers. */
import { join } from 'node:path';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { runCommand } from '../scripts/command.ts';
import { apart } from './apart.ts';
import { post, type Account, type Cost, type Costs } from './poll-account.ts';

const API_KEY = 'sandbox-api-key';
const measuring = join(import.meta.dirname, 'poll-account.ts');

const widths = [26, 16, 16, 16, 10, 10];
const line = (...cells: string[]): string =>
	cells
		.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!)))
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
	const response = await fetch(`${sandbox.readerUrl}/reader/feeds`, { headers: { cookie } });
	const { feeds } = (await response.json()) as { feeds: Record<string, unknown> };
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

/** Measures an account in another process, then closes the sandbox. */
async function finish(name: string, sandbox: { close(): Promise<void> }, account: Account): Promise<void> {
	try {
		print(name, await apart<Costs>(measuring, JSON.stringify(account)));
	} finally {
		await sandbox.close();
	}
}

await runCommand(
	{
		name: 'npm run bench:poll',
		description:
			"Polls both triggers on n8n's engine against accounts of several sizes. Prints requests, time, memory and the size of\nthe saved state.",
		options: {},
		needsBuild: true,
	},
	async () => {
		console.log('Polls on n8n-core against the sandbox. Ten new records are made before the third poll.');
		console.log(line('', 'first', 'quiet', 'ten new', 'memory', 'state'));
		for (const count of [0, 1_000, 100_000]) await measureStories(count);
		for (const count of [10, 500, 5_000]) await measureCodes(count);
	},
);
