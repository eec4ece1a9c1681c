/** Starts and stops the programs of the playground. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The exit code and the output of a program. */
export interface ProcessResult {
	code: number | null;
	output: string;
}

/** Runs a program and collects its output. The program ends with this process. */
export async function run(
	command: string,
	args: readonly string[],
	options: SpawnOptions = {},
): Promise<ProcessResult> {
	const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	const chunks: Buffer[] = [];
	child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
	child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
	const kill = () => child.kill('SIGKILL');
	process.once('exit', kill);
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	}).finally(() => process.off('exit', kill));
	return { code, output: Buffer.concat(chunks).toString() };
}

/** Runs the npm that started this process, or the one in the PATH. */
export async function npm(args: readonly string[], folder: string): Promise<ProcessResult> {
	const npmScript = process.env.npm_execpath;
	const [command, ...first] = npmScript?.endsWith('.js') ? [process.execPath, npmScript] : ['npm'];
	return await run(command!, [...first, ...args], { cwd: folder });
}

/** Whether a program is in the PATH. */
export const isInstalled = (program: string): boolean =>
	(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Starts a program in a new process group: Ctrl+C then reaches only this process, which ends the whole group. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
	return spawn(command, args, { ...options, detached: true });
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
	exitCode !== null || signalCode !== null;

/** Sends SIGTERM to a process group, waits, then kills the remaining processes. */
export async function endGroup(child: ChildProcess, timeoutMilliseconds = 20_000): Promise<void> {
	if (!hasEnded(child)) {
		const ended = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGTERM');
		const timer = setTimeout(() => killGroup(child), timeoutMilliseconds);
		await ended;
		clearTimeout(timer);
	}
	killGroup(child);
}

/** Kills a process group with SIGKILL. */
export function killGroup({ pid }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// The group has already ended.
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}
