/** Options of the property tests. By default, every run uses the same cases. */
const factor = Number(process.env.RANDOM_TIMES ?? 0);
// More cases take more time, even on a fast machine.
if (factor > 0) jest.setTimeout(60_000 * factor);

/**
 * Options of fast-check for a number of cases with a fixed seed. The environment variable RANDOM_TIMES=N multiplies
 * the number by N and draws a new seed for each run, to search for unknown bugs.
 */
export const propertyOptions = (count: number): { numRuns: number; seed?: number } =>
	factor > 0 ? { numRuns: count * factor } : { numRuns: count, seed: 1 };
