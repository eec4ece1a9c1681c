import { createHash } from 'crypto';
import type { State } from './state';

/**
 * What a process knows of its polls beside what n8n saves. n8n may forget the state of a poll that handed nothing
 * over (its durable scheduler does); within the process it is remembered here. Each node has its own.
 */
interface Memory {
	/** What n8n held before the poll that left `state`. */
	base: string;
	state: State;
}

/** A poll that takes longer than this is given up: it may hang. */
const GIVEN_UP_AFTER_MS = 600_000;

const memories = new Map<string, Memory>();
const running = new Map<string, { since: number }>();
const polled = new Set<string>();
const forgiven = new Set<string>();
const contexts = new WeakSet<object>();

const fingerprint = (saved: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(saved ?? null))
		.digest('base64');

/** The state of the last poll that handed nothing over, if n8n holds what it held then. */
export function recall(node: string, saved: unknown): State | undefined {
	const memory = memories.get(node);
	return memory?.base === fingerprint(saved) ? memory.state : undefined;
}

/** Remembers the state of a poll that handed nothing over. */
export function remember(node: string, saved: unknown, state: State): void {
	memories.set(node, { base: fingerprint(saved), state });
}

/** Forgets it: what n8n saves counts. */
export const forget = (node: string): void => void memories.delete(node);

/** Marks a poll as under way; undefined if another one of the node is. `isOver` tells that it was given up meanwhile. */
export function enter(node: string, now: number): { leave(): void; isOver(): boolean } | undefined {
	const other = running.get(node);
	if (other && Math.abs(now - other.since) < GIVEN_UP_AFTER_MS) return undefined;
	const own = { since: now };
	running.set(node, own);
	return {
		isOver: () => running.get(node) !== own,
		leave: () => {
			if (running.get(node) === own) running.delete(node);
		},
	};
}

/** Whether this process polls the node for the first time. */
export const isFirstPoll = (node: string): boolean => !polled.has(node);

/** Notes a poll that went well. */
export function succeeded(node: string, context: object): void {
	polled.add(node);
	contexts.add(context);
	forgiven.delete(node);
}

/**
 * Whether a passing fault must not show: the poll with which n8n activates a workflow fails the activation. n8n
 * polls with the same context from then on; where it makes one for every poll, one fault between two good polls is
 * let pass.
 */
export function forgives(node: string, context: object, contextsLast: boolean): boolean {
	const isActivation = !contexts.has(context) && (contextsLast || !forgiven.has(node));
	contexts.add(context);
	if (isActivation) forgiven.add(node);
	return isActivation;
}
