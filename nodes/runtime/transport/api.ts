import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { Answer, Request } from '../exchange';
import { isInDoubt } from '../errors/errors';
import { clockAhead, unexpectedAnswer } from '../errors/messages';
import type { Api, Operation, Page, Parts } from '../table/operation';
import { isAhead, type RecordKind } from '../table/record';
import { isRecord, quoted, toInteger } from '../values';
import type { Attempt, Client } from './client';
import { isSafe, queryString } from './http';
import { clock } from './rateLimit';

/** A page as it was read: the service may say why it withholds the list. */
export interface ReadPage extends Page {
	objection?: string;
}

/** In whose name a service is asked, and how the user is told of it. */
export interface Asker {
	/** The item whose credential is used. */
	item: number;
	/** How messages name it: ` [item 3]`; empty where there are no items. */
	mention: string;
	/** What to do about a parameter that can't be used. */
	advice: string;
	hint(message: string): void;
}

/** What one run or poll found out once, by account and name. */
export type Memo = Map<string, Promise<unknown>>;

const NO_PARTS: Parts = { path: {}, query: {}, body: {} };
/** How far the clocks of a host and of n8n may be apart; time zones are more. */
const CLOCK_SLACK_MS = 600_000;
/** Longer queries are refused by some servers on the way. */
const LONGEST_QUERY = 4000;

/** The request of a row with its parts: ids percent-encoded in the path, nothing sent that has no value. */
export function requestOf(row: Operation, parts: Parts): Request {
	const path = row.template.replace(/\{(\w+)(\??)\}/g, (_, name: string, optional: string) => {
		const value = parts.path[name];
		if (value === undefined && optional) return '';
		if (value === undefined) throw new Error(`${row.route} lacks ${name}`);
		// No encoding keeps these from leading to another address.
		if (/^\.{1,2}$/.test(String(value)))
			throw new Error(`"${String(value)}" can't stand in the path of a request`);
		return encodeURIComponent(String(value));
	});
	const sendsBody = row.method !== 'GET' && Object.keys({ ...row.body, ...parts.body }).length > 0;
	const asForm = row.postsLongQuery && queryString(parts.query).length > LONGEST_QUERY;
	return {
		...(asForm
			? { method: 'POST', path, body: parts.query, safe: true }
			: { method: row.method, path, query: parts.query, ...(sendsBody && { body: parts.body }) }),
		...(parts.accepts && { accepts: parts.accepts }),
		...(row.batch && { partial: true }),
		...(row.idempotent && { idempotent: true }),
		...(parts.anonymous && { anonymous: true }),
	};
}

/** Asks a service through a client. */
export class ServiceApi implements Api {
	/** Whether the service may have done something that was asked of it. */
	protected touched = false;
	private identity: Promise<string> | undefined;
	private remaining = Infinity;
	private userId: string | undefined;

	constructor(
		protected readonly client: Client,
		private readonly asker: Asker,
		private readonly memo: Memo = new Map(),
	) {}

	async send(request: Request): Promise<Answer> {
		const attempt = await this.attempt(request);
		if ('error' in attempt) throw attempt.error;
		const { answer } = attempt;
		this.remaining = toInteger(answer.headers['x-ratelimit-remaining']) ?? Infinity;
		this.userId = this.client.service.user?.(answer) ?? this.userId;
		return answer;
	}

	/** Sends a request, and remembers whether it may have done something. */
	protected async attempt(request: Request): Promise<Attempt> {
		const attempt = await this.client.attempt(request, this.asker.item);
		this.touched ||= !isSafe(request) && ('answer' in attempt || isInDoubt(attempt.error));
		return attempt;
	}

	async ask(row: Operation, parts?: Partial<Parts>): Promise<Answer> {
		return await this.send(requestOf(row, { ...NO_PARTS, ...parts }));
	}

	async page(row: Operation, number: number, parts?: Partial<Parts>, size?: number): Promise<Page> {
		const { paging } = row;
		if (!paging) throw new Error(`${row.route} is not a list`);
		const { query, ...rest } = { ...NO_PARTS, ...parts };
		const paged = { ...query, ...paging.query(number, size ?? paging.pageSize) };
		const request = requestOf(row, { ...rest, query: paged });
		const answer = await this.send(request);
		const refuse = (reason: string): Error => this.unexpected(request, reason);
		const { objection, ...page } = this.readPage(answer, () => {
			const { records, ...beside } = paging.read(answer, number, refuse, query);
			const usable = this.usable(records, refuse);
			return { ...beside, answer, records: this.tidied(row.output.kind, usable, answer) };
		});
		if (objection) {
			throw this.failure(objection, `The service said this instead of answering ${request.path}.`);
		}
		return page;
	}

	async once<Known>(what: string, work: () => Promise<Known>): Promise<Known> {
		const key = `${await this.account()} ${what}`;
		const known = this.memo.get(key) ?? work();
		this.memo.set(key, known);
		known.catch(() => this.memo.delete(key));
		return (await known) as Known;
	}

	left(): number {
		return this.remaining;
	}

	hasTime(): boolean {
		return true;
	}

	/** Asked for once: n8n decrypts the credential each time. */
	async account(): Promise<string> {
		this.identity ??= this.client.identity(this.asker.item);
		return await this.identity;
	}

	user(): string | undefined {
		return this.userId;
	}

	invalid(message: string, advice: string): Error {
		const { item, mention } = this.asker;
		return this.client.invalid(`${message}${mention}`, advice, mention ? item : undefined);
	}

	refuse(label: string, reason: string, advice?: string): Error {
		return this.invalid(`${label}: ${reason}`, advice ?? this.asker.advice);
	}

	failure(message: string, description: string): NodeApiError {
		return this.client.failure({ message, description, itemIndex: this.asker.item });
	}

	hint(message: string): void {
		this.asker.hint(this.client.secrets.masked(message));
	}

	/** The records of an answer in their one form; a host whose clock can't be that of its zone is told of. */
	protected tidied(kind: RecordKind, records: unknown[], { zone }: Answer): IDataObject[] {
		const tidied = records.map((record) => kind.tidy(record, zone) as IDataObject);
		const latest = clock.now() + CLOCK_SLACK_MS;
		if (zone !== undefined && tidied.some((record) => isAhead(kind, record, latest))) {
			this.hint(clockAhead(zone));
		}
		return tidied;
	}

	/** The records of a list; throws if it holds something else. */
	protected usable(found: unknown[], refuse: (reason: string) => Error): unknown[] {
		const stray = found.find((record) => !isRecord(record));
		if (stray !== undefined) throw refuse(`a list that holds ${quoted(stray)}`);
		return found;
	}

	/** Reads a page of a list; throws if the answer holds none. */
	protected readPage(_: Answer, read: () => ReadPage): ReadPage {
		return read();
	}

	/** The error for an answer that is none of the service's interface. */
	protected unexpected({ path }: Request, what: string): Error {
		const failure = unexpectedAnswer(this.client.service.name, path, what);
		return this.client.failure({ ...failure, itemIndex: this.asker.item });
	}
}
