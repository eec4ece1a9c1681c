import { randomUUID } from 'crypto';
import { digestOf, type State } from './state';

export interface RunningPoll {
	/** Whether it is the first poll of its node in this process. */
	readonly isFirst: boolean;
	/** Whether it has ended, at n8n's time limit at the latest. Then it must not save or emit anything. */
	isOver: boolean;
}

interface PolledNode {
	running?: RunningPoll;
	/** The state after the last poll without items, and the digest of the state that n8n had saved before it. */
	unsaved?: { base: string; state: State };
}

/** What this process knows of its polls: n8n's durable scheduler doesn't save the state of a poll without items. */
export class PollingProcess {
	readonly instance: string = randomUUID();
	private readonly nodes = new Map<string, PolledNode>();

	/** `startedAt` in epoch milliseconds. */
	constructor(readonly startedAt: number) {}

	/** Starts a poll; undefined if another poll of the node is in progress, because n8n doesn't wait for its end. */
	begin(nodeKey: string): RunningPoll | undefined {
		const node = this.nodes.get(nodeKey);
		if (node?.running) return undefined;
		const running = { isFirst: !node, isOver: false };
		this.nodes.set(nodeKey, { ...node, running });
		return running;
	}

	end(nodeKey: string, poll: RunningPoll): void {
		poll.isOver = true;
		this.nodes.set(nodeKey, { ...this.nodes.get(nodeKey), running: undefined });
	}

	/** The state after the last poll without items, unless n8n has saved another one since. */
	recall(nodeKey: string, saved: unknown): State | undefined {
		const unsaved = this.nodes.get(nodeKey)?.unsaved;
		return unsaved?.base === digestOf(saved) ? unsaved.state : undefined;
	}

	/** Keeps the state after a poll without items. n8n saves the one after a poll with items: then `state` is undefined. */
	remember(nodeKey: string, saved: unknown, state: State | undefined): void {
		const unsaved = state && { base: digestOf(saved), state };
		this.nodes.set(nodeKey, { ...this.nodes.get(nodeKey), unsaved });
	}
}

/** This process. Tests replace all its members to simulate a restart of n8n. */
export const thisProcess = new PollingProcess(performance.timeOrigin);
