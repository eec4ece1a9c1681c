import { ServiceApi, type Asker } from '../transport/api';
import type { Client } from '../transport/client';
import type { Answer, Request } from '../transport/http';
import { clock } from '../transport/rateLimit';

/** Asks a service during one poll, which has so much time. */
export class PollApi extends ServiceApi {
	private longestMs = 0;

	constructor(
		client: Client,
		asker: Asker,
		/** Epoch milliseconds at which the poll should be over. */
		private readonly deadline: number,
	) {
		super(client, asker);
	}

	override hasTime(): boolean {
		return clock.now() + this.longestMs < this.deadline;
	}

	protected override async dispatch(request: Request): Promise<Answer> {
		const startedAt = clock.now();
		try {
			return await super.dispatch(request);
		} finally {
			this.longestMs = Math.max(this.longestMs, clock.now() - startedAt);
		}
	}
}
