import { failureOf, isInDoubt, markInDoubt } from '../errors/errors';
import { isFailure, ItemCall, type Failure, type Outcome, type Run } from './call';

/** How far an item, or an entry of it, has come, as far as anybody can know. */
export type Stage = 'Done' | 'In doubt' | 'Not done' | 'Not begun';

export const stageOf = (failure: Failure): Stage => (isInDoubt(failure) ? 'In doubt' : 'Not done');

/**
 * One input item: how far it has come, and its outcome. What it needs until then, its parameters and requests, is its
 * call; that is released with the outcome, since a run may have 100,000 items.
 */
export class Item {
	outcome: Outcome | undefined;
	/** How far each of its entries has come, where requests carry the entries of several items. */
	entryStages: Stage[] = [];
	private mayHaveActed = false;
	private current: ItemCall | undefined;

	constructor(
		private readonly run: Run,
		private readonly index: number,
	) {}

	get call(): ItemCall {
		return (this.current ??= new ItemCall(this.run, this.index));
	}

	/** Reads the parameters, sends the request, and presents the response. */
	async perform(): Promise<void> {
		const { call } = this;
		const results = await this.guarded(
			async () => await call.inTurn(async () => await call.produce(await call.prepare())),
		);
		if (results) this.settle(results);
	}

	/** Does some of the item's work. If that throws, the failure is the item's outcome. */
	async guarded<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		const { call } = this;
		try {
			return await work();
		} catch (error) {
			const failure = failureOf(this.run.client.node, error, this.index);
			this.settle([this.mayHaveActed || call.mayHaveActed ? markInDoubt(failure) : failure]);
			return undefined;
		}
	}

	settle(outcome: Outcome): void {
		const { call } = this;
		this.outcome = outcome.map((result) =>
			isFailure(result) ? result : { ...result, json: call.withoutSecrets(result.json) },
		);
		this.mayHaveActed ||= call.mayHaveActed;
		this.current = undefined;
		if (outcome.some(isFailure) && !this.run.context.continueOnFail()) this.run.isStopped = true;
	}

	get stage(): Stage {
		const { outcome } = this;
		const mayHaveActed = this.mayHaveActed || this.current?.mayHaveActed === true;
		if (!outcome) return mayHaveActed ? 'In doubt' : 'Not begun';
		const failures = outcome.filter(isFailure);
		if (failures.length === 0) return 'Done';
		const isPartial = failures.length < outcome.length;
		return mayHaveActed || isPartial || failures.some(isInDoubt) ? 'In doubt' : 'Not done';
	}

	/** The service may have done something for it. */
	touch(): void {
		this.mayHaveActed = true;
	}
}
