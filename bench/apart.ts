/** Runs measurements in separate processes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Runs a file in a new process. @returns what it reports; the exit code is ignored, because n8n's expression engine may crash at the end */
export async function apart<Result>(file: string, ...args: string[]): Promise<Result> {
	const child = fork(file, args, { execArgv: ['--expose-gc'] });
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`Measuring ${args.join(' ')} ended with ${code}`);
	});
	const [result] = (await Promise.race([once(child, 'message'), ended])) as [Result];
	child.kill('SIGKILL');
	return result;
}

/** Sends the result to the parent process. */
export const report = (result: object): void => void process.send?.(result);
