/** Tests the sandbox with an independent client of the interface: Debian's newsboat. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { ReaderClient } from '../support/clients/reader-client.ts';

const run = promisify(execFile);

/** The number of unread stories that newsboat counts after it has logged in and loaded all feeds. */
async function countUnread(baseUrl: string): Promise<number> {
	const folder = await mkdtemp(join(tmpdir(), 'newslink-newsboat-'));
	try {
		const settings = {
			'urls-source': 'newsblur',
			'newsblur-url': baseUrl,
			'newsblur-login': 'reader',
			'newsblur-password': 'sandbox-password',
			'cookie-cache': join(folder, 'cookies'),
		};
		const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}"\n`);
		await writeFile(join(folder, 'config'), lines.join(''));
		await writeFile(join(folder, 'urls'), '');
		const files = ['-C', 'config', '-u', 'urls', '-c', 'cache.db'];
		const newsboat = async (command: string) =>
			await run('newsboat', [...files, '-x', command], {
				cwd: folder,
				env: { ...process.env, HOME: folder },
			});
		await newsboat('reload');
		return Number.parseInt((await newsboat('print-unread')).stdout, 10);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

describe('newsboat', () => {
	for (const variant of ['contract', 'wild'] as const) {
		it(`logs in and counts unread stories (${variant})`, async () => {
			const sandbox = await startSandbox({ port: 0, variant });
			try {
				const reader = await ReaderClient.logIn(sandbox.readerUrl, 'reader');
				const unread = [...(await reader.unreadOfFetchedFeeds()).values()].flat().length;
				const counted = await countUnread(sandbox.readerUrl);
				// Real hosts have smaller pages, and newsboat reads only the first one of each feed.
				if (variant === 'contract') assert.equal(counted, unread);
				else assert.ok(counted > unread / 3 && counted <= unread, `${counted} of ${unread}`);
			} finally {
				await sandbox.close();
			}
		});
	}
});
