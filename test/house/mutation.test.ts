/** Every entry in the list of equivalent mutations is a change that `npm run test:mutation` makes. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EQUIVALENT } from '../mutation/equivalent.ts';
import { keyOf, mutantsOf } from '../mutation/mutants.ts';

const root = resolve(__dirname, '../..');

it.each(Object.keys(EQUIVALENT))('%s is a change of the code', (key) => {
	const [file = ''] = key.split(' | ');
	const mutants = mutantsOf(file, readFileSync(join(root, file), 'utf8'));
	expect(mutants.map(keyOf)).toContain(key);
});
