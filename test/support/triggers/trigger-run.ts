import type { IDataObject } from 'n8n-workflow';
import type { CredentialRecord, Engine, NodeJson, PollOptions } from '../../../engine/index.ts';
import { HeldClock } from '../clock';
import { clock, PollingProcess, thisProcess } from '../nodes/built';

export type Json = IDataObject & { eventId: string };

const MINUTE = 60_000;

/** Where n8n stores the state of a trigger after a poll. */
export type StateStorage =
	/** n8n's default: in memory, and in the database when something was emitted. */
	| 'legacy'
	/** The durable scheduler: only in the database, when something was emitted. */
	| 'durable'
	/** The same with durable cursors: always. */
	| 'cursors';

/** The clock of the built nodes, while it is held. */
export const time = new HeldClock(clock);
export const holdTime = (): void => time.hold();
export const releaseTime = (): void => time.release();

/** One trigger node of an active workflow, and the n8n that polls it. */
export class TriggerRun {
	/** The state in n8n's database. */
	inDatabase: IDataObject = {};
	/** The state in n8n's memory. */
	inMemory: IDataObject = {};
	/** Why n8n activated the workflow, and its time limit for polls; by default, n8n's own. */
	n8n: Pick<PollOptions, 'activation' | 'budgetMs'> = {};

	constructor(
		private readonly engine: Engine,
		readonly node: NodeJson,
		private readonly credentials: Record<string, CredentialRecord>,
		readonly storage: StateStorage = 'legacy',
	) {}

	/** The poll with which n8n activates the workflow; n8n saves its state. */
	async activate(): Promise<Json[]> {
		const { items, staticData } = await this.runPoll(this.inDatabase);
		this.inMemory = staticData;
		if (this.storage === 'legacy' || items) this.inDatabase = staticData;
		return jsonOf(items);
	}

	/** A poll a minute later. */
	async poll(): Promise<Json[]> {
		time.pass(MINUTE);
		const { items, staticData } = await this.runPoll(
			this.storage === 'legacy' ? this.inMemory : this.inDatabase,
		);
		this.inMemory = staticData;
		if (items || this.storage === 'cursors') this.inDatabase = staticData;
		return jsonOf(items);
	}

	/** Polls until a poll returns nothing. */
	async drain(most = 50): Promise<Json[]> {
		const all: Json[] = [];
		for (let polls = 0; polls < most; polls += 1) {
			const items = await this.poll();
			if (items.length === 0) return all;
			all.push(...items);
		}
		throw new Error(`Something still comes after ${most} polls`);
	}

	/** A poll after which n8n crashes: it started the execution, but did not save the state. */
	async pollUnsaved(): Promise<Json[]> {
		const before = this.inDatabase;
		const items = await this.poll();
		this.inDatabase = before;
		return items;
	}

	/** n8n stops, and starts again after a while; only its database is left. */
	restart(afterMs = 1000): void {
		time.pass(afterMs);
		Object.assign(thisProcess, new PollingProcess(time.now));
		this.inMemory = this.inDatabase;
		time.pass(100);
	}

	/** Another main process of n8n, which has run for a day, does the next polls: for once, or as the new leader. */
	handToAnotherMain(activation?: 'leadershipChange'): void {
		this.n8n = { activation };
		Object.assign(thisProcess, new PollingProcess(time.now - 24 * 60 * MINUTE));
		this.inMemory = this.inDatabase;
	}

	/** "Fetch test event". */
	async test(): Promise<Json[]> {
		const { items, staticData } = await this.engine.poll({
			node: this.node,
			credentials: this.credentials,
			staticData: this.inMemory,
			mode: 'manual',
		});
		expect(staticData).toEqual(this.inMemory);
		return jsonOf(items);
	}

	/** The same node with other parameters, after the user saved the workflow. */
	changed(parameters: object): TriggerRun {
		const node = { ...this.node, parameters: { ...this.node.parameters, ...parameters } };
		return this.as(node);
	}

	/** The same workflow after the user renamed the node: n8n keeps static data by name. */
	renamed(name: string): TriggerRun {
		const run = this.as({ ...this.node, name });
		run.inDatabase = {};
		run.inMemory = {};
		return run;
	}

	/** The same node with another credential. */
	withCredentials(credentials: Record<string, CredentialRecord>): TriggerRun {
		return this.as(this.node, credentials);
	}

	private as(node: NodeJson, credentials = this.credentials): TriggerRun {
		const run = new TriggerRun(this.engine, node, credentials, this.storage);
		run.inDatabase = this.inDatabase;
		run.inMemory = this.inDatabase;
		return run;
	}

	private async runPoll(staticData: IDataObject) {
		const { node, credentials, n8n } = this;
		return await this.engine.poll({ node, credentials, staticData, ...n8n });
	}
}

const jsonOf = (items: Array<{ json: IDataObject }> | null): Json[] =>
	(items ?? []).map(({ json }) => json as Json);

export const idsOf = (items: Json[]): string[] => items.map(({ eventId }) => eventId);
