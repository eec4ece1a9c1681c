/** Measurements that each take a process of their own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a file of measurements tells when it runs by itself. How that process ends says nothing: n8n's expression engine may crash it then. */
export async function apart<Result>(file: string, ...args: string[]): Promise<Result> {
	const child = fork(file, args, { execArgv: ['--expose-gc'] });
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`Measuring ${args.join(' ')} ended with ${code}`);
	});
	const [result] = (await Promise.race([once(child, 'message'), ended])) as [Result];
	child.kill('SIGKILL');
	return result;
}

/** Tells what was measured, in such a process. */
export const tell = (result: object): void => void process.send?.(result);
