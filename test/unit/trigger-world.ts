/** Simulates a service and n8n's polling, to test triggers without n8n. */
import { ObservableObject, type IDataObject, type NodeApiError } from 'n8n-workflow';
import type { ApiResponse, ApiRequest, RequestParts, Api, Owner, Page } from '../../nodes/runtime/api-types';
import type { Operation } from '../../nodes/runtime/table/operation';
import { PollingProcess } from '../../nodes/runtime/poll/process';
import { digestOf, readState, serialize } from '../../nodes/runtime/poll/state';
import { step, type PollSettings, type Subject } from '../../nodes/runtime/poll/step';
import type { Watch } from '../../nodes/runtime/table/event';
import { responseWith, failureOfClass } from '../support/responses';

/** A simulated service that returns the JSON of each response. */
export interface World {
	ask(row: { route: string }, parts: RequestParts): unknown;
}

/** A fault: which of a poll's requests fails, and how. */
export interface Fault {
	at: number;
	kind: 'rate limit' | 'server error';
	/** The number of requests that the rate limit window allows. */
	requestLimit: number;
}

export const NO_FAULT: Fault = { at: Infinity, kind: 'server error', requestLimit: Infinity };

/** The API that a watch sees: sends requests to the simulated service. */
export class WorldApi implements Api {
	requests = 0;
	readonly hints: string[] = [];
	private readonly known = new Map<string, Promise<unknown>>();

	constructor(
		private readonly world: World,
		private readonly fault: Fault = NO_FAULT,
		private readonly name = 'one',
	) {}

	async ask({ route }: Operation, parts: Partial<RequestParts> = {}): Promise<ApiResponse> {
		return this.response(route, parts);
	}

	async send({ method, path, query }: ApiRequest): Promise<ApiResponse> {
		return this.response(`${method} ${path}`, { query });
	}

	async page(
		row: Operation,
		number: number,
		parts: Partial<RequestParts> = {},
		size = row.paging!.pageSize,
	): Promise<Page> {
		const query = { ...parts.query, ...row.paging!.query(number, size) };
		const response = await this.ask(row, { ...parts, query });
		const { records, ...listed } = row.paging!.read(response, number, query)!;
		const coerced = records.map((record) => row.output.schema.coerce(record) as IDataObject);
		return { ...listed, records: coerced, response };
	}

	hint(message: string): void {
		this.hints.push(message);
	}

	private response(route: string, parts: Partial<RequestParts>): ApiResponse {
		this.requests += 1;
		if (this.requests === this.fault.at)
			throw failureOfClass(this.fault.kind === 'rate limit' ? 'rateLimited' : 'failed', this.fault.kind);
		const responseJson = this.world.ask({ route }, { path: {}, query: {}, body: {}, ...parts });
		const json = JSON.parse(JSON.stringify(responseJson)) as unknown;
		return responseWith(json);
	}

	hasTime = (): boolean => true;
	get requestsLeft(): number {
		return Math.max(this.fault.requestLimit - this.requests, 0);
	}
	user: string | undefined;
	owner = async (): Promise<Owner> =>
		Promise.resolve({ account: this.name, lastingAccount: this.name, host: '', isReadOnly: false });
	once = async <Known>(what: string, work: () => Promise<Known>): Promise<Known> => {
		const known = this.known.get(what) ?? work();
		this.known.set(what, known);
		return (await known) as Known;
	};
	inputError = (message: string): Error => new Error(message);
	apiError = (message: string) => new Error(message) as NodeApiError;
	parameterError = (label: string, reason: string): Error => new Error(`${label} ${reason}`);
}

export type StateStorage = 'legacy' | 'durable' | 'cursors';

/** The result of a poll: the emitted event ids, or the error. */
export type Polled = { ids: string[]; requests: number } | { failed: unknown };

const MINUTE = 60_000;

/** What a simulated poll watches. */
export const SUBJECT: Subject = { key: '', account: '', host: '' };

/** The settings of a simulated poll. */
export const DEFAULT_SETTINGS: PollSettings = {
	firstCount: 0,
	maximum: 50,
	reemitWithinMs: 0,
};

/** Simulates what n8n does with a trigger: polls it, saves its state, restarts. */
export class SimulatedN8n {
	now = Date.UTC(2030, 0, 1);
	private items: IDataObject[] = [];
	private saved: unknown;
	private held: unknown;
	private process = new PollingProcess(this.now - MINUTE);
	/** A test may change the settings of the node. */
	settings: PollSettings;

	constructor(
		/** A test may change the settings of the event. */
		public watch: Watch,
		private readonly world: World,
		private readonly storage: StateStorage,
		settings: Partial<PollSettings> = {},
	) {
		this.settings = { ...DEFAULT_SETTINGS, ...settings };
	}

	/** The length of the saved state, in characters. */
	get size(): number {
		return JSON.stringify(this.saved ?? null).length;
	}

	/** Polls once, and saves the state as n8n does. */
	async poll(
		fault: Fault = NO_FAULT,
		{ isActivation = false, isSaved = true }: { isActivation?: boolean; isSaved?: boolean } = {},
	): Promise<Polled> {
		this.now += MINUTE;
		const { process, now } = this;
		const node = 'workflow node';
		const held = this.storage === 'legacy' ? this.held : this.saved;
		const base = digestOf(JSON.stringify(held ?? null));
		// n8n wraps what it stores in slow proxies.
		const stored = held ? ObservableObject.create(JSON.parse(JSON.stringify(held))) : held;
		const state = process.recall(node, base) ?? readState(stored);
		const api = new WorldApi(this.world, fault);
		const { instance, startedAt } = process;
		const moment = { now, instance, startedAt, isTakeover: false };
		try {
			const { watch, settings } = this;
			const { items, state: next } = await step({ watch, subject: SUBJECT, settings, api, moment }, state);
			const json: unknown = JSON.parse(JSON.stringify(serialize(next)));
			const copy = JSON.parse(JSON.stringify(next)) as typeof next;
			if (items.length === 0) process.remember(node, base, copy);
			const isStored =
				items.length > 0 || this.storage === 'cursors' || (isActivation && this.storage === 'legacy');
			if (isStored && isSaved) this.saved = json;
			this.held = json;
			this.items = items.map(({ json }) => json);
			return { ids: items.map((item) => item.json.eventId), requests: api.requests };
		} catch (failed) {
			return { failed };
		}
	}

	/** Polls once; returns the items. */
	async pollItems(): Promise<IDataObject[]> {
		const polled = await this.poll();
		if ('failed' in polled) throw polled.failed as Error;
		return this.items;
	}

	/** Restarts n8n: only the saved state remains. */
	restart(): void {
		this.now += 1000;
		this.process = new PollingProcess(this.now);
		this.held = this.saved;
	}
}
