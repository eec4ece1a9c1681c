import type { INode } from 'n8n-workflow';
import { classOf, failureOf, isFailure, markInDoubt, type Failure } from '../errors/errors';
import { stageOf, type Outcome, type Stage } from './stages';

/** What an item needs to know of its run. */
export interface ItemRun {
	readonly node: INode;
	/** Whether the operation writes. API Request does, unless with GET. What only reads is never in doubt. */
	readonly writes: boolean;
	/** Whether the run goes on if an item fails. */
	readonly goesOnAfterFailure: boolean;
	/** A sentence for errors if n8n tries the node several times; otherwise blank. */
	readonly earlierTries: string;
	/** The failure after which no other item starts, if there was one. */
	stoppedBy?: Failure;
}

/** The state of one input item. What the item asks the service for is in an `ItemTask`. */
export class Item {
	/** Its results and failures; a failure itself says whether it is in doubt. Undefined until the item is settled. */
	outcome: Outcome | undefined;
	/**
	 * How far the service got with the item: with each of its entries if it joins requests with other items, otherwise with
	 * each of its results and failures. Empty before the item sends something that writes, or is settled.
	 */
	stages: readonly Stage[] = [];

	constructor(
		readonly run: ItemRun,
		readonly index: number,
	) {}

	/** Notes that the service may have carried out a write for the item. */
	notePossibleWrite(): void {
		this.stages = ['In doubt'];
	}

	/** Sets the outcome. A failure stops the run. */
	settle(outcome: Outcome, stages: readonly Stage[] = outcome.map(stageOf)): void {
		this.outcome = outcome;
		this.stages = stages;
		const failure = outcome.find(isFailure);
		if (failure) this.stopRun(failure);
	}

	/** Stops the run after a failure, unless the run goes on after failures. */
	stopRun(failure: Failure): void {
		if (!this.run.goesOnAfterFailure) this.run.stoppedBy ??= failure;
	}

	/** Does part of the item's work. If that throws, the error becomes the outcome, in doubt if the service may have acted. */
	async guarded<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		try {
			return await work();
		} catch (error) {
			const failure = failureOf(this.run.node, error, this.index);
			// 'undone' says itself that nothing was done.
			const isInDoubt = this.mayHaveActed && classOf(failure) !== 'undone';
			this.settle([isInDoubt ? markInDoubt(failure) : failure]);
			return undefined;
		}
	}

	/** In doubt: the item failed, or has not ended, and the service may have written something for it. */
	get stage(): Stage {
		const { outcome, stages } = this;
		if (outcome && !outcome.some(isFailure)) {
			return stages.includes('Done') || outcome.length === 0 ? 'Done' : 'Not done';
		}
		if (this.mayHaveActed) return 'In doubt';
		return stages.every((stage) => stage === 'Not begun') ? 'Not begun' : 'Not done';
	}

	/** Whether the service may have written something for the item. */
	private get mayHaveActed(): boolean {
		const { run, stages } = this;
		return stages.includes('In doubt') || (run.writes && stages.includes('Done'));
	}
}
