/** `npm run bench:scale`: the cost of triggers and the rate limit on accounts of any size. */
import { join } from 'node:path';
import { runCommand } from '../scripts/command.ts';
import { apart } from './apart.ts';
import { publish } from './pages.ts';

/** Does each measurement in a process of its own. */
async function all<Result extends object>(wanted: Record<string, () => Promise<Result>>) {
	const results: Array<Result & { name: string }> = [];
	for (const name of Object.keys(wanted)) {
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
		// Imports the built package, so not before the build.
		const { accounts, crowds, processes } = await import('./scale-jobs.ts');
		const results = {
			accounts: await all(accounts),
			crowds: await all(crowds),
			processes: await all(processes),
		};
		await publish('bench/scale.json', results, write);
	},
);
