/**
 * Loaded before every test file and before the build: the switches of the mutants. `MUTANT` is the number of the mutant
 * that is on. `MUTATION_RECORD` is the file to which each test file and the build write the mutants that they reached.
 */
const { appendFileSync } = require('node:fs');

const mutant = Number(process.env.MUTANT);
const reached = new Set();

globalThis.isMutant = (number) => {
	reached.add(number);
	return number === mutant;
};

const writeReached = (file) => {
	const record = process.env.MUTATION_RECORD;
	if (record) appendFileSync(record, `${JSON.stringify({ file, reached: [...reached] })}\n`);
};

if (globalThis.afterAll) globalThis.afterAll(() => writeReached(globalThis.expect.getState().testPath));
else process.on('exit', () => writeReached('build'));
