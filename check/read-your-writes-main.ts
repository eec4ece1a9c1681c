/** `npm run check:writes`: tries whether reads and events show writes at once, with an account of a NewsBlur server. */
import { join } from 'node:path';
import { createEngine } from '../engine/index.ts';
import { CommandError, runCommand, UsageError } from '../scripts/command.ts';
import { readYourWrites } from './read-your-writes.ts';

await runCommand(
	{
		name: 'npm run check:writes',
		description:
			'Tries whether reads and events show a write at once, on a NewsBlur server. It deletes a feed of the account, adds it again, and marks its stories.',
		options: {
			url: { value: 'URL', help: 'the address of the server' },
			user: { value: 'NAME', help: 'the name of a test account' },
			password: { value: 'TEXT', default: '', help: 'its password' },
			feed: { value: 'URL', help: 'the address of a subscribed feed with a story of the last day' },
		},
		needsBuild: true,
	},
	async ({ url, user, password, feed }) => {
		if (!url || !user) throw new UsageError('--url and --user are needed.');
		const engine = await createEngine({ packageDirs: [join(import.meta.dirname, '..')] });
		try {
			const rows = await readYourWrites({ engine, baseUrl: url, username: user, password }, feed);
			for (const { write, missing, skipped } of rows) {
				const result =
					skipped ?? (missing.length > 0 ? `not shown by ${missing.join(', ')}` : 'shown by all reads');
				console.log(`${write}: ${result}`);
			}
			if (rows.some(({ missing }) => missing.length > 0)) throw new CommandError('Some reads miss a write.');
		} finally {
			await engine.close();
		}
	},
);
