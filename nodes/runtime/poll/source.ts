import type { INode } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { inputError } from '../errors/errors';
import { readPage, type Page } from '../execute/paging';
import { requestOf } from '../transport/request';
import type { Operation, Parts } from '../table/operation';
import type { Service } from '../transport/service';
import { clock } from '../transport/rateLimit';
import type { Answer } from '../transport/http';
import { isRecord, toInteger } from '../values';
import { askInTurn } from './turns';
import type { Source } from './watch';

/** The item that a poll's requests belong to: it has none. */
const NO_ITEM = 0;

const whole = (parts: Partial<Parts> = {}): Parts => ({ path: {}, query: {}, body: {}, ...parts });

/** Asks a service during one poll, and notes what its answers say beside their data. */
export class ServiceSource implements Source {
	private remaining = Infinity;
	private longestMs = 0;
	private userId: string | undefined;

	constructor(
		private readonly client: Client,
		private readonly service: Service,
		private readonly node: INode,
		/** Epoch milliseconds at which the poll should be over. */
		private readonly deadline: number,
	) {}

	async ask(row: Operation, parts?: Partial<Parts>): Promise<Answer> {
		return await this.timed(async () => {
			const request = requestOf(row, whole(parts));
			const send = async () => await this.client.send(request, NO_ITEM);
			const { path, interval } = request;
			const answer = await (interval === undefined
				? send()
				: askInTurn(`${await this.client.identity(NO_ITEM)} ${path}`, interval, send));
			this.note(answer);
			return answer;
		});
	}

	async page(row: Operation, number: number, parts?: Partial<Parts>): Promise<Page> {
		const { client, service } = this;
		const list = { client, dialect: service.dialect, row, parts: whole(parts), item: NO_ITEM };
		return await this.timed(async () => {
			const page = await readPage(list, number, row.paging?.pageSize ?? Infinity);
			this.note(page.answer);
			return page;
		});
	}

	hasTime(): boolean {
		return clock.now() + this.longestMs < this.deadline;
	}

	left(): number {
		return this.remaining;
	}

	user(): string | undefined {
		return this.userId;
	}

	refuse(label: string, reason: string, advice = 'Correct it and activate the workflow again'): Error {
		return inputError(this.node, `${label}: ${reason}`, advice);
	}

	private async timed<Result>(work: () => Promise<Result>): Promise<Result> {
		const startedAt = clock.now();
		try {
			return await work();
		} finally {
			this.longestMs = Math.max(this.longestMs, clock.now() - startedAt);
		}
	}

	private note({ headers, json }: Answer): void {
		this.remaining = toInteger(headers['x-ratelimit-remaining']) ?? Infinity;
		const isTold = isRecord(json) && json.authenticated === true && json.user_id !== undefined;
		if (isTold) this.userId = String(json.user_id);
	}
}
