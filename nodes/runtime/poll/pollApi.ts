import { ServiceApi, type Asker } from '../transport/api';
import type { Client } from '../transport/client';
import type { Answer, Request } from '../transport/http';
import { clock } from '../transport/rateLimit';
import { isRecord, withoutDepth } from '../values';

/** Answers are cut where they are nested deeper than this: nothing that a service tells is. */
const MOST_LEVELS = 100;

/** Asks a service during one poll, which has so much time. No single record of an answer stops a poll. */
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
			const answer = await super.dispatch(request);
			return { ...answer, json: withoutDepth(answer.json, MOST_LEVELS) };
		} finally {
			this.longestMs = Math.max(this.longestMs, clock.now() - startedAt);
		}
	}

	protected override usable(found: unknown[]): unknown[] {
		const records = found.filter(isRecord);
		const strays = found.length - records.length;
		if (strays > 0) this.hint(`Left out of a list, for they are no records: ${strays}`);
		return records;
	}
}
