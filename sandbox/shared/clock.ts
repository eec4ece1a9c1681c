/** Returns the current time in epoch milliseconds; tests replace it. */
export interface Clock {
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
