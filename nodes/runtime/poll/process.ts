import { randomUUID } from 'crypto';
import { digestOf, type State } from './state';

/** A poll in progress. */
export interface RunningPoll {
	/** Whether it is the first poll of its node in this process. */
	readonly isFirst: boolean;
	/** Whether it has ended, at n8n's time limit at the latest. Then it must not save or emit anything. */
	isOver: boolean;
}

/**
 * The memory of this process about its polls, by node. n8n's durable scheduler doesn't save the state of a poll without
 * items, so it is kept here.
 */
export class PollingProcess {
	/** Identifies the process. */
	readonly instance: string = randomUUID();
	/** The state after the last poll without items, and the digest of the state that n8n had saved before it. */
	private readonly unsaved = new Map<string, { base: string; state: State }>();
	/** The nodes with a poll in progress. */
	private readonly running = new Set<string>();
	/** The nodes that were polled. */
	private readonly polled = new Set<string>();

	/** `startedAt` in epoch milliseconds. */
	constructor(readonly startedAt: number) {}

	/** The state after the last poll without items, unless n8n has saved another one since. */
	recall(nodeKey: string, saved: unknown): State | undefined {
		const known = this.unsaved.get(nodeKey);
		return known?.base === digestOf(saved) ? known.state : undefined;
	}

	remember(nodeKey: string, saved: unknown, state: State): void {
		this.unsaved.set(nodeKey, { base: digestOf(saved), state });
	}

	/** Forgets the state after a poll with items, because n8n saves that state. */
	forget(nodeKey: string): void {
		this.unsaved.delete(nodeKey);
	}

	/** Starts a poll; undefined if another poll of the node is in progress, because n8n doesn't wait for its end. */
	begin(nodeKey: string): RunningPoll | undefined {
		if (this.running.has(nodeKey)) return undefined;
		const isFirst = !this.polled.has(nodeKey);
		this.running.add(nodeKey);
		this.polled.add(nodeKey);
		return { isFirst, isOver: false };
	}

	end(nodeKey: string, poll: RunningPoll): void {
		poll.isOver = true;
		this.running.delete(nodeKey);
	}
}

/** This process. Tests replace all its members to simulate a restart of n8n. */
export const thisProcess = new PollingProcess(performance.timeOrigin);
