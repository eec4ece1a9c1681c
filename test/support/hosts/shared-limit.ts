/** A service with a rate limit, and processes that share it. Each process has its own throttle; waits take no real time. */
import type { Clock } from '../clock.ts';

interface LimitedResponse {
	status: number;
	headers: Record<string, string>;
}

/** A process's throttle, as far as it is used here. */
interface Throttle {
	permit(wait: { maxWaitMs: number }, again?: boolean): Promise<unknown>;
	finish(response: LimitedResponse): void;
}

/** The tested runtime: from the sources or from the build. */
export interface Runtime {
	clock: Clock;
	Throttle: new () => Throttle;
}

/** The same random numbers in every run (mulberry32). */
const dice = (seed: number) => (): number => {
	seed = (seed + 0x6d2b79f5) | 0;
	let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
	return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

export interface Limit {
	count: number;
	/** The length of a window. */
	seconds: number;
	/** Whether windows begin with the clock's minutes, hours…, and not with the first request. */
	aligned?: boolean;
	/** Whether reset times are in milliseconds. */
	precise?: boolean;
}

/** A service with fixed windows and whole-second reset times, as the link service is. */
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

/** The number of remaining requests, for one process or for several that share it, as n8n's workers share executions. */
interface Queue {
	left: number;
}

export interface Process {
	queue: Queue;
	/** Its start, in seconds. */
	from?: number;
}

const CONCURRENCY = 5;

/** Makes requests in one process until its queue is empty. */
async function work(
	service: LimitedService,
	{ queue, from = 0 }: Process,
	{ clock, Throttle }: Runtime,
): Promise<void> {
	if (from > 0) await clock.sleep(from * 1000);
	const throttle = new Throttle();
	const travel = async (): Promise<void> => await clock.sleep(5 + 20 * clock.random());
	const sendOneByOne = async (): Promise<void> => {
		while (queue.left > 0) {
			queue.left -= 1;
			const patience = { maxWaitMs: Infinity };
			for (let again = false; ; again = true) {
				await throttle.permit(patience, again);
				await travel();
				const response = service.respond();
				await travel();
				throttle.finish(response);
				if (response.status === 200) break;
			}
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, sendOneByOne));
}

/** Lets processes make their requests. @returns how many were refused, and when each process had ended, in seconds */
export async function runProcesses(limit: Limit, runtime: Runtime, processes: Process[]) {
	const { clock } = runtime;
	clock.random = dice(1);
	const began = clock.now();
	const service = new LimitedService(limit, clock);
	const ends = processes.map(async (process) => {
		await work(service, process, runtime);
		return (clock.now() - began) / 1000;
	});
	const ended = await Promise.all(ends);
	return { refused: service.refused, ends: ended };
}
