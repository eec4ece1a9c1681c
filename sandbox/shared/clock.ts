/** Where the sandbox takes the time from, in milliseconds since the epoch; tests hand in their own. */
export interface Clock {
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
