/** `npm run check:writes`: tries whether reads and events show writes at once, with an account of a NewsBlur server. */
import { join } from 'node:path';
import { createEngine } from '../engine/index.ts';
import { CommandError, runCommand, UsageError } from '../scripts/command.ts';
import { readYourWrites } from './read-your-writes.ts';

await runCommand(
	{
		name: 'npm run check:writes',
		description:
			'Tries whether reads and events show a write at once, on a NewsBlur server. It changes feeds, folders, marks, shares and follows of the account.',
		options: {
			url: { value: 'URL', help: 'the address of the server' },
			user: { value: 'NAME', help: 'the name of a test account' },
			password: { value: 'TEXT', default: '', help: 'its password; empty if it has none' },
			feed: { value: 'URL', help: 'the address of a subscribed feed with a story of the last day' },
		},
		needsBuild: true,
	},
	async ({ url, user, password, feed }) => {
		if (!url || !user) throw new UsageError('--url and --user are needed.');
		const engine = await createEngine({ packageDirs: [join(import.meta.dirname, '..')] });
		try {
			let missing = 0;
			for await (const row of readYourWrites({ engine, baseUrl: url, username: user, password }, feed)) {
				const all = row.shown.length + row.missing.length;
				console.log(`${row.write}: ${row.skipped ?? `shown by ${row.shown.length} of ${all} reads`}`);
				if (row.missing.length > 0) console.log(`  not shown by ${row.missing.join(', ')}`);
				if (row.unchanged.length > 0) console.log(`  the same before the write: ${row.unchanged.join(', ')}`);
				missing += row.missing.length;
			}
			if (missing > 0) throw new CommandError('Some reads miss a write.');
		} finally {
			await engine.close();
		}
	},
);
