import { clock } from '../clock';
import type { NodeContext } from './service';

/** The waits of a client's requests for the rate limit. Waits at the same time count once. */
export class Waits {
	/** Milliseconds in all, as they were planned. */
	total = 0;
	/** When the longest wait ends, on the monotonic clock. */
	private until = 0;

	constructor(
		private readonly context: NodeContext,
		private readonly serviceName: string,
	) {}

	/** Tells the user about a wait of `ms` milliseconds, unless an earlier message covers it. */
	note(ms: number): void {
		const now = clock.uptime();
		const until = now + ms;
		if (until <= this.until + 1000) return;
		this.total += until - Math.max(this.until, now);
		this.until = until;
		const message = `Waiting ${Math.ceil(ms / 1000)} s for the rate limit of ${this.serviceName}`;
		this.context.logger?.info(message);
		if ('sendMessageToUI' in this.context) this.context.sendMessageToUI(message);
	}
}
