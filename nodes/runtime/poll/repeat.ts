import type { HandedOver } from './state';

/** The process that polls. */
export interface Here {
	instance: string;
	/** Epoch milliseconds. */
	startedAt: number;
	/** Whether it polls this node for the first time. */
	isFirstPoll: boolean;
	/** Whether n8n says that it activated the workflow because it started, or because another main process is gone. */
	tookOver: boolean;
}

/** After so long n8n has certainly started the execution that it was handed. */
export const HANDED_OVER_SETTLES_MS = 30_000;

/**
 * Whether n8n started anew since a hand-over, so shortly after it that the execution may never have begun: n8n saves
 * the state first and starts the execution then. Where several main processes take turns, one that ran before the
 * hand-over already doesn't mean that: nothing was lost. A hand-over in the future means that the clock was set back.
 */
export function isRestart(handedOver: HandedOver, here: Here, now: number, withinMs: number): boolean {
	const { at, instance, events } = handedOver;
	if (events.length === 0 || instance === here.instance || withinMs <= 0) return false;
	if (at > now) return here.isFirstPoll;
	return (here.startedAt >= at || here.tookOver) && now - at <= withinMs;
}
