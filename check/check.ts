/** Runs every operation of a node against one host. */
import type { IDataObject } from 'n8n-workflow';
import { linkSteps } from '../cases/links.ts';
import { readerSteps } from '../cases/reader/index.ts';
import type { Own, Step } from '../cases/fixture.ts';
import { CommandError, UsageError } from '../scripts/command.ts';
import { type Host, type Run, serverKindOf, type ServerKind } from './host.ts';
import { inputs, type Input } from './inputs.ts';
import { operationsOf, type NamedOperation, type ServiceName } from './operations.ts';
import { notTried, outcomeOf, reasonOf, type Outcome } from './outcome.ts';

export interface CheckSettings {
	write: boolean;
	/** The address of a feed that only the check uses. */
	feed?: string;
	/** Aborts the check. The check still removes its records. */
	signal?: AbortSignal;
	/** The records of a previous check of this account that was killed. With `write`, they are removed first. */
	unfinished?: Unfinished;
	/** Called before each run of an operation. */
	onStart?(operation: string): void;
	/** Called with the records of each run. */
	onRecords?(operation: string, records: IDataObject[]): void;
	/** Called with each result. */
	onOutcome?(outcome: Outcome): void;
	/** Called before and after each run that creates or removes a record. */
	onChange?(unfinished: Unfinished): void;
}

/** A run of an operation that removes a record of the check. */
export interface Removal {
	operation: string;
	values: Record<string, unknown>;
}

/** What a later check must do if this one is killed now. */
export interface Unfinished {
	/** The name of the records of this check. */
	name: string;
	/** The latest last. */
	removals: Removal[];
	/** The operation that is running, if it creates a record. */
	creating?: string;
}

/** The result for one host. */
export interface CheckResult {
	/** The kind of a news reader server. */
	kind?: ServerKind;
	/** One for each operation, in the order of the table. */
	outcomes: Outcome[];
	/** A sentence for each record that could not be removed. */
	left: string[];
}

/**
 * The operations with the strictest rate limits, the strictest first. Run last, they would wait two minutes, because other
 * operations use the same limits.
 */
const LIMITED = ['share.getFeed', 'feed.refreshCounts', 'feed.getStatistics'];

const steps: Record<ServiceName, Step[]> = { linkManager: linkSteps, newsReader: readerSteps };

/** The name of the check's records. */
const nameOf = (startedAt: Date): string =>
	`n8n-nodes-newslink check ${startedAt.toISOString().replace(/\D/g, '').slice(0, 14)}`;

/** Checks a host. @throws CommandError if the check can't start */
export async function check(host: Host, settings: CheckSettings): Promise<CheckResult> {
	return await new Check(host, settings).run();
}

const byLimit = (a: NamedOperation, b: NamedOperation): number =>
	LIMITED.indexOf(a.name) - LIMITED.indexOf(b.name);

class Check {
	readonly #host: Host;
	readonly #settings: CheckSettings;
	readonly #operations: NamedOperation[];
	readonly #outcomes = new Map<string, Outcome>();
	/** The records that were read, by operation. */
	readonly #read = new Map<string, Promise<IDataObject[]>>();
	readonly #undo: NonNullable<Step['undo']>[] = [];
	readonly #own: Own;
	readonly #leftovers: string[] = [];
	/** The feeds to which the account was subscribed before. */
	#subscribed: unknown[] = [];

	constructor(host: Host, settings: CheckSettings) {
		this.#host = host;
		this.#settings = settings;
		this.#operations = operationsOf[host.service];
		this.#own = { name: nameOf(new Date()), feedUrl: settings.feed };
	}

	async run(): Promise<CheckResult> {
		const { write, unfinished } = this.#settings;
		if (unfinished) await this.#removeUnfinished(unfinished);
		if (write) await this.#refuseSubscribedFeed();
		let kind: ServerKind | undefined;
		const reading = this.#operations.filter(({ reads }) => reads);
		try {
			await this.#readAll(reading.filter(({ name }) => LIMITED.includes(name)).sort(byLimit));
			kind = await this.#kind();
			if (write) await this.#runSteps();
			await this.#readAll(reading);
		} finally {
			await this.#removeOwn();
		}
		const outcomes = this.#operations.map(
			(operation) => this.#outcomes.get(operation.name) ?? this.#untried(operation),
		);
		return { ...(kind && { kind }), outcomes, left: this.#leftovers };
	}

	async #kind(): Promise<ServerKind | undefined> {
		if (this.#host.service !== 'newsReader' || this.#isAborted) return undefined;
		return await serverKindOf(this.#host, this.#operation('apiRequest.send'));
	}

	/** Reads the records that are not read yet. */
	async #readAll(operations: NamedOperation[]): Promise<void> {
		for (const operation of operations) {
			if (!this.#isAborted) await this.#records(operation);
		}
	}

	get #isAborted(): boolean {
		return this.#settings.signal?.aborted ?? false;
	}

	/** Refuses a feed to which the account is already subscribed, because the check would change and remove it. */
	async #refuseSubscribedFeed(): Promise<void> {
		const { feed } = this.#settings;
		if (feed === undefined || this.#host.service !== 'newsReader') return;
		const search = await this.#host.run(this.#operation('feed.search'), { address: feed });
		const { records, failure } = await this.#host.run(this.#operation('feed.getAll'), { returnAll: true });
		if (failure) throw new CommandError(`${this.#host.mask(reasonOf(failure))}.`);
		this.#subscribed = records.map(({ id }) => id);
		this.#refuseSubscribed([...search.records, ...records.filter(({ address }) => address === feed)]);
	}

	#refuseSubscribed(feeds: IDataObject[]): void {
		if (feeds.some(({ id }) => this.#subscribed.includes(id)))
			throw new UsageError(
				`The account is subscribed to ${this.#settings.feed} already: choose another feed.`,
			);
	}

	async #runSteps(): Promise<void> {
		for (const step of steps[this.#host.service]) {
			if (this.#isAborted) return;
			this.#reportChange(step.undo && step.operation);
			const { records, failure } = (await this.#runStep(step)) ?? {};
			if (step.undo && failure?.isInDoubt)
				this.#leftovers.push(`perhaps what ${step.operation} made: search for "${String(this.#own.name)}"`);
			const made = failure ? undefined : records;
			if (made && step.undo) this.#undo.push(step.undo);
			if (made?.[0]) step.store?.(made[0], this.#own);
			this.#reportChange();
			// The search does not find every address that leads to a feed.
			if (made && step.operation === 'feed.add') this.#refuseSubscribed(made);
		}
	}

	#reportChange(creating?: string): void {
		const removals = this.#undo.map(({ operation, values }) => ({ operation, values: values(this.#own) }));
		this.#settings.onChange?.({ name: String(this.#own.name), removals, creating });
	}

	/** Removes the records of a killed check, or reports them. */
	async #removeUnfinished({ name, removals, creating }: Unfinished): Promise<void> {
		if (creating)
			this.#leftovers.push(`an earlier check was killed during ${creating}: search for "${name}"`);
		for (const { operation, values } of [...removals].reverse()) {
			const run = this.#settings.write && (await this.#host.run(this.#operation(operation), values));
			if (run && !run.failure) continue;
			const why = run ? 'failed' : 'needs --write';
			this.#leftovers.push(
				this.#host.mask(`"${name}" of an earlier check: ${operation} of ${JSON.stringify(values)} ${why}`),
			);
		}
	}

	/** Runs a step, unless one of its values is missing. */
	async #runStep({ operation: name, values }: Pick<Step, 'operation' | 'values'>): Promise<Run | undefined> {
		const operation = this.#operation(name);
		const parameters = values(this.#own);
		// Of a record that was created, a host may return no ID.
		if (Object.values(parameters).some((value) => value === undefined || value === null)) {
			this.#report(notTried(this.#host.service, operation, this.#missingReason()));
			return undefined;
		}
		return await this.#runOnce(operation, parameters);
	}

	#missingReason(): string {
		const needsFeed = this.#host.service === 'newsReader' && this.#own.feedUrl === undefined;
		return needsFeed
			? 'It needs a feed that only the check uses: give one with --feed'
			: 'The records that it needs could not be created';
	}

	/** Removes the check's records, the latest first. */
	async #removeOwn(): Promise<void> {
		for (let undo = this.#undo.at(-1); undo; undo = this.#undo.at(-1)) {
			const run = await this.#runStep(undo);
			if (!run || run.failure) {
				const values = JSON.stringify(undo.values(this.#own));
				const why = run ? 'failed' : `was not possible: search for "${String(this.#own.name)}"`;
				this.#leftovers.push(this.#host.mask(`${undo.operation} of ${values} ${why}`));
			}
			this.#undo.pop();
			this.#reportChange();
		}
	}

	/** The records of a reading operation; requested only once. */
	async #records(operation: NamedOperation): Promise<IDataObject[]> {
		const reading = this.#read.get(operation.name) ?? this.#readOnce(operation);
		this.#read.set(operation.name, reading);
		return await reading;
	}

	async #readOnce(operation: NamedOperation): Promise<IDataObject[]> {
		const values: Record<string, unknown> = {};
		for (const parameter of this.#neededParameters(operation)) {
			values[parameter] = await this.#value(operation, parameter);
			if (values[parameter] !== undefined) continue;
			this.#report(notTried(this.#host.service, operation, `No value for ${parameter} was found`));
			return [];
		}
		return (await this.#runOnce(operation, values)).records;
	}

	/** The parameters that a reading operation needs. */
	#neededParameters(operation: NamedOperation): string[] {
		return this.#host
			.parametersOf(operation)
			.filter(({ name, required, displayOptions, default: preset }) => {
				const dependsOnAnother = Object.keys(displayOptions?.show ?? {}).length > 2;
				const isPreset = typeof preset === 'string' && preset !== '';
				return (required && !dependsOnAnother && !isPreset) || this.#inputs[`${operation.name}: ${name}`];
			})
			.map(({ name }) => name);
	}

	get #inputs(): Record<string, Input> {
		return inputs[this.#host.service];
	}

	/** The value of a parameter, from another operation's records; undefined if there is none. */
	async #value(operation: NamedOperation, parameter: string): Promise<unknown> {
		const input = this.#inputs[`${operation.name}: ${parameter}`] ?? this.#inputs[parameter];
		const { from = [], isList } = input ?? {};
		for (const [source, member] of from) {
			const [record] = await this.#records(this.#operation(source));
			const value = record?.[member];
			if (value !== undefined && value !== null) return isList ? [value] : value;
		}
		return undefined;
	}

	async #runOnce(operation: NamedOperation, values: Record<string, unknown>): Promise<Run> {
		this.#settings.onStart?.(operation.name);
		const run = await this.#host.run(operation, values);
		this.#settings.onRecords?.(operation.name, run.records);
		const outcome = outcomeOf(this.#host.service, operation, run);
		this.#report({ ...outcome, details: outcome.details.map((detail) => this.#host.mask(detail)) });
		return run;
	}

	/** Stores the first outcome of an operation; a later one replaces it only if it failed. */
	#report(outcome: Outcome): void {
		const previous = this.#outcomes.get(outcome.operation);
		if (previous && previous.verdict !== 'not tried' && outcome.verdict !== 'failed') return;
		this.#outcomes.set(outcome.operation, outcome);
		this.#settings.onOutcome?.(outcome);
	}

	#untried(operation: NamedOperation): Outcome {
		const why = this.#isAborted
			? 'The check was stopped before'
			: this.#settings.write
				? 'It changes something that the check did not create'
				: 'It can change something: only with --write';
		return notTried(this.#host.service, operation, why);
	}

	#operation(name: string): NamedOperation {
		const operation = this.#operations.find((candidate) => candidate.name === name);
		if (!operation) throw new Error(`There is no operation ${name}`);
		return operation;
	}
}
