/** Simulates processes that share the rate limit of one service. Each process has its own throttle; no real time passes. */
import type { Clock } from '../clock.ts';

interface LimitedResponse {
	status: number;
	headers: Record<string, string>;
}

/** The methods of a process's throttle that the simulation uses. */
interface Throttle {
	permit(place: { waiting: { maxWaitMs: number } }): Promise<unknown>;
	finish(response: LimitedResponse): void;
}

/** The runtime under test, from the sources or from the build. */
export interface Runtime {
	clock: Clock;
	Throttle: new () => Throttle;
}

/** A seeded random number generator (mulberry32): the same numbers in every run. */
const seededRandom = (seed: number) => (): number => {
	seed = (seed + 0x6d2b79f5) | 0;
	let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
	return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

export interface Limit {
	count: number;
	/** The length of a window, in seconds. */
	seconds: number;
	/** Whether windows begin at whole minutes, hours… instead of at the first request. */
	aligned?: boolean;
	/** Whether reset times are sent in milliseconds instead of seconds. */
	precise?: boolean;
}

/** A service with fixed windows, like the link service. */
export class LimitedService {
	served = 0;
	refused = 0;
	#resetAt = 0;
	#used = 0;
	readonly #limit: Limit;
	readonly #clock: Clock;

	constructor(limit: Limit, clock: Clock) {
		this.#limit = limit;
		this.#clock = clock;
	}

	respond(): LimitedResponse {
		const { count } = this.#limit;
		const now = this.#clock.now();
		if (now >= this.#resetAt) [this.#resetAt, this.#used] = [this.#nextReset(now), 0];
		const allowed = this.#used < count;
		if (allowed) this.#used += 1;
		this[allowed ? 'served' : 'refused'] += 1;
		const retryAfter = { 'retry-after': String(Math.ceil((this.#resetAt - now) / 1000)) };
		return {
			status: allowed ? 200 : 429,
			headers: {
				'x-ratelimit-limit': String(count),
				'x-ratelimit-remaining': String(count - this.#used),
				'x-ratelimit-reset': String(Math.ceil(this.#limit.precise ? this.#resetAt : this.#resetAt / 1000)),
				...(!allowed && retryAfter),
			},
		};
	}

	#nextReset(now: number): number {
		const length = this.#limit.seconds * 1000;
		return this.#limit.aligned ? (Math.floor(now / length) + 1) * length : now + length;
	}
}

/** Requests to send, of one process or of several that share them, as n8n's workers share executions. */
interface Queue {
	remaining: number;
}

export interface Process {
	queue: Queue;
	/** When the process starts, in seconds. */
	startsAt?: number;
}

const CONCURRENCY = 5;

/** Sends the requests of one process until its queue is empty. */
async function work(
	service: LimitedService,
	{ queue, startsAt = 0 }: Process,
	{ clock, Throttle }: Runtime,
): Promise<void> {
	if (startsAt > 0) await clock.sleep(startsAt * 1000);
	const throttle = new Throttle();
	const transfer = async (): Promise<void> => await clock.sleep(5 + 20 * clock.random());
	const sendSequentially = async (): Promise<void> => {
		while (queue.remaining > 0) {
			queue.remaining -= 1;
			const place = { waiting: { maxWaitMs: Infinity } };
			for (;;) {
				await throttle.permit(place);
				await transfer();
				const response = service.respond();
				await transfer();
				throttle.finish(response);
				if (response.status === 200) break;
			}
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, sendSequentially));
}

/** Runs processes. @returns how many requests were refused, and when each process ended, in seconds */
export async function runProcesses(limit: Limit, runtime: Runtime, processes: Process[]) {
	const { clock } = runtime;
	clock.random = seededRandom(1);
	const startedAt = clock.now();
	const service = new LimitedService(limit, clock);
	const ends = processes.map(async (process) => {
		await work(service, process, runtime);
		return (clock.now() - startedAt) / 1000;
	});
	const ended = await Promise.all(ends);
	// Read after all processes have ended.
	return { refused: service.refused, ends: ended };
}
