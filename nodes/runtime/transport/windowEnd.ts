import type { Told } from './limitHeaders';

/** Another process that knows only what was told comes late to every window; so often it comes as early as this one. */
const AS_TOLD_EVERY_MS = 120_000;

/**
 * Where reset times are told in whole seconds, a window ends up to one second earlier: a tenth of a window of ten.
 * Its length tells when, if it began with the first request in it.
 */
export class WindowEnd {
	/** How long windows are, in whole seconds. */
	private atLeast = 0;
	private atMost = Infinity;
	private formerReset?: number;
	/** When a window began that was given the time it was told. */
	private asToldAt = 0;

	/** Learns from the first answer in a window, and when that was asked for; `isFirst`: no request came before. */
	opened({ resetAt, rounded }: Told, sentAt: number, answeredAt: number, isFirst: boolean): void {
		const seconds = (moment: number): number => (rounded ? Math.floor((resetAt - moment) / 1000) : 0);
		this.atLeast = Math.max(this.atLeast, seconds(answeredAt));
		if (isFirst) this.atMost = Math.min(this.atMost, seconds(sentAt));
		if (this.formerReset)
			this.atMost = Math.min(this.atMost, Math.round((resetAt - this.formerReset) / 1000));
		this.formerReset = resetAt;
	}

	/** Learns that a window went on until it was told to: they don't begin with a request, or aren't of whole seconds. */
	wentOn(): void {
		this.atMost = 0;
	}

	/** Epoch milliseconds of a window's end, by when the first answer in it came. */
	of({ resetAt }: Told, firstAt: number): number {
		const isKnown = this.atLeast > 0 && this.atLeast === this.atMost;
		if (!isKnown || firstAt - this.asToldAt > AS_TOLD_EVERY_MS) {
			this.asToldAt = firstAt;
			return resetAt;
		}
		return Math.min(resetAt, Math.max(resetAt - 1000, firstAt + this.atLeast * 1000));
	}
}
