import { createHash, randomUUID } from 'crypto';
import { getOrCreate } from '../values';
import type { State } from './state';

/** A poll that takes longer than this is abandoned: it may hang. */
const ABANDONED_AFTER_MS = 600_000;

const stateHash = (saved: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(saved ?? null))
		.digest('base64');

/** A poll in progress. */
export interface RunningPoll {
	end(): void;
	/** Whether it took too long: then it must not save or emit anything. */
	isAbandoned(): boolean;
}

/** How n8n calls a poll. */
export interface Call {
	/** n8n's context object. */
	context: object;
	/** Whether n8n uses the same context until the workflow is deactivated. Its durable scheduler makes new ones. */
	isLasting: boolean;
	/** Whether n8n activates the workflow because it was changed while it was active. */
	isUpdate: boolean;
}

/**
 * The memory of this process about its polls, by node. n8n's durable scheduler doesn't save the state of a poll without
 * items, so it is kept here.
 */
export class PollingProcess {
	/** Identifies the process. */
	readonly instance: string = randomUUID();
	/** The state after the last poll without items, and a hash of the state that n8n had saved before it. */
	private readonly unsaved = new Map<string, { base: string; state: State }>();
	private readonly running = new Map<string, { since: number }>();
	/** Since when the rate limit has prevented all progress of a node, on the monotonic clock. */
	private readonly refusedSince = new Map<string, number>();
	/** Nodes with a successful poll, and nodes with a temporary failure. */
	private readonly succeeded = new Set<string>();
	private readonly failed = new Set<string>();
	/** The contexts with which n8n has called a poll. */
	private readonly contexts = new WeakSet<object>();

	/** `startedAt` in epoch milliseconds. */
	constructor(readonly startedAt: number) {}

	/** The state after the last poll without items, unless n8n has saved another one since. */
	recall(nodeKey: string, saved: unknown): State | undefined {
		const known = this.unsaved.get(nodeKey);
		return known?.base === stateHash(saved) ? known.state : undefined;
	}

	remember(nodeKey: string, saved: unknown, state: State): void {
		this.unsaved.set(nodeKey, { base: stateHash(saved), state });
	}

	/** Forgets the state after a poll with items, because n8n saves that state. */
	forget(nodeKey: string): void {
		this.unsaved.delete(nodeKey);
	}

	/** Starts a poll; undefined if another poll of the node is in progress. `now` is on the monotonic clock. */
	begin(nodeKey: string, now: number): RunningPoll | undefined {
		const other = this.running.get(nodeKey);
		if (other && now - other.since < ABANDONED_AFTER_MS) return undefined;
		const own = { since: now };
		this.running.set(nodeKey, own);
		return {
			isAbandoned: () => this.running.get(nodeKey) !== own,
			end: () => {
				if (this.running.get(nodeKey) === own) this.running.delete(nodeKey);
			},
		};
	}

	/** Notes that a poll made progress. */
	clearRefusals(nodeKey: string): void {
		this.refusedSince.delete(nodeKey);
	}

	/** Notes that the rate limit prevented all progress of a poll. Returns for how long, in milliseconds. */
	noteRefusal(nodeKey: string, now: number): number {
		return now - getOrCreate(this.refusedSince, nodeKey, () => now);
	}

	/** Whether no poll of the node has succeeded in this process yet. */
	isFirstPoll(nodeKey: string): boolean {
		return !this.succeeded.has(nodeKey);
	}

	noteSuccess(nodeKey: string, { context }: Call): void {
		this.succeeded.add(nodeKey);
		this.contexts.add(context);
	}

	/**
	 * Notes a temporary failure. Returns whether to ignore it, because it would make the activation of the workflow fail.
	 * n8n activates a workflow with the first poll of a context. If each poll has a new context, only the node's first poll
	 * in this process can be the activation.
	 */
	noteFailure(nodeKey: string, { context, isLasting, isUpdate }: Call): boolean {
		const isActivation = !this.contexts.has(context) && (isLasting || !this.failed.has(nodeKey));
		this.contexts.add(context);
		this.failed.add(nodeKey);
		return isActivation && (this.isFirstPoll(nodeKey) || (isUpdate && isLasting));
	}
}

/** This process. Tests replace all its members to simulate a restart of n8n. */
export const thisProcess = new PollingProcess(performance.timeOrigin);
