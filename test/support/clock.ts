/**
 * The clocks of the tests. The first three replace the nodes' clock:
 *
 * makeVirtual   for operations: no real time passes; concurrent waits end in the order of their times
 * HeldClock     for triggers: advances when a test advances it between polls, or when the node waits
 * makeFast      for nodes and a server that both wait: many times as fast as real time
 * ManualClock   for the sandbox: advances only when a test advances it
 */
import { setTimeout as wait } from 'node:timers/promises';

/** The runtime's clock: all its waits use it. Times are milliseconds. */
export interface Clock {
	now(): number;
	uptime(): number;
	sleep(ms: number): Promise<void>;
	random(): number;
}

export interface VirtualClock {
	/** Milliseconds since the clock was replaced. */
	elapsed(): number;
	/** Adds this many milliseconds to the date. `uptime` does not change. */
	shiftDate(ms: number): unknown;
	restore(): void;
}

/** Noon UTC plus 250 ms, to test times that are not whole seconds. */
export const START = Date.UTC(2030, 5, 1, 12) + 250;

/** Makes a clock jump to the end of the next wait. No real time passes. */
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
		shiftDate: (ms) => (shift += ms),
		restore: () => Object.assign(clock, real),
	};
}

/** Makes a clock run `speed` times as fast. `waits` holds the milliseconds of every wait. */
export function makeFast(clock: Clock, speed = 100): { waits: number[]; restore(): void } {
	const real = { ...clock };
	const started = Date.now();
	const waits: number[] = [];
	Object.assign(clock, {
		now: () => started + (Date.now() - started) * speed,
		uptime: () => (Date.now() - started) * speed,
		sleep: async (ms: number) => {
			waits.push(ms);
			await wait(ms / speed);
		},
		random: () => 0,
	});
	return { waits, restore: () => Object.assign(clock, real) };
}

/** A clock that advances only when a test advances it, or when the code waits. */
export class HeldClock {
	now = Date.now();
	uptime = 0;
	readonly #clock: Clock;
	readonly #real: Clock;

	constructor(clock: Clock) {
		this.#clock = clock;
		this.#real = { ...clock };
	}

	/** Advances the clock. A negative number sets back the date, but not `uptime`. */
	advance(milliseconds: number): void {
		this.now += milliseconds;
		this.uptime += Math.max(milliseconds, 0);
	}

	hold(): void {
		this.now = Date.now();
		Object.assign(this.#clock, {
			now: () => this.now,
			uptime: () => this.uptime,
			sleep: async (ms: number) => {
				this.advance(ms);
				await new Promise((resolve) => setImmediate(resolve));
			},
		});
	}

	release(): void {
		Object.assign(this.#clock, this.#real);
	}
}

export const NOON = Date.UTC(2026, 8, 1, 12);
export const DAY_MS = 86_400_000;

/** A clock for the sandbox. It advances only when a test advances it. */
export class ManualClock {
	time = NOON;
	now(): number {
		return this.time;
	}
	advance(milliseconds: number): void {
		this.time += milliseconds;
	}
}
