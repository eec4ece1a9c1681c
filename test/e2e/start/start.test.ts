/** Tests `npm start`: its output, Ctrl+C, a second start, and its error messages. It runs before the other tests, because it builds the package and installs n8n. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../playground/n8n.ts';
import { npm } from '../../../playground/processes.ts';
import { N8nClient } from '../../../playground/rest.ts';
import { owner, root } from '../../../playground/settings.ts';

let folder: string;
let ports: { editor: number; sandbox: number };

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'newslink-start-'));
	ports = { editor: await freePort(), sandbox: await freePort() };
});
after(async () => await rm(folder, { recursive: true, force: true }));

/** The running playgrounds. Those of a failed test are stopped, because they would block the ports for the next one. */
const running = new Set<RunningPlayground>();
afterEach(async () => {
	for (const started of running) {
		started.interrupt();
		await started.ended;
	}
});

interface RunningPlayground {
	/** The output so far. */
	output(): string;
	/** Waits until the output contains a text. @throws if the playground ends before */
	waitForOutput(text: string): Promise<void>;
	/** Sends the signal of Ctrl+C. */
	interrupt(): void;
	ended: Promise<number | null>;
}

/** Starts the playground with data in the test's folder. */
function start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): RunningPlayground {
	const child = spawn(
		process.execPath,
		[
			join(root, 'playground', 'start.ts'),
			...['--port', String(ports.editor), '--sandbox-port', String(ports.sandbox)],
			...args,
		],
		{ cwd: root, env: { ...process.env, PLAYGROUND_DATA: join(folder, 'data'), ...environment } },
	);
	let printed = '';
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	const waitForOutput = async (text: string) =>
		await new Promise<void>((resolve, reject) => {
			const check = () => {
				if (printed.includes(text)) resolve();
			};
			for (const stream of [child.stdout, child.stderr]) stream.on('data', check);
			void ended.then(() => reject(new Error(`It ended without "${text}":\n${printed}`)));
			check();
		});
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	const started = { output: () => printed, waitForOutput, interrupt: () => child.kill('SIGINT'), ended };
	running.add(started);
	void ended.then(() => running.delete(started));
	return started;
}

/** The output of a playground that fails to start. */
async function failedOutput(
	args: readonly string[],
	environment?: NodeJS.ProcessEnv,
	exitCode = 1,
): Promise<string> {
	const started = start(args, environment);
	assert.equal(await started.ended, exitCode, started.output());
	return started.output();
}

/** An environment with a fake npm, and no other programs in the PATH except Node's. */
async function withNpm(script: string): Promise<NodeJS.ProcessEnv> {
	const bin = await mkdtemp(join(folder, 'bin-'));
	await writeFile(join(bin, 'npm'), `#!/bin/sh\n${script}\n`);
	await chmod(join(bin, 'npm'), 0o755);
	return { npm_execpath: undefined, PATH: [bin, dirname(process.execPath)].join(delimiter) };
}

async function workflowNames(): Promise<string[]> {
	const client = new N8nClient(`http://127.0.0.1:${ports.editor}`);
	await client.logIn(owner);
	return (await client.workflows()).map(({ name }) => name);
}

const isResponding = async (url: string): Promise<boolean> =>
	await fetch(url).then(
		({ ok }) => ok,
		() => false,
	);

describe('npm start', () => {
	const userWorkflow = 'Made by the user';

	it('prints addresses and logins, and stops with Ctrl+C', async () => {
		const started = start();
		await started.waitForOutput('Ctrl+C stops n8n and the sandbox');
		for (const words of [String(ports.editor), owner.email, owner.password, 'sandbox-api-key'])
			assert.ok(started.output().includes(words), words);
		assert.ok((await workflowNames()).length >= 10);
		const client = new N8nClient(`http://127.0.0.1:${ports.editor}`);
		await client.logIn(owner);
		await client.post('/rest/workflows', { name: userWorkflow, active: false, nodes: [], connections: {} });
		started.interrupt();
		assert.equal(await started.ended, 0, started.output());
		assert.deepEqual(
			await Promise.all(
				[ports.editor, ports.sandbox].map((port) => isResponding(`http://127.0.0.1:${port}/`)),
			),
			[false, false],
		);
	});

	it('keeps workflows when it is started again', async () => {
		const started = start();
		await started.waitForOutput('Ready.');
		const names = await workflowNames();
		started.interrupt();
		assert.equal(await started.ended, 0, started.output());
		assert.ok(names.includes(userWorkflow));
		assert.equal(new Set(names).size, names.length, 'imported twice');
	});

	it('deletes all data with --reset', async () => {
		const started = start(['--reset']);
		await started.waitForOutput('Ready.');
		const names = await workflowNames();
		started.interrupt();
		assert.equal(await started.ended, 0, started.output());
		assert.ok(!names.includes(userWorkflow));
		assert.ok(names.length >= 10);
	});

	it('starts only the sandbox with --no-n8n', async () => {
		const started = start(['--no-n8n']);
		await started.waitForOutput('Ctrl+C stops it');
		assert.ok(await isResponding(`http://127.0.0.1:${ports.sandbox}/`));
		const other = ['--no-n8n', '--reset', '--sandbox-port', String(await freePort())];
		assert.match(await failedOutput(other), /Another sandbox or playground uses the data/);
		started.interrupt();
		assert.equal(await started.ended, 0, started.output());
	});

	it('lets the sandbox fetch feeds of this machine with --allow-private', async () => {
		const started = start(['--no-n8n', '--allow-private']);
		await started.waitForOutput('Ctrl+C stops it');
		// A website without a feed suffices, because only the request is tested.
		const website = createServer((request) => request.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
		await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve).unref());
		const { port } = website.address() as AddressInfo;
		assert.doesNotMatch(await addFeed(`http://127.0.0.1:${port}/`), /private address/);
		website.close();
		started.interrupt();
		assert.equal(await started.ended, 0, started.output());
	});
});

/** Adds a feed to the sandbox's reader. @returns the body of the response */
async function addFeed(url: string): Promise<string> {
	const reader = `http://127.0.0.1:${ports.sandbox}/reader-service`;
	const login = new URLSearchParams({ username: 'reader', password: 'sandbox-password' });
	const session = await fetch(`${reader}/api/login`, { method: 'POST', body: login });
	const cookie = session.headers.getSetCookie().map((header) => header.split(';')[0]!);
	const response = await fetch(`${reader}/reader/add_url`, {
		method: 'POST',
		headers: { cookie: cookie.join('; ') },
		body: new URLSearchParams({ url }),
	});
	return await response.text();
}

describe('npm start while n8n is installed', () => {
	it('stops npm with Ctrl+C', async () => {
		const [begun, wentOn] = ['begun', 'went-on'].map((name) => join(folder, name));
		const script = `[ "$1" = --version ] && echo 11 && exit\n: > '${begun}'\n/bin/sleep 3\n: > '${wentOn}'`;
		const started = start(['--n8n', '9.9.9'], await withNpm(script));
		while (!existsSync(begun!)) await sleep(100);
		started.interrupt();
		assert.equal(await started.ended, 130, started.output());
		await sleep(4000);
		assert.ok(!existsSync(wentOn!));
	});
});

describe('npm start reports', () => {
	for (const [name, option] of [
		['editor', '--port'],
		['sandbox', '--sandbox-port'],
	] as const) {
		it(`that the port of the ${name} is taken`, async () => {
			const other = createServer();
			await new Promise<void>((resolve) => other.listen(ports[name], '127.0.0.1', resolve));
			const words = await failedOutput([]);
			await new Promise((resolve) => other.close(resolve));
			assert.match(words, new RegExp(`^Port ${ports[name]} is taken.*npm start -- ${option} PORT`));
		});
	}

	it('that a port is taken before anything is built', async () => {
		const other = createServer();
		await new Promise<void>((resolve) => other.listen(ports.editor, '127.0.0.1', resolve));
		const built = await stat(join(root, 'dist'));
		const { code, output } = await npm(['start', '--', '--port', String(ports.editor)], root);
		await new Promise((resolve) => other.close(resolve));
		assert.equal(code, 1);
		assert.match(output, new RegExp(`Port ${ports.editor} is taken`));
		assert.equal((await stat(join(root, 'dist'))).mtimeMs, built.mtimeMs);
	});

	it('that a port is invalid', async () =>
		assert.match(
			await failedOutput(['--port', 'abc'], {}, 2),
			/^--port must be a number from 1 to 65535, not "abc"/,
		));

	it('that npm is too old', async () =>
		assert.match(
			await failedOutput(['--n8n', '0.0.0'], await withNpm('echo 8.19.4')),
			/npm 8\.19\.4 is too old.*npm install --global npm@latest/,
		));

	const failingNpm = (output: string) =>
		`if [ "$1" = --version ]; then echo 11.0.0; else echo "${output}"; exit 1; fi`;

	it('that the compiler is missing', async () =>
		assert.match(
			await failedOutput(['--n8n', '0.0.1'], await withNpm(failingNpm('gyp ERR! find Python'))),
			/without python3, make, and a C\+\+ compiler\..*apt-get install build-essential python3/,
		));

	it('that nothing is compiled in a folder whose path contains a space', async () => {
		const output = 'prebuild-install warn install getaddrinfo ENOTFOUND github.com\ngyp ERR! build error';
		const PLAYGROUND_DATA = join(folder, 'my data');
		assert.match(
			await failedOutput(['--n8n', '0.0.4'], { ...(await withNpm(failingNpm(output))), PLAYGROUND_DATA }),
			/path contains a space: move the clone/,
		);
	});

	it('that the disk is full', async () =>
		assert.match(
			await failedOutput(['--n8n', '0.0.2'], await withNpm(failingNpm('npm error code ENOSPC'))),
			/The disk is full: make room/,
		));

	it('that the registry has no such version', async () =>
		assert.match(
			await failedOutput(['--n8n', '0.0.3'], await withNpm(failingNpm('npm error code ETARGET'))),
			/The registry lacks that version.*--n8n/,
		));
});
