/** What one process knows of the service's window, by the headers of its own answers. */
export interface Window {
	/** How many requests it allows, if the service tells. */
	limit: number | undefined;
	/** How many are left, by the last answer. */
	remaining: number;
	/** Epoch milliseconds of the first answer in it, of its end as told, and of its end as far as we know. */
	firstAt: number;
	told: number;
	endsAt: number;
	/** How many requests of this process were served in it. */
	mine: number;
}

/** After so many requests one looks, late in a window, whether others left anything: after twice as many, if it was refused. */
const LOOK_AFTER = 100;
const LOOK_AFTER_AT_MOST = 400;
/** Which part of a window has passed by then. */
const LATE = 0.9;
/** Which part of a window others may take to begin. */
const HALF = 0.5;

const momentIn = ({ firstAt, endsAt }: Window, part: number): number => firstAt + part * (endsAt - firstAt);

/**
 * The part of a window that is this process's where others use the same account: as much as it got of the last one
 * that was used up. The others take theirs likewise, so that together they come to the limit and not over it, though
 * none knows of another. In the first half of a window each may take more, one at a time: so shares even out.
 */
export class Share {
	private size = Infinity;
	private lookAfter = LOOK_AFTER;
	private sinceLook = 0;
	/** The window in which a look found something left. */
	private found?: Window;

	/** Epoch milliseconds from which one more may go beside those in flight; Infinity if none before the next answer. */
	opensAt(window: Window, inFlight: number): number {
		const { limit, remaining, mine } = window;
		if (limit === undefined || this.size === limit) return 0;
		if (this.size === Infinity) return inFlight === 0 || inFlight < firstPart(window) ? 0 : Infinity;
		const isAlone = limit - remaining <= mine + inFlight;
		if (isAlone && mine >= this.size) return 0;
		if (mine + inFlight < this.size - (isAlone ? 1 : 0)) return 0;
		if (inFlight > 0) return Infinity;
		if (mine < this.size) return momentIn(window, HALF);
		if (remaining > limit / 2 || this.found === window) return 0;
		return this.sinceLook < this.lookAfter ? Infinity : momentIn(window, LATE);
	}

	/** Learns that a request was served in this window, or refused. */
	settle(window: Window, served: boolean, now: number): void {
		if (served) {
			window.mine += 1;
			this.sinceLook += 1;
		}
		const isLate = now >= momentIn(window, LATE);
		if (isLate && served && window.mine > this.size) this.found = window;
		if (isLate && window.mine >= this.size) this.looked(this.found === window);
		if (!served || window.remaining <= 0) this.size = Math.max(window.mine, 1);
	}

	private looked(found: boolean): void {
		if (!found) this.lookAfter = Math.min(2 * this.lookAfter, LOOK_AFTER_AT_MOST);
		else this.lookAfter = LOOK_AFTER;
		this.sinceLook = 0;
	}
}

/** How many may be in flight before it is known who else is there: twice as many each time, and no more than it got so far. */
const firstPart = ({ limit = 0, remaining, mine }: Window): number =>
	Math.min(mine, Math.floor((remaining * mine) / (limit - remaining)));
