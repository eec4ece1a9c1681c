/** Every write that makes stories unread, times the reads and events that could show it, on the sandbox. */
import { readYourWrites } from '../../check/read-your-writes.ts';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { PASSWORD, startEngine, USER } from '../support/nodes/reader-node';

it.each(['wild', '2026'] as const)('shows each write at once (%s)', async (variant) => {
	const engine = await startEngine();
	const sandbox = await ReaderSandbox.start({ variant });
	try {
		const account = { engine, baseUrl: sandbox.baseUrl, username: USER, password: PASSWORD };
		const rows = await readYourWrites(account);
		expect(rows.filter(({ missing }) => missing.length > 0)).toEqual([]);
		const tried = rows.filter(({ skipped }) => skipped === undefined);
		expect(tried).toHaveLength(variant === 'wild' ? 4 : 6);
	} finally {
		await sandbox.stop();
	}
});
