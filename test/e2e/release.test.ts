/** What is published follows from the sources alone: whoever builds them gets the same package, byte by byte. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { root } from '../../playground/settings.ts';

const temporary = mkdtempSync(join(tmpdir(), 'newslink-release-'));
after(() => rmSync(temporary, { recursive: true }));

/** The package built and packed in a folder of its own, at another time. */
function packedIn(folder: string): Buffer {
	const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
	});
	for (const file of sources.toString().split('\0').filter(Boolean))
		cpSync(join(root, file), join(folder, file));
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	const run = (command: string, ...words: string[]): string =>
		execFileSync(command, words, { cwd: folder, encoding: 'utf8' });
	run('npm', 'run', '--silent', 'build');
	const [{ filename }] = JSON.parse(run('npm', 'pack', '--silent', '--json')) as [{ filename: string }];
	return readFileSync(join(folder, filename));
}

it('packs the same bytes twice', () => {
	const [one, other] = ['one', 'elsewhere/other'].map((name) => packedIn(join(temporary, name)));
	assert.ok(one!.equals(other!));
});
