import { createHash, randomUUID } from 'crypto';
import type { State } from './state';

/** A poll that takes longer than this is given up: it may hang. */
const GIVEN_UP_AFTER_MS = 600_000;

const fingerprint = (saved: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(saved ?? null))
		.digest('base64');

/** A poll that is under way. */
export interface RunningPoll {
	end(): void;
	/** Whether it was given up meanwhile: then it must not hand anything over. */
	isGivenUp(): boolean;
}

/** How n8n calls a poll. */
export interface Call {
	/** n8n's object for the poll. */
	context: object;
	/** Whether n8n polls with the same object until the workflow is deactivated, as it does unless its scheduler is durable. */
	isLasting: boolean;
	/** Whether the workflow was changed while it was active. */
	isUpdate: boolean;
}

/**
 * What a process knows of its polls beside what n8n saves, each node by itself. n8n may forget the state of a poll
 * that handed nothing over (its durable scheduler does); within the process it is remembered here.
 */
export class PollingProcess {
	/** Tells it from other processes. */
	readonly instance: string = randomUUID();
	/** The state of the last poll that handed nothing over, and what n8n held before it. */
	private readonly unsaved = new Map<string, { base: string; state: State }>();
	private readonly running = new Map<string, { since: number }>();
	private readonly succeeded = new Set<string>();
	private readonly tolerated = new Set<string>();
	private readonly contexts = new WeakSet<object>();

	/** `startedAt` in epoch milliseconds. */
	constructor(readonly startedAt: number) {}

	/** The state of the last poll that handed nothing over, if n8n holds what it held then. */
	recall(node: string, saved: unknown): State | undefined {
		const known = this.unsaved.get(node);
		return known?.base === fingerprint(saved) ? known.state : undefined;
	}

	remember(node: string, saved: unknown, state: State): void {
		this.unsaved.set(node, { base: fingerprint(saved), state });
	}

	/** What n8n saves counts: the poll handed something over. */
	forget(node: string): void {
		this.unsaved.delete(node);
	}

	/** Begins a poll; undefined if another one of the node is under way. */
	begin(node: string, now: number): RunningPoll | undefined {
		const other = this.running.get(node);
		if (other && Math.abs(now - other.since) < GIVEN_UP_AFTER_MS) return undefined;
		const own = { since: now };
		this.running.set(node, own);
		return {
			isGivenUp: () => this.running.get(node) !== own,
			end: () => {
				if (this.running.get(node) === own) this.running.delete(node);
			},
		};
	}

	/** Whether no poll of the node went well in this process yet. */
	isFirstPoll(node: string): boolean {
		return !this.succeeded.has(node);
	}

	/** Notes a poll that went well. */
	succeed(node: string, { context }: Call): void {
		this.succeeded.add(node);
		this.contexts.add(context);
	}

	/**
	 * Whether a transient failure must not show: the poll with which n8n activates a workflow fails the activation.
	 * That is the first one with a new object. Where n8n makes an object for each poll, only the very first is let pass.
	 */
	tolerates(node: string, { context, isLasting, isUpdate }: Call): boolean {
		const isActivation = !this.contexts.has(context) && (isLasting || !this.tolerated.has(node));
		this.contexts.add(context);
		this.tolerated.add(node);
		return isActivation && (this.isFirstPoll(node) || (isUpdate && isLasting));
	}
}

/** This process. Tests put another in its place, as if n8n had started anew. */
export const thisProcess = new PollingProcess(performance.timeOrigin);
