/** Starts a real n8n on loopback that sends no requests to other hosts. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { open, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroup, hasEnded, killGroup, startGroup } from './processes.ts';
import { CommandError } from '../scripts/command.ts';
import { host, packageSettings } from './settings.ts';

const startMilliseconds = 180_000;

/** Switches off telemetry, update checks and templates. */
const quietEnvironment = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
};

/** Modules that send requests to n8n's servers, or that the playground does not need. */
const unwantedModules = [
	'mcp-registry',
	'instance-ai',
	'mcp',
	'chat-hub',
	'agents',
	'agent-evals',
	'insights',
	'instance-reporting',
	'quick-connect',
	'workflow-builder',
	'breaking-changes',
];

/** The unwanted modules of this installation: n8n does not start if the list contains unknown ones. */
async function unwantedOf(installation: string): Promise<string[]> {
	const known = await readFile(
		join(installation, 'node_modules/@n8n/backend-common/dist/modules/modules.config.js'),
		'utf8',
	);
	return unwantedModules.filter((name) => known.includes(`'${name}'`));
}

export interface N8nOptions {
	/** Folder with n8n in its node_modules. */
	installation: string;
	/** Folder for `.n8n`. */
	userFolder: string;
	port: number;
	/** Log file for the output of n8n. */
	log: string;
	/** Additional settings of n8n. */
	environment?: Record<string, string>;
}

export interface N8n {
	url: string;
	process: ChildProcess;
	/** Resolves when n8n exits for any reason. */
	ended: Promise<void>;
	stop(): Promise<void>;
	/** Kills n8n and its child processes with SIGKILL. */
	kill(): Promise<void>;
}

/** The environment variables of n8n and its commands. */
export async function environmentOf({
	installation,
	userFolder,
	port,
	environment,
}: Omit<N8nOptions, 'log'>): Promise<NodeJS.ProcessEnv> {
	return {
		...withoutForeignSettings(process.env),
		...quietEnvironment,
		...packageSettings,
		N8N_DISABLED_MODULES: (await unwantedOf(installation)).join(','),
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: host,
		N8N_HOST: host,
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `http://${host}:${port}`,
		WEBHOOK_URL: `http://${host}:${port}`,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_RESTRICT_FILE_ACCESS_TO: join(userFolder, 'files'),
		NODE_ENV: 'production',
		...environment,
	};
}

/** Removes settings of another n8n on this machine, and npm settings, which n8n would pass to npm. */
function withoutForeignSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const isForeign = /^(npm_|N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_)/;
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !isForeign.test(name)));
}

export const commandOf = (installation: string): string =>
	join(installation, 'node_modules', 'n8n', 'bin', 'n8n');

/** Starts n8n and waits until it responds. @throws CommandError */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { installation, userFolder, port, log } = options;
	await checkPort(port);
	await mkdir(join(userFolder, 'files'), { recursive: true });
	await mkdir(dirname(log), { recursive: true });
	const file = await open(log, 'a');
	const child = startGroup(process.execPath, [commandOf(installation), 'start'], {
		cwd: userFolder,
		env: await environmentOf(options),
		stdio: ['ignore', file.fd, file.fd],
	});
	await file.close();
	const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
	const url = `http://${host}:${port}`;
	await untilReady(child, url, log);
	return {
		url,
		process: child,
		ended,
		stop: async () => await endGroup(child),
		kill: async () => {
			killGroup(child);
			await ended;
		},
	};
}

async function untilReady(child: ChildProcess, url: string, log: string): Promise<void> {
	const deadline = Date.now() + startMilliseconds;
	// Older versions report that they are ready before they serve the editor.
	while (!(await isResponding(`${url}/healthz/readiness`)) || !(await isResponding(`${url}/rest/settings`))) {
		if (hasEnded(child) || Date.now() > deadline) {
			killGroup(child);
			const what = hasEnded(child) ? 'ended while it started' : 'did not get ready in three minutes';
			const lines = (await readFile(log, 'utf8')).trim().split('\n').slice(-12);
			throw new CommandError(`n8n ${what}. The last lines of ${log} are:\n${lines.join('\n')}`);
		}
		await sleep(250);
	}
}

async function isResponding(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch (error) {
		// The connection is refused until n8n listens.
		if (error instanceof TypeError) return false;
		throw error;
	}
}

/** @param option the command option for another port, for the message @throws CommandError if the port is in use */
export async function checkPort(port: number, option = '--port'): Promise<void> {
	const failure = await listenOnce(port);
	if (failure === 'EADDRINUSE')
		throw new CommandError(
			`Port ${port} is taken, perhaps by another playground. Stop what uses it, or choose another with "npm start -- ${option} PORT".`,
		);
	if (failure === 'EACCES')
		throw new CommandError(
			`Port ${port} may not be used by this user. Choose another with "npm start -- ${option} PORT".`,
		);
}

/**
 * A free port that stays free until n8n listens on it, seconds later: a port below 32768,
 * from where systems take the ports of outgoing connections and those of "port 0".
 */
export async function freePort(): Promise<number> {
	const port = randomInt(10_000, 32_768);
	return (await listenOnce(port)) === undefined ? port : await freePort();
}

/** Listens on a port for a moment. Returns the code of the error if the port can't be used. */
async function listenOnce(port: number): Promise<'EADDRINUSE' | 'EACCES' | undefined> {
	const server = createServer().listen(port, host);
	try {
		await once(server, 'listening');
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRINUSE' || code === 'EACCES') return code;
		throw error;
	}
	server.close();
	await once(server, 'close');
	return undefined;
}
