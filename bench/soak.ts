/** `npm run bench:soak`: searches for leaks in a process that polls and runs workflows for a while. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { parseCount, runCommand } from '../scripts/command.ts';
import {
	post,
	SAMPLES,
	SCANS_PER_ROUND,
	STORIES_PER_ROUND,
	type Addresses,
	type Sample,
} from './soak-process.ts';

/** The maximum growth between two groups of three samples that garbage collection can cause. */
const MAX_GROWTH = 1.02;

const printed = ({ rounds, emittedCount, memory, sockets, state }: Sample): string =>
	[rounds, emittedCount, `${(memory / 1e6).toFixed(1)} MB`, sockets, `${(state / 1e3).toFixed(1)} kB`]
		.map((cell) => String(cell).padStart(14))
		.join('');

/** The measurements that grew in the last samples, after all triggers have reached their limits. */
function growthOf(samples: Sample[]): string[] {
	const [earlier, later] = [samples.slice(-6, -3), samples.slice(-3)];
	const least = (part: Sample[], measure: 'memory' | 'sockets' | 'state'): number =>
		Math.min(...part.map((sample) => sample[measure]));
	return (['memory', 'sockets', 'state'] as const).filter(
		(measure) => least(later, measure) > least(earlier, measure) * MAX_GROWTH,
	);
}

async function watch(minutes: number): Promise<void> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const { link } = await post(`${sandbox.linksUrl}/api/qr/add`, { type: 'text', data: 'soak' });
	const code = String(link).split('/').at(-1)!;
	await post(`${sandbox.readerUrl}/sandbox/settings`, { fetch_seconds: 0 });
	const addresses = {
		links: sandbox.linksUrl,
		reader: sandbox.readerUrl,
		code,
		feedId: 1,
		minutes,
	} satisfies Addresses;
	const child = fork(join(import.meta.dirname, 'soak-process.ts'), [JSON.stringify(addresses)], {
		execArgv: ['--expose-gc'],
	});
	const samples: Sample[] = [];
	console.log(['rounds', 'emitted', 'memory', 'sockets', 'state'].map((cell) => cell.padStart(14)).join(''));
	child.on('message', (sample: Sample) => {
		samples.push(sample);
		console.log(printed(sample));
	});
	const exitCode = await new Promise<number | null>((resolve) => child.on('exit', resolve));
	await sandbox.close();
	const last = samples.at(-1);
	const faults = [
		...(exitCode === 0 && samples.length === SAMPLES ? [] : [`the process ended with ${exitCode}`]),
		...growthOf(samples).map((measure) => `${measure} grew`),
		...(last?.emittedCount === (last?.rounds ?? 0) * (STORIES_PER_ROUND + SCANS_PER_ROUND)
			? []
			: ['not every record was emitted exactly once']),
	];
	console.log(
		faults.length === 0 ? 'Nothing grew, and each record was emitted exactly once.' : faults.join('; '),
	);
	process.exitCode = faults.length;
}

await runCommand(
	{
		name: 'npm run bench:soak',
		description:
			'Polls triggers and runs workflows in one process, and checks that memory, sockets and saved state stop growing and that\neach new record is emitted exactly once.',
		options: { minutes: { value: 'MINUTES', default: '20', help: 'how long' } },
		needsBuild: true,
	},
	async ({ minutes }) => await watch(parseCount('minutes', minutes)),
);
