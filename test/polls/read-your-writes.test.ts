/** Every write times the reads and events that could show it, on the sandbox. */
import { readYourWrites, type Row } from '../../check/read-your-writes.ts';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { PASSWORD, startEngine, USER } from '../support/nodes/reader-node';

const notOffered = {
	wild: [
		'Story: Mark as Unread by Days',
		'Feed: Add Many',
		'Feed: Mute',
		'Feed: Unmute',
		'Saved Story: Rename Tag',
		'Saved Story: Delete Tag',
		'Auto Mark Read: Set',
	],
	'2026': [],
};

it.each(['wild', '2026'] as const)(
	'shows each write at once (%s)',
	async (variant) => {
		const engine = await startEngine();
		const sandbox = await ReaderSandbox.start({ variant, plan: 'archive' });
		const account = { engine, baseUrl: sandbox.baseUrl, username: USER, password: PASSWORD };
		const rows: Row[] = [];
		for await (const row of readYourWrites(account)) {
			rows.push(row);
			// The service tells activities of the same kind apart by their dates.
			sandbox.client.clock.advance(60_000);
		}
		const failed = rows.filter(({ missing, unchanged }) => missing.length + unchanged.length > 0);
		expect(failed).toEqual([]);
		expect(rows.filter(({ skipped }) => skipped).map(({ write }) => write)).toEqual(notOffered[variant]);
	},
	600_000,
);
