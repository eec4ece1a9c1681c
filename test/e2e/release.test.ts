/** Tests that builds are reproducible: the same sources give the same packages, byte for byte. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { root } from '../../playground/settings.ts';
import { singlePackages } from '../../scripts/single-packages.ts';

const temporary = mkdtempSync(join(tmpdir(), 'newslink-release-'));
after(() => rmSync(temporary, { recursive: true }));

/** Builds and packs the three packages in this folder. @returns the hash of each */
function hashesOfBuildIn(folder: string): Record<string, string> {
	const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
	});
	for (const file of sources.toString().split('\0').filter(Boolean))
		cpSync(join(root, file), join(folder, file));
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	const run = (command: string, ...words: string[]): string =>
		execFileSync(command, words, { cwd: folder, encoding: 'utf8' });
	run('npm', 'run', '--silent', 'build');
	const packed = JSON.parse(
		run('npm', 'pack', '--silent', '--json', '.', ...singlePackages.map((single) => `./${single.folder}`)),
	) as Array<{ filename: string; integrity: string }>;
	return Object.fromEntries(packed.map(({ filename, integrity }) => [filename, integrity]));
}

it('packs the same bytes in two folders', () => {
	const [first, second] = ['one', 'other'].map((name) => hashesOfBuildIn(join(temporary, name)));
	assert.equal(Object.keys(first!).length, 3);
	assert.deepEqual(first, second);
});
