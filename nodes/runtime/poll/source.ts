import { clock } from '../transport/rateLimit';
import type { Client } from '../transport/client';
import { ServiceApi, type Asker } from '../transport/api';
import type { Answer, Request } from '../transport/http';
import { askInTurn } from './turns';

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
			return await this.inTurn(request);
		} finally {
			this.longestMs = Math.max(this.longestMs, clock.now() - startedAt);
		}
	}

	private async inTurn(request: Request): Promise<Answer> {
		const { path, interval } = request;
		if (interval === undefined) return await super.dispatch(request);
		return await askInTurn(
			`${await this.account()} ${path}`,
			interval,
			async () => await super.dispatch(request),
		);
	}
}
