/**
 * `npm start`: starts the sandbox and a real n8n with the nodes, credentials and example workflows of both services.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { DataFileError, DataFileInUse, openDatabase } from '../sandbox/shared/database.ts';
import { newestVariant, type SandboxOptions } from '../sandbox/shared/options.ts';
import { installN8n } from './install.ts';
import { fillLinks } from './links.ts';
import { checkPort } from './n8n.ts';
import { packPackage } from './package.ts';
import { startPlayground } from './playground.ts';
import { buildPackage, CommandError, runCommand, UsageError, type Values } from '../scripts/command.ts';
import { dataFolder, host, owner, rateLimit } from './settings.ts';

const flags = {
	port: { value: 'PORT', default: '5678', help: `port of the editor at ${host}` },
	'sandbox-port': { value: 'PORT', default: '8787', help: 'port of the sandbox' },
	'allow-private': {
		help: 'let the sandbox also fetch feeds from private addresses, such as this machine',
	},
	reset: { help: 'delete the data of n8n and of the sandbox first' },
	n8n: { value: 'VERSION', help: 'another version of n8n than the pinned one, with its own data' },
	'no-n8n': { help: 'start only the sandbox' },
} as const;

function readPort(flag: string, text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port > 0 && port <= 65_535) return port;
	throw new UsageError(`--${flag} must be a number from 1 to 65535, not "${text}".`);
}

const say = (line: string) => console.log(line);

async function start(options: Values<typeof flags>): Promise<void> {
	const { n8n: version, reset } = options;
	const port = readPort('port', options.port);
	const sandboxPort = readPort('sandbox-port', options['sandbox-port']);
	const withN8n = !options['no-n8n'];
	// Fails before the slow steps.
	await checkPort(sandboxPort, '--sandbox-port');
	if (withN8n) await checkPort(port);
	const folder = join(
		dataFolder,
		version === undefined ? 'pinned' : `n8n-${version.replace(/[^\w.-]/g, '_')}`,
	);
	const data = join(folder, 'sandbox.sqlite');
	if (reset) {
		refuseIfInUse(data);
		await rm(folder, { recursive: true, force: true });
		say('Deleted the data of n8n and of the sandbox.');
	}
	await mkdir(folder, { recursive: true });
	const sandbox: Partial<SandboxOptions> = {
		variant: newestVariant,
		port: sandboxPort,
		data,
		rateLimit,
		allowPrivate: options['allow-private'],
	};
	if (!withN8n) return await runSandbox(sandbox);

	say('Building the package …');
	await buildPackage();
	const installation = await installN8n(version, say);
	const packed = await packPackage(folder);
	// From here on, Ctrl+C must stop n8n and the sandbox.
	const stopped = untilSignal();
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
	const reason = await Promise.race([stopped, playground.n8n.ended.then(() => 'n8n ended')]);
	say(`\n${reason}: stopping n8n and the sandbox …`);
	await playground.stop();
	say('Stopped. The next "npm start" continues with the same data.');
	if (!reason.startsWith('SIG')) process.exitCode = 1;
}

/** Fails if a playground that runs on other ports uses the data. An unusable file is no hindrance: it is deleted. */
function refuseIfInUse(data: string): void {
	try {
		openDatabase(data).close();
	} catch (error) {
		if (error instanceof DataFileInUse) throw error;
	}
}

async function runSandbox(options: Partial<SandboxOptions>): Promise<void> {
	const stopped = untilSignal();
	const sandbox = await startSandbox(options);
	say(`The sandbox runs at ${sandbox.url}. Ctrl+C stops it.`);
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
		['Sandbox', `${sandbox} (overview of both accounts)`],
		['  link service', `Base URL ${sandbox}/links, API key sandbox-api-key`],
		['  news reader', `Base URL ${sandbox}/reader-service, user reader, password sandbox-password`],
		["n8n's log", log],
	];
	return [
		'',
		styleText('green', 'Ready.'),
		...rows.map(([name, value]) => `  ${name!.padEnd(14)}  ${value}`),
		'',
		'  First: log in, open the workflow "Short links and QR codes for a reading list" and click Execute workflow.',
		'  Then open the sandbox: its overview shows the newest links and QR codes: click one to visit it.',
		'  Ctrl+C stops n8n and the sandbox.',
		'',
	].join('\n');
}

/** Adds advice to common failures. */
function explained(error: unknown): unknown {
	if (error instanceof DataFileError) return new CommandError(error.message);
	const isDiskFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
	return isDiskFull ? new CommandError('The disk is full. Free some space and start again.') : error;
}

await runCommand(
	{
		name: 'npm start',
		description:
			'Starts the sandbox and a real n8n that has this package, credentials for both services and the example workflows.\nThe first start installs n8n, which takes minutes; later starts continue with the same data. Ctrl+C stops everything.',
		options: flags,
	},
	async (options) => {
		try {
			await start(options);
		} catch (error) {
			throw explained(error);
		}
	},
);
