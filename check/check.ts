/** Runs every operation of a node against one host. */
import type { IDataObject } from 'n8n-workflow';
import { UsageError } from '../scripts/command.ts';
import type { Host, Run } from './host.ts';
import { inputs, type Input } from './inputs.ts';
import { operationsOf, type Named } from './operations.ts';
import { notTried, outcomeOf, reasonOf, type Outcome } from './outcome.ts';
import { serverKindOf, type ServerKind } from './server-kind.ts';
import { nameOf, steps, type Own, type Step } from './steps.ts';

export interface Checking {
	write: boolean;
	/** A feed of the check's own. */
	feed?: string;
	/** Ends the check early; its records are removed all the same. */
	signal?: AbortSignal;
	/** The records of an earlier check of this account that was killed. With `write` they are removed first. */
	unfinished?: Unfinished;
	/** Called before each run of an operation. */
	onStart?(operation: string): void;
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

/** The steps that remain if a check is killed now. */
export interface Unfinished {
	/** The name that the records of this check bear. */
	name: string;
	/** The latest last. */
	removals: Removal[];
	/** The operation that is running, if it creates a record. */
	creating?: string;
}

/** The result for one host. */
export interface Checked {
	/** Which code a news reader server runs. */
	kind?: ServerKind;
	/** One for each operation, in the order of the table. */
	outcomes: Outcome[];
	/** Records that could not be removed, a sentence for each. */
	left: string[];
}

/**
 * Operations that hosts limit most, in one counter with others: run last, they would wait two minutes. The strictest
 * is first.
 */
const LIMITED = ['share.getFeed', 'feed.refreshCounts', 'feed.getStatistics'];

/** Checks a host. @throws UsageError if it can't begin */
export async function check(host: Host, checking: Checking): Promise<Checked> {
	return await new Check(host, checking).run();
}

const byLimit = (a: Named, b: Named): number => LIMITED.indexOf(a.name) - LIMITED.indexOf(b.name);

class Check {
	readonly #host: Host;
	readonly #checking: Checking;
	readonly #operations: Named[];
	readonly #outcomes = new Map<string, Outcome>();
	/** The records that were read, by operation. */
	readonly #read = new Map<string, Promise<IDataObject[]>>();
	readonly #undo: NonNullable<Step['undo']>[] = [];
	readonly #own: Own;
	readonly #left: string[] = [];

	constructor(host: Host, checking: Checking) {
		this.#host = host;
		this.#checking = checking;
		this.#operations = operationsOf[host.service];
		this.#own = { name: nameOf(new Date()), feedUrl: checking.feed };
	}

	async run(): Promise<Checked> {
		const { write, unfinished } = this.#checking;
		if (unfinished) await this.#finish(unfinished);
		if (write) await this.#refuseKnownFeed();
		let kind: ServerKind | undefined;
		const reading = this.#operations.filter(({ reads }) => reads);
		try {
			await this.#readAll(reading.filter(({ name }) => LIMITED.includes(name)).sort(byLimit));
			kind = await this.#kind();
			if (write) await this.#takeSteps();
			await this.#readAll(reading);
		} finally {
			await this.#removeOwn();
		}
		const outcomes = this.#operations.map((named) => this.#outcomes.get(named.name) ?? this.#leftOut(named));
		return { ...(kind && { kind }), outcomes, left: this.#left };
	}

	async #kind(): Promise<ServerKind | undefined> {
		if (this.#host.service !== 'newsReader' || this.#isOver) return undefined;
		return await serverKindOf(this.#host, this.#named('apiRequest.send'));
	}

	/** Reads the records that are not read yet. */
	async #readAll(operations: Named[]): Promise<void> {
		for (const named of operations) {
			if (!this.#isOver) await this.#records(named);
		}
	}

	get #isOver(): boolean {
		return this.#checking.signal?.aborted ?? false;
	}

	/** A feed that is subscribed to already is not the check's own. */
	async #refuseKnownFeed(): Promise<void> {
		const { feed } = this.#checking;
		if (feed === undefined || this.#host.service !== 'newsReader') return;
		const found = await this.#host.run(this.#named('feed.search'), { address: feed });
		const { records, failure } = await this.#host.run(this.#named('feed.getAll'), { returnAll: true });
		if (failure) throw new UsageError(this.#host.conceal(reasonOf(failure)));
		const ids = found.records.map(({ id }) => id);
		if (records.some(({ id, address }) => ids.includes(id) || address === feed))
			throw new UsageError(`The account is subscribed to ${feed} already: choose another feed.`);
	}

	async #takeSteps(): Promise<void> {
		for (const step of steps[this.#host.service]) {
			if (this.#isOver) return;
			this.#noteChange(step.undo && step.operation);
			const { records, failure } = (await this.#take(step)) ?? {};
			if (!records || failure) continue;
			if (step.undo) this.#undo.push(step.undo);
			if (records[0]) step.keep?.(records[0], this.#own);
			this.#noteChange();
		}
	}

	#noteChange(creating?: string): void {
		const removals = this.#undo.map(({ operation, values }) => ({ operation, values: values(this.#own) }));
		this.#checking.onChange?.({ name: String(this.#own.name), removals, creating });
	}

	/** Removes the records of a check that was killed, or names them. */
	async #finish({ name, removals, creating }: Unfinished): Promise<void> {
		if (creating) this.#left.push(`an earlier check was killed during ${creating}: search for "${name}"`);
		for (const { operation, values } of [...removals].reverse()) {
			const run = this.#checking.write && (await this.#host.run(this.#named(operation), values));
			if (run && !run.failure) continue;
			const why = run ? 'failed' : 'needs --write';
			this.#left.push(
				this.#host.conceal(`"${name}" of an earlier check: ${operation} of ${JSON.stringify(values)} ${why}`),
			);
		}
	}

	/** Runs a step if it has all that it needs. */
	async #take({ operation, values }: Pick<Step, 'operation' | 'values'>): Promise<Run | undefined> {
		const named = this.#named(operation);
		const given = values(this.#own);
		if (Object.values(given).includes(undefined)) {
			this.#note(notTried(this.#host.service, named, this.#whatLacks()));
			return undefined;
		}
		return await this.#tryOut(named, given);
	}

	#whatLacks(): string {
		const lacksFeed = this.#host.service === 'newsReader' && this.#own.feedUrl === undefined;
		return lacksFeed
			? 'It needs a feed that only the check uses: give one with --feed'
			: 'The records that it needs could not be created';
	}

	/** Removes the check's records, the latest first. */
	async #removeOwn(): Promise<void> {
		for (let undo = this.#undo.at(-1); undo; undo = this.#undo.at(-1)) {
			const run = await this.#take(undo);
			if (!run || run.failure) {
				const values = JSON.stringify(undo.values(this.#own));
				this.#left.push(this.#host.conceal(`${undo.operation} of ${values} failed`));
			}
			this.#undo.pop();
			this.#noteChange();
		}
	}

	/** The records of an operation that reads, asked for once. */
	async #records(named: Named): Promise<IDataObject[]> {
		const reading = this.#read.get(named.name) ?? this.#readOnce(named);
		this.#read.set(named.name, reading);
		return await reading;
	}

	async #readOnce(named: Named): Promise<IDataObject[]> {
		const values: Record<string, unknown> = {};
		for (const parameter of this.#needed(named)) {
			values[parameter] = await this.#value(named, parameter);
			if (values[parameter] !== undefined) continue;
			this.#note(notTried(this.#host.service, named, `The account has nothing for it: ${parameter}`));
			return [];
		}
		return (await this.#tryOut(named, values)).records;
	}

	/** The parameters without which an operation can't read. */
	#needed(named: Named): string[] {
		return this.#host
			.parametersOf(named)
			.filter(({ name, required, displayOptions, default: preset }) => {
				const dependsOnAnother = Object.keys(displayOptions?.show ?? {}).length > 2;
				const isPreset = typeof preset === 'string' && preset !== '';
				return (required && !dependsOnAnother && !isPreset) || this.#inputs[`${named.name}: ${name}`];
			})
			.map(({ name }) => name);
	}

	get #inputs(): Record<string, Input> {
		return inputs[this.#host.service];
	}

	/** The value of a parameter from another operation's records; undefined without one. */
	async #value(named: Named, parameter: string): Promise<unknown> {
		const known = this.#inputs[`${named.name}: ${parameter}`] ?? this.#inputs[parameter];
		const { from = [], isList } = known ?? {};
		for (const [operation, member] of from) {
			const [record] = await this.#records(this.#named(operation));
			const value = record?.[member];
			if (value !== undefined && value !== null) return isList ? [value] : value;
		}
		return undefined;
	}

	async #tryOut(named: Named, values: Record<string, unknown>): Promise<Run> {
		this.#checking.onStart?.(named.name);
		const run = await this.#host.run(named, values);
		const outcome = outcomeOf(this.#host.service, named, run);
		this.#note({ ...outcome, details: outcome.details.map((detail) => this.#host.conceal(detail)) });
		return run;
	}

	/** Keeps the first outcome of an operation, unless a later one is worse. */
	#note(outcome: Outcome): void {
		const earlier = this.#outcomes.get(outcome.operation);
		if (earlier && earlier.verdict !== 'not tried' && outcome.verdict !== 'failed') return;
		this.#outcomes.set(outcome.operation, outcome);
		this.#checking.onOutcome?.(outcome);
	}

	#leftOut(named: Named): Outcome {
		const why = this.#isOver
			? 'The check was stopped before'
			: this.#checking.write
				? 'It changes something that the check did not create'
				: 'It changes something: only with --write';
		return notTried(this.#host.service, named, why);
	}

	#named(name: string): Named {
		const named = this.#operations.find((each) => each.name === name);
		if (!named) throw new Error(`There is no operation ${name}`);
		return named;
	}
}
