import { randomUUID } from 'crypto';

/** This process, as a poll sees it; tests put another in its place. */
export const here = {
	instance: randomUUID() as string,
	/** Epoch milliseconds. */
	startedAt: performance.timeOrigin,
};
