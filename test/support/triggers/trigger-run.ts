import type { IDataObject } from 'n8n-workflow';
import type { CredentialRecord, Engine, NodeJson, PollOptions } from '../../../engine/index.ts';
import { undoneAfterwards } from '../afterwards';
import { HeldClock } from '../clock';
import { clock, PollingProcess, thisProcess } from '../nodes/built';

export type Json = IDataObject & { eventId: string };

const MINUTE = 60_000;

/** Where n8n stores the state of a trigger after a poll. */
export type StateStorage =
	/** n8n's default: always in memory; in the database after the activation and after a poll that returned items. */
	| 'legacy'
	/** The durable scheduler: only in the database, after a poll that returned items. */
	| 'durable'
	/** The durable scheduler with durable cursors: in the database after every poll, except an activation without items. */
	| 'cursors';

/** The clock of the built nodes, while it is held. */
export const time = new HeldClock(clock);
/** Holds it until the end of the test or suite. */
export function holdTime(): void {
	time.hold();
	undoneAfterwards(() => time.release());
}

/** Polls one trigger node of an active workflow as n8n does. */
export class TriggerRun {
	/** The state in n8n's database. */
	inDatabase: IDataObject = {};
	/** The state in n8n's memory. */
	inMemory: IDataObject = {};
	/** How many polls there were. */
	polls = 0;
	/** Why n8n activated the workflow, and its time limit for polls; by default, n8n's own. */
	n8n: Pick<PollOptions, 'activation' | 'budgetMs'> = {};

	constructor(
		private readonly engine: Engine,
		readonly node: NodeJson,
		private readonly credentials: Record<string, CredentialRecord>,
		readonly storage: StateStorage = 'legacy',
	) {}

	/** The first poll, when n8n activates the workflow. */
	async activate(): Promise<Json[]> {
		const { items, staticData } = await this.runPoll(this.inDatabase);
		this.inMemory = staticData;
		if (this.storage === 'legacy' || items) this.inDatabase = staticData;
		return jsonOf(items);
	}

	/** This trigger, after its first poll. */
	async activated(): Promise<this> {
		await this.activate();
		return this;
	}

	/** A poll a minute later. */
	async poll(): Promise<Json[]> {
		time.advance(MINUTE);
		const { items, staticData } = await this.runPoll(
			this.storage === 'legacy' ? this.inMemory : this.inDatabase,
		);
		this.inMemory = staticData;
		if (items || this.storage === 'cursors') this.inDatabase = staticData;
		return jsonOf(items);
	}

	/** Polls until a poll returns nothing. */
	async pollUntilEmpty(maxPolls = 50): Promise<Json[]> {
		const all: Json[] = [];
		for (let polls = 0; polls < maxPolls; polls += 1) {
			const items = await this.poll();
			if (items.length === 0) return all;
			all.push(...items);
		}
		throw new Error(`The trigger still returns items after ${maxPolls} polls`);
	}

	/** A poll after which n8n crashes: it has started the execution, but not saved the state. */
	async pollUnsaved(): Promise<Json[]> {
		const before = this.inDatabase;
		const items = await this.poll();
		this.inDatabase = before;
		return items;
	}

	/** A poll in which n8n is killed: neither its state is saved nor its execution started. */
	async pollKilled(): Promise<void> {
		await this.pollUnsaved();
	}

	/** Restarts n8n, which loses the state in memory. */
	restart(afterMs = 1000): void {
		time.advance(afterMs);
		Object.assign(thisProcess, new PollingProcess(time.now));
		this.inMemory = this.inDatabase;
		time.advance(100);
	}

	/** Another main process of n8n, started a day ago, does the next polls: by chance, or as the new leader. */
	handToAnotherMain(activation?: 'leadershipChange'): void {
		this.n8n = { activation };
		Object.assign(thisProcess, new PollingProcess(time.now - 24 * 60 * MINUTE));
		this.inMemory = this.inDatabase;
	}

	/** "Fetch test event": a manual run, which must not change the state. */
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

	/** The trigger after the user changed these parameters and saved the workflow. */
	withParameters(parameters: object): TriggerRun {
		const node = { ...this.node, parameters: { ...this.node.parameters, ...parameters } };
		return this.as(node);
	}

	/** The trigger after the user renamed the node. n8n stores static data by node name. */
	withName(name: string): TriggerRun {
		const run = this.as({ ...this.node, name });
		run.inDatabase = {};
		run.inMemory = {};
		return run;
	}

	/** The trigger with other credentials. */
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
		this.polls += 1;
		const result = await this.engine.poll({ node, credentials, staticData, ...n8n });
		// n8n starts an execution after every poll that does not return null, even without items.
		expect(result.items).not.toEqual([]);
		return result;
	}
}

const jsonOf = (items: Array<{ json: IDataObject }> | null): Json[] =>
	(items ?? []).map(({ json }) => json as Json);

export const eventIdsOf = (items: Json[]): string[] => items.map(({ eventId }) => eventId);
