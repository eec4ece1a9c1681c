import { sleep } from 'n8n-workflow';

/** The clock of the runtime. Tests replace it by a faster one. */
export const clock = {
	/** Epoch milliseconds; jumps when the system clock is set. */
	now: (): number => Date.now(),
	/** Monotonic milliseconds, for durations. */
	uptime: (): number => performance.now(),
	sleep: async (ms: number): Promise<void> => await sleep(ms),
	random: (): number => Math.random(),
};

/** Waits are cut into slices of this length, so that cancelling an execution ends them. */
export const SLICE_MS = 1000;

/** Waits until the time is over or the execution is cancelled. */
export async function sleepUnlessCancelled(ms: number, signal?: AbortSignal): Promise<void> {
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		await clock.sleep(Math.min(left, SLICE_MS));
	}
}
