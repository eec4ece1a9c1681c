/** Every entry in the list of equivalent mutations refers to an existing line of code. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EQUIVALENT } from '../mutation/equivalent.ts';

const root = resolve(__dirname, '../..');

it.each(Object.keys(EQUIVALENT))('%s exists in the code', (key) => {
	const [file, line] = key.split(' | ');
	const lines = readFileSync(join(root, file!), 'utf8').split('\n');
	expect(lines.map((each) => each.trim())).toContain(line);
});
