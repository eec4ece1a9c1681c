/**
 * `npm start`: a real n8n editor with both services' nodes, credentials and example workflows, against the sandbox.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { startSandbox } from '../sandbox/server.ts';
import { DataFileError } from '../sandbox/shared/database.ts';
import type { SandboxOptions } from '../sandbox/shared/options.ts';
import { installN8n } from './install.ts';
import { fillLinks } from './links.ts';
import { checkPort } from './n8n.ts';
import { buildPackage, packPackage } from './package.ts';
import { startPlayground } from './playground.ts';
import { dataFolder, host, owner, PlaygroundError, rateLimit } from './settings.ts';

const help = `Usage: npm start -- [options]

Starts the sandbox and a real n8n that has this package, credentials for both services and the example workflows.
The first start installs n8n, which takes minutes; later ones find everything as it was. Ctrl+C stops all of it.

  --port PORT          port of the editor at ${host} (default 5678)
  --sandbox-port PORT  port of the sandbox (default 8787)
  --allow-private      let the sandbox fetch feeds from private addresses too, such as those of this machine
  --reset              start afresh: forget the data of n8n and of the sandbox
  --n8n VERSION        another n8n than the pinned one, with data of its own
  --no-n8n             only the sandbox
  --help               show this help`;

interface Options {
	port: number;
	sandboxPort: number;
	allowPrivate: boolean;
	reset: boolean;
	/** undefined for the pinned one. */
	version?: string;
	withN8n: boolean;
}

function readOptions(args: string[]): Options | 'help' {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '8787' },
			'allow-private': { type: 'boolean', default: false },
			reset: { type: 'boolean', default: false },
			n8n: { type: 'string' },
			'no-n8n': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return 'help';
	return {
		port: readPort('port', values.port),
		sandboxPort: readPort('sandbox-port', values['sandbox-port']),
		allowPrivate: values['allow-private'],
		reset: values.reset,
		version: values.n8n,
		withN8n: !values['no-n8n'],
	};
}

function readPort(flag: string, text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port > 0 && port <= 65_535) return port;
	throw new PlaygroundError(`--${flag} must be a number from 1 to 65535, not "${text}".`);
}

const say = (line: string) => console.log(line);

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options === 'help') return say(help);
	const { version, port, sandboxPort, allowPrivate } = options;
	// Before anything that takes long.
	await checkPort(sandboxPort, '--sandbox-port');
	if (options.withN8n) await checkPort(port);
	const folder = join(
		dataFolder,
		version === undefined ? 'pinned' : `n8n-${version.replace(/[^\w.-]/g, '_')}`,
	);
	if (options.reset) {
		await rm(folder, { recursive: true, force: true });
		say('The data of the last time is gone.');
	}
	await mkdir(folder, { recursive: true });
	const sandbox: Partial<SandboxOptions> = {
		port: sandboxPort,
		data: join(folder, 'sandbox.sqlite'),
		rateLimit,
		allowPrivate,
	};
	if (!options.withN8n) return await runSandbox(sandbox);

	const stopped = untilSignal();
	say('The package is built …');
	await buildPackage();
	const installation = await installN8n(version, say);
	const packed = await packPackage(folder);
	const playground = await startPlayground({
		installation,
		packed,
		folder,
		port,
		sandbox,
		say,
	});
	await fillLinks(playground.sandbox.linksUrl);
	say(welcome(playground.n8n.url, playground.sandbox.url, join(folder, 'n8n.log')));
	const reason = await Promise.race([stopped, playground.n8n.ended.then(() => 'n8n ended by itself')]);
	say(`\n${reason}: stopping …`);
	await playground.stop();
	say('All of it has stopped. "npm start" finds everything as it is now.');
	if (!reason.startsWith('SIG')) process.exitCode = 1;
}

async function runSandbox(options: Partial<SandboxOptions>): Promise<void> {
	const stopped = untilSignal();
	const sandbox = await startSandbox(options);
	say(`The sandbox answers at ${sandbox.url}. Ctrl+C stops it.`);
	await stopped;
	await sandbox.close();
}

async function untilSignal(): Promise<string> {
	return await new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
	});
}

function welcome(editor: string, sandbox: string, log: string): string {
	const rows = [
		['Editor', styleText('bold', editor)],
		['Log in with', `${owner.email}  ${owner.password}`],
		['Sandbox', `${sandbox} (what both accounts hold)`],
		['  link service', `${sandbox}/links  API key sandbox-api-key`],
		['  news reader', `${sandbox}/reader-service  user reader, password sandbox-password`],
		["n8n's log", log],
	];
	return [
		'',
		styleText('green', 'Ready.'),
		...rows.map(([name, value]) => `  ${name!.padEnd(14)}  ${value}`),
		'',
		'  First: log in, open the workflow "Short links and QR codes for a reading list" and click Execute workflow.',
		'  Then look at the sandbox: the links are there, with QR codes that can be scanned.',
		'  Ctrl+C stops n8n and the sandbox.',
		'',
	].join('\n');
}

/** Expected failures in a sentence, anything else whole. */
function fail(error: unknown): void {
	process.exitCode = 1;
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	if (error instanceof PlaygroundError || error instanceof DataFileError) console.error(error.message);
	else if (code.startsWith('ERR_PARSE_ARGS'))
		console.error(`${(error as Error).message} See npm start -- --help.`);
	else if (code === 'ENOSPC') console.error('The disk is full. Make room and start again.');
	else console.error(error);
}

main().catch(fail);
