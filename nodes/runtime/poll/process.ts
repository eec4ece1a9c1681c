import { randomUUID } from 'crypto';
import { digestOf, serialize, type State } from './state';

export interface PollOfNode {
	/** Whether it is the first poll of its node in this process, or that with which n8n publishes the workflow. */
	readonly isFirst: boolean;
	readonly context: object;
	/** Digest of the node. n8n publishes a changed one in the mode `update`, if the workflow is published already. */
	readonly settings: string;
	/** Whether it has ended, at n8n's time limit at the latest. Then it must not save or emit anything. */
	isOver: boolean;
}

interface Unsaved {
	/** The state after the last poll without items. */
	state: State;
	/** Digests of the earlier states that n8n's database can have: the first 1,000, and with durable cursors the last. */
	bases: string[];
}

/** What this process knows of its polls: n8n doesn't save the state of a poll without items, except the first one. */
export class PollingProcess {
	readonly instance: string = randomUUID();
	private readonly lastPolls = new Map<string, PollOfNode>();
	private readonly unsaved = new Map<string, Unsaved>();
	/** n8n polls with the context of the publication; its durable scheduler makes one for each poll, in the mode `update`. */
	private reusesContexts = false;

	/** `startedAt` in epoch milliseconds. */
	constructor(readonly startedAt: number) {}

	/** Starts a poll; undefined if another poll of the node is in progress, because n8n doesn't wait for its end. */
	begin(nodeKey: string, context: object, mode: string, settings: string): PollOfNode | undefined {
		const last = this.lastPolls.get(nodeKey);
		if (last?.isOver === false) return undefined;
		const isNew = last?.context !== context;
		this.reusesContexts ||= !isNew;
		const isPublication = this.reusesContexts || mode !== 'update' || last?.settings !== settings;
		const poll = { isFirst: isNew && isPublication, context, settings, isOver: false };
		this.lastPolls.set(nodeKey, poll);
		return poll;
	}

	/** The state after the last poll without items, unless n8n has saved another one since. `base`: digest of the saved one. */
	recall(nodeKey: string, base: string): State | undefined {
		const unsaved = this.unsaved.get(nodeKey);
		return unsaved?.bases.includes(base) ? unsaved.state : undefined;
	}

	/**
	 * Keeps the state after a poll without items. n8n can pass it on in memory and still read an older one of its database
	 * when it publishes again: that before the first poll without items, or that of a publication since then.
	 */
	remember(nodeKey: string, base: string, state: State): void {
		const last = this.unsaved.get(nodeKey);
		const isFromMemory = last && digestOf(JSON.stringify(serialize(last.state))) === base;
		const bases = [...new Set([...(isFromMemory ? last.bases.slice(0, 1_000) : []), base])];
		this.unsaved.set(nodeKey, { state, bases });
	}
}

/** This process. Tests replace all its members to simulate a restart of n8n. */
export const thisProcess = new PollingProcess(performance.timeOrigin);
