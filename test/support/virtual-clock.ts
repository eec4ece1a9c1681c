/** What waiting goes by in the runtime. */
interface Clock {
	now(): number;
	uptime(): number;
	sleep(ms: number): Promise<void>;
	random(): number;
}

export interface VirtualClock {
	/** Milliseconds since the clock was put in place. */
	elapsed(): number;
	/** Sets the clock by this many milliseconds; time goes on as before. */
	set(ms: number): unknown;
	restore(): void;
}

/** Noon, UTC, and 250 ms: a moment that is no whole second. */
export const START = Date.UTC(2030, 5, 1, 12) + 250;

/** Makes a clock jump to the next moment that anybody waits for, instead of letting time pass. */
export function makeVirtual(clock: Clock): VirtualClock {
	const real = { ...clock };
	const sleepers: Array<{ at: number; wake: () => void }> = [];
	let elapsed = 0;
	let shift = 0;
	const jump = (): void => {
		sleepers.sort((a, b) => a.at - b.at);
		const next = sleepers.shift();
		if (!next) return;
		elapsed = Math.max(elapsed, next.at);
		next.wake();
	};
	Object.assign(clock, {
		now: () => START + elapsed + shift,
		uptime: () => elapsed,
		sleep: async (ms: number) => {
			await new Promise<void>((wake) => {
				sleepers.push({ at: elapsed + ms, wake });
				setImmediate(jump);
			});
		},
		random: () => 0.5,
	});
	return {
		elapsed: () => elapsed,
		set: (ms) => (shift += ms),
		restore: () => Object.assign(clock, real),
	};
}
