/**
 * Loaded before every test file, and before the build: what the switches of mutants ask. `MUTANT` is the one that is
 * on; `MUTATION_RECORD` the file to which each test file and the build tell which of them asked.
 */
const { appendFileSync } = require('node:fs');

const mutant = Number(process.env.MUTANT);
const asked = new Set();

globalThis.isMutant = (number) => {
	asked.add(number);
	return number === mutant;
};

const writeReached = (file) => {
	const record = process.env.MUTATION_RECORD;
	if (record) appendFileSync(record, `${JSON.stringify({ file, asked: [...asked] })}\n`);
};

if (globalThis.afterAll) globalThis.afterAll(() => writeReached(globalThis.expect.getState().testPath));
else process.on('exit', () => writeReached('build'));
