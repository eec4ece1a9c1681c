/** Programs that the playground runs. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The exit code and the output of a program. */
export interface Ended {
	code: number | null;
	output: string;
}

/** Runs a program to its end and keeps what it printed. */
export async function run(
	command: string,
	args: readonly string[],
	options: SpawnOptions = {},
): Promise<Ended> {
	const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	const chunks: Buffer[] = [];
	child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
	child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	});
	return { code, output: Buffer.concat(chunks).toString() };
}

/** Runs the npm that runs us, or the one in the PATH. */
export async function npm(args: readonly string[], folder: string): Promise<Ended> {
	const own = process.env.npm_execpath;
	const [command, ...first] = own?.endsWith('.js') ? [process.execPath, own] : ['npm'];
	return await run(command!, [...first, ...args], { cwd: folder });
}

/** Whether a program is in the PATH. */
export const isInstalled = (program: string): boolean =>
	(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Starts a program in a process group of its own, so that Ctrl+C reaches only us and we can end all it started. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
	return spawn(command, args, { ...options, detached: true });
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
	exitCode !== null || signalCode !== null;

/** Asks a process group to end, waits, and kills the rest. */
export async function endGroup(child: ChildProcess, patienceMilliseconds = 20_000): Promise<void> {
	if (!hasEnded(child)) {
		const ended = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGTERM');
		const impatience = setTimeout(() => killGroup(child), patienceMilliseconds);
		await ended;
		clearTimeout(impatience);
	}
	killGroup(child);
}

/** Ends a group at once, as a crash or the system would. */
export function killGroup({ pid }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// Nothing of the group is left.
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}
