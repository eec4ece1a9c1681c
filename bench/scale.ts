/** `npm run bench:scale`: measures triggers and the rate limit with accounts of any size. */
import { join } from 'node:path';
import { runCommand } from '../scripts/command.ts';
import { apart } from './apart.ts';
import { publish } from './pages.ts';

/** Runs each measurement in a separate process. */
async function measureAll<Result extends object>(measurements: Record<string, () => Promise<Result>>) {
	const results: Array<Result & { name: string }> = [];
	for (const name of Object.keys(measurements)) {
		const result = await apart<Result>(join(import.meta.dirname, 'scale-jobs.ts'), name);
		console.log(name, result);
		results.push({ name, ...result });
	}
	return results;
}

await runCommand(
	{
		name: 'npm run bench:scale',
		description:
			'Measures triggers on very large accounts, many workflows on one account, and many workers on one key, with made-up\nservices and a virtual clock. Takes minutes. Prints the figures as Markdown.',
		options: { write: { help: 'keep the figures in bench/scale.json and write docs/scale.md' } },
		needsBuild: true,
	},
	async ({ write }) => {
		// Imported here, because it imports the built package.
		const { accounts, crowds, processes } = await import('./scale-jobs.ts');
		const results = {
			accounts: await measureAll(accounts),
			crowds: await measureAll(crowds),
			processes: await measureAll(processes),
		};
		await publish('bench/scale.json', results, write);
	},
);
