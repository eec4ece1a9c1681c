/** The list of mutations that no test can notice follows the code. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EQUIVALENT } from '../mutation/equivalent.ts';

const root = resolve(__dirname, '../..');

it.each(Object.keys(EQUIVALENT))('%s is a line of the code', (key) => {
	const [file, line] = key.split(' | ');
	const lines = readFileSync(join(root, file!), 'utf8').split('\n');
	expect(lines.map((each) => each.trim())).toContain(line);
});
