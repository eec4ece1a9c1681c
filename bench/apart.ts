/** Runs measurements, each in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Runs a file of measurements in its own process and returns its result. The exit code is ignored, because n8n's expression engine may crash at the end. */
export async function apart<Result>(file: string, ...args: string[]): Promise<Result> {
	const child = fork(file, args, { execArgv: ['--expose-gc'] });
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`Measuring ${args.join(' ')} ended with ${code}`);
	});
	const [result] = (await Promise.race([once(child, 'message'), ended])) as [Result];
	child.kill('SIGKILL');
	return result;
}

/** Sends the result from such a process. */
export const report = (result: object): void => void process.send?.(result);
