/** How the property tests draw: the same cases in every run, so that what passed once passes again. */
const times = Number(process.env.RANDOM_TIMES ?? 0);
// More cases take more time, however fast the machine is.
if (times > 0) jest.setTimeout(60_000 * times);

/**
 * Options of fast-check for a number of cases with a fixed seed. With the environment variable RANDOM_TIMES=N
 * it is N times as many, of another seed each time: the way to search for what nobody thought of.
 */
export const draws = (count: number): { numRuns: number; seed?: number } =>
	times > 0 ? { numRuns: count * times } : { numRuns: count, seed: 1 };
