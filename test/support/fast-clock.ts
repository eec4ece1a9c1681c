import { setTimeout as wait } from 'node:timers/promises';
import { clock } from './built';

/** Lets the runtime's waiting pass so many times as fast, and remembers what was waited. */
export function makeFast(speed = 100): { waits: number[]; restore(): void } {
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
