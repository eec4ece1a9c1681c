import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const main = join(__dirname, '../../../sandbox/main.ts');

/** A sandbox in a separate process, as `npm run sandbox` starts it. */
export interface SandboxProcess {
	child: ChildProcess;
	/** Its output so far. */
	output(): string;
	linksUrl: string;
}

/** Starts a sandbox and waits until it has printed its address. */
export function startProcess(...args: string[]): Promise<SandboxProcess> {
	return whenReady(spawn(process.execPath, [main, '--port', '0', ...args], { stdio: 'pipe' }));
}

const started: ChildProcess[] = [];

/** Kills the processes that a failed test has left running. */
export function killAll(): void {
	for (const child of started.splice(0)) child.kill('SIGKILL');
}

async function whenReady(child: ChildProcessWithoutNullStreams): Promise<SandboxProcess> {
	started.push(child);
	let output = '';
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
	child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
	while (!output.includes('\n')) {
		await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
		if (child.exitCode !== null)
			throw new Error(`The sandbox ended with ${child.exitCode}: ${output}${errors}`);
	}
	const [linksUrl = ''] = /http:\/\/\S+\/links/.exec(output) ?? [];
	return { child, output: () => output, linksUrl };
}

/** Sends the signal and waits until the process has ended. @returns exit code and signal */
export async function end({ child }: SandboxProcess, signal: NodeJS.Signals): Promise<unknown[]> {
	const exit = once(child, 'exit');
	child.kill(signal);
	return exit;
}

/** Runs the sandbox until it exits by itself. */
export async function run(...args: string[]): Promise<{ code: unknown; output: string; errors: string }> {
	const child = spawn(process.execPath, [main, ...args]);
	let output = '';
	let errors = '';
	child.stdout.on('data', (text) => (output += String(text)));
	child.stderr.on('data', (text) => (errors += String(text)));
	const [code] = (await once(child, 'close')) as unknown[];
	return { code, output, errors };
}
