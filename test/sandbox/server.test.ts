import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { openAsVisitor, withLinks } from '../support/clients/link-client.ts';
import { end, run, startProcess } from '../support/hosts/sandbox-process.ts';

/** The sandbox server: command line, start and stop, overview page. */

describe('the command', () => {
	test.each(['SIGTERM', 'SIGINT'] as const)(
		'prints one line with its URLs and stops at %s',
		async (signal) => {
			const sandbox = await startProcess('--rate-limit', '7/0.5');
			expect(sandbox.output()).toMatch(
				/^Sandbox ready: (http:\/\/127\.0\.0\.1:\d+) \(link service \1\/links, news reader service \1\/reader-service\)\n$/,
			);
			const response = await fetch(`${sandbox.linksUrl}/api/account`, {
				headers: { authorization: 'Bearer sandbox-api-key' },
			});
			expect(response.headers.get('x-ratelimit-limit')).toBe('7');
			expect(await end(sandbox, signal)).toEqual([0, null]);
			expect(sandbox.output().split('\n')).toHaveLength(2);
		},
	);

	test('--variant and --wild change responses', async () => {
		const sandbox = await startProcess('--variant', 'wild', '--wild', 'token-scheme');
		const reply = await fetch(`${sandbox.linksUrl}/api/account`);
		expect(reply.status).toBe(400);
		expect(await reply.json()).toMatchObject({ message: expect.stringContaining('Token API_KEY') });
		await end(sandbox, 'SIGTERM');
	});

	test('--help lists every option and every difference', async () => {
		const { code, output } = await run('--help');
		expect(code).toBe(0);
		for (const word of [
			'--port',
			'--data',
			'--rate-limit',
			'--plan',
			'memory',
			'number-error',
			'sandbox-api-key',
			"none also lifts the news reader's limits",
		]) {
			expect(output).toContain(word);
		}
	});

	test.each([
		[['--color', 'red'], /Unknown option '--color'.*--help/s],
		[['--port', '99999'], /--port must be a number from 0 to 65535, not "99999"/],
		[['--rate-limit', 'fast'], /--rate-limit must be COUNT\/SECONDS such as 30\/60, or none, not "fast"/],
		[['--rate-limit', '30/0'], /--rate-limit must be/],
		[['--variant', 'tame'], /--variant must be one of contract, wild, 2026, not "tame"/],
		[['--data', ''], /--data needs the name of a file/],
		[['--plan', 'gold'], /--plan must be one of free, premium, archive/],
		[['--wild', 'no-such'], /--wild must be one of number-error, .*not "no-such"/],
	])('rejects %j with one sentence', async (args, message) => {
		const { code, output, errors } = await run(...args);
		expect({ code, output }).toEqual({ code: 2, output: '' });
		expect(errors).toMatch(message);
		expect(errors.trim().split('\n')).toHaveLength(1);
	});

	test('reports an invalid data file', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
		const file = join(folder, 'letter.txt');
		writeFileSync(file, 'Dear database, '.repeat(100));
		for (const [path, reason] of [
			[file, 'file is not a database'],
			[join(folder, 'missing', 'sandbox.db'), 'unable to open database file'],
		] as const) {
			const { code, errors } = await run('--port', '0', '--data', path);
			expect(code).toBe(1);
			expect(errors).toContain(`The data file ${path} cannot be used (${reason}).`);
		}
		rmSync(folder, { recursive: true });
	});

	test('reports a port in use', async () => {
		const holder = createServer();
		await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
		const address = holder.address();
		const port = typeof address === 'object' && address !== null ? String(address.port) : '';
		const { code, errors } = await run('--port', port);
		holder.close();
		expect(code).toBe(1);
		expect(errors).toBe(
			`Port ${port} is taken. Stop what uses it, or choose another with --port (0 takes a free one).\n`,
		);
	});
});

test('rejects an unknown difference', async () => {
	await expect(startSandbox({ port: 0, wild: ['no-such'] })).rejects.toThrow(
		'No difference is called no-such.',
	);
});

test('the overview page shows the data of the accounts as text', async () => {
	await withLinks({}, async (api, { url }) => {
		const { shorturl } = await api.add('/url/add', {
			url: 'https://example.com/',
			metatitle: '<script>alert(1)</script>',
		});
		const { link } = await api.add('/qr/add', { type: 'text', data: 'Hello "you"' });
		const response = await openAsVisitor(url);
		const page = await response.text();
		expect(response.headers.get('content-type')).toContain('text/html');
		expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
		for (const text of [
			String(shorturl),
			`${String(link)}/image.svg`,
			'&lt;script&gt;alert(1)&lt;/script&gt;',
			'Hello &quot;you&quot;',
			'sandbox-second-key',
		]) {
			expect(page).toContain(text);
		}
		expect(page).not.toContain('<script>');
	});
});

test('the printed URLs redirect browsers to the overview, which reports the number of records and lists ten links', async () => {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const asPerson = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
	try {
		for (const url of [sandbox.linksUrl, sandbox.readerUrl, `${sandbox.linksUrl}/`]) {
			expect((await fetch(url, asPerson)).headers.get('location')).toBe('/');
			expect((await fetch(url)).headers.get('location')).toBeNull();
		}
		const add = (url: string) =>
			fetch(`${sandbox.linksUrl}/api/url/add`, {
				method: 'POST',
				headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
				body: JSON.stringify({ url }),
			});
		for (let n = 0; n < 11; n++) await add(`https://example.com/${n}`);
		const page = await (await fetch(sandbox.url)).text();
		expect(page).toContain('Short links 11');
		expect(page.match(/href="[^"]+\/links\/s\//g)).toHaveLength(10);
		expect(page).toContain('the newest ten are listed');
	} finally {
		await sandbox.close();
	}
});
