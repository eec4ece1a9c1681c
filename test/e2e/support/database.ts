/** Starts Redis and PostgreSQL of Debian's packages for one test, in a temporary folder and on free ports. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../playground/n8n.ts';
import { endGroup, startGroup } from '../../../playground/processes.ts';
import { host, queueSettings } from '../../../playground/settings.ts';

const execute = promisify(execFile);

export interface Databases {
	/** Settings of n8n's queue mode. */
	environment: Record<string, string>;
	stop(): Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
	const folder = await mkdtemp(join(tmpdir(), 'newslink-databases-'));
	const redisPort = await freePort();
	const redis = startGroup(
		'redis-server',
		['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
		{ stdio: 'ignore' },
	);
	const postgres = await startPostgres(join(folder, 'postgres'));
	return {
		environment: {
			...queueSettings(
				{ host, port: redisPort },
				{ host, port: postgres.port, database: 'postgres', user: 'postgres' },
			),
			// n8n 3.0 always does this, and has no setting for it.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		},
		stop: async () => {
			await endGroup(redis);
			await endGroup(postgres.process);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Starts PostgreSQL, as another user if this process is root, because PostgreSQL refuses to run as root. */
async function startPostgres(data: string): Promise<{ port: number; process: ChildProcess }> {
	const programs = await postgresPrograms();
	const port = await freePort();
	const identity = process.getuid?.() === 0 ? await userIds('postgres') : undefined;
	await rm(data, { recursive: true, force: true });
	if (identity) await chown(join(data, '..'), identity.uid, identity.gid);
	await waitForSuccess(
		spawn(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'], {
			...identity,
			cwd: tmpdir(),
			stdio: 'ignore',
		}),
	);
	const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${data}`, 'fsync=off'];
	const child = startGroup(
		join(programs, 'postgres'),
		['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
		{ ...identity, cwd: tmpdir(), stdio: 'ignore' },
	);
	for (let attempt = 0; ; attempt++) {
		const { code } = await execute(join(programs, 'pg_isready'), [
			'-h',
			'127.0.0.1',
			'-p',
			String(port),
		]).then(
			() => ({ code: 0 }),
			(error: { code: number }) => ({ code: error.code }),
		);
		if (code === 0) return { port, process: child };
		if (attempt > 100) throw new Error('PostgreSQL is not ready after 20 seconds');
		await sleep(200);
	}
}

/** The folder of PostgreSQL's programs, which Debian does not put in the PATH. */
async function postgresPrograms(): Promise<string> {
	const root = '/usr/lib/postgresql';
	const [version] = existsSync(root) ? (await readdir(root)).sort().reverse() : [];
	if (version === undefined)
		throw new Error('There is no PostgreSQL here. On Debian: "apt-get install postgresql redis-server".');
	return join(root, version, 'bin');
}

async function userIds(name: string): Promise<{ uid: number; gid: number }> {
	const [uid, gid] = await Promise.all(
		['-u', '-g'].map(async (flag) => Number((await execute('id', [flag, name])).stdout)),
	);
	return { uid: uid!, gid: gid! };
}

async function waitForSuccess(child: ChildProcess): Promise<void> {
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject).once('close', resolve);
	});
	if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
}
