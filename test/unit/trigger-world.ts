import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { ApiResponse, ApiRequest, RequestParts, Api, Page } from '../../nodes/runtime/api-types';
import type { Operation } from '../../nodes/runtime/table/operation';
import { PollingProcess } from '../../nodes/runtime/poll/process';
import { readState, serialize } from '../../nodes/runtime/poll/state';
import { step, type PollSettings } from '../../nodes/runtime/poll/step';
import type { Watch } from '../../nodes/runtime/table/event';
import { responseWith } from '../support/cases/response';

/** A service that exists only in this test: its responses to the requests of rows. */
export interface World {
	ask(row: { route: string }, parts: RequestParts): unknown;
}

/** Of the poll's requests, the one that fails, and how; none if it is not reached. */
export interface Trouble {
	at: number;
	how: 'rate limit' | 'server error';
	/** Requests after which the answers say that the window is used up. */
	window: number;
}

export const NO_TROUBLE: Trouble = { at: Infinity, how: 'server error', window: Infinity };

class Failed extends Error {
	constructor(readonly httpCode: string) {
		super(`status ${httpCode}`);
	}
}

/** Lets a watch ask a world. */
export class WorldApi implements Api {
	requests = 0;
	private readonly known = new Map<string, Promise<unknown>>();

	constructor(
		private readonly world: World,
		private readonly trouble: Trouble = NO_TROUBLE,
		private readonly name = 'one',
	) {}

	async ask({ route }: Operation, parts: Partial<RequestParts> = {}): Promise<ApiResponse> {
		return this.response(route, parts);
	}

	async send({ method, path, query }: ApiRequest): Promise<ApiResponse> {
		return this.response(`${method} ${path}`, { query });
	}

	async page(row: Operation, number: number, parts: Partial<RequestParts> = {}): Promise<Page> {
		const query = { ...parts.query, ...row.paging!.query(number, row.paging!.pageSize) };
		const response = await this.ask(row, { ...parts, query });
		const { records, more } = row.paging!.read(response, number, (reason) => new Error(reason), query);
		const tidy = records.map((record) => row.output.schema.coerce(record) as IDataObject);
		return { records: tidy, response, more };
	}

	private response(route: string, parts: Partial<RequestParts>): ApiResponse {
		this.requests += 1;
		if (this.requests === this.trouble.at)
			throw new Failed(this.trouble.how === 'rate limit' ? '429' : '500');
		const requested = this.world.ask({ route }, { path: {}, query: {}, body: {}, ...parts });
		const json = JSON.parse(JSON.stringify(requested)) as unknown;
		return responseWith(json);
	}

	hasTime = (): boolean => true;
	requestsLeft = (): number => Math.max(this.trouble.window - this.requests, 0);
	user = (): undefined => undefined;
	account = async (): Promise<string> => this.name;
	once = async <Known>(what: string, work: () => Promise<Known>): Promise<Known> => {
		const known = this.known.get(what) ?? work();
		this.known.set(what, known);
		return (await known) as Known;
	};
	hint = (): void => undefined;
	inputError = (message: string): Error => new Error(message);
	apiError = (message: string) => new Error(message) as NodeApiError;
	parameterError = (label: string, reason: string): Error => new Error(`${label} ${reason}`);
}

export type StateStorage = 'legacy' | 'durable' | 'cursors';

/** The result of a poll: the emitted event ids, or its failure. */
export type Polled = { ids: string[]; requests: number } | { failed: unknown };

const MINUTE = 60_000;

/** The part of n8n that a trigger sees: it polls, saves the state, stops and starts. */
export class SimulatedN8n {
	now = Date.UTC(2030, 0, 1);
	private saved: unknown;
	private held: unknown;
	private process = new PollingProcess(this.now - MINUTE);

	constructor(
		private readonly watch: Watch,
		private readonly world: World,
		private readonly storage: StateStorage,
		private readonly settings: PollSettings,
	) {}

	/** The size of what n8n's database holds, in characters. */
	get size(): number {
		return JSON.stringify(this.saved ?? null).length;
	}

	/** One poll, and what n8n does with it. */
	async poll(
		trouble: Trouble = NO_TROUBLE,
		{ isActivation = false, isSaved = true }: { isActivation?: boolean; isSaved?: boolean } = {},
	): Promise<Polled> {
		this.now += MINUTE;
		const { process, now } = this;
		const node = 'workflow node';
		const held = this.storage === 'legacy' ? this.held : this.saved;
		const found = readState(held);
		const state = process.recall(node, held) ?? (typeof found === 'object' ? found.state : undefined);
		const api = new WorldApi(this.world, trouble);
		const { instance, startedAt } = process;
		const moment = { now, instance, startedAt, isFirstPoll: process.isFirstPoll(node), isTakeover: false };
		try {
			const { watch, settings } = this;
			const { items, state: next } = await step({ watch, settings, api, moment }, state);
			const json: unknown = JSON.parse(JSON.stringify(serialize(next)));
			if (items.length > 0) process.forget(node);
			else process.remember(node, held, JSON.parse(JSON.stringify(next)) as typeof next);
			process.noteSuccess(node, { context: this, isLasting: true, isUpdate: false });
			const isKept =
				items.length > 0 || this.storage === 'cursors' || (isActivation && this.storage === 'legacy');
			if (isKept && isSaved) this.saved = json;
			this.held = json;
			return { ids: items.map((item) => item.json.eventId), requests: api.requests };
		} catch (failed) {
			return { failed };
		}
	}

	/** Stops and starts; only the saved state is left. */
	restart(): void {
		this.now += 1000;
		this.process = new PollingProcess(this.now);
		this.held = this.saved;
	}
}
