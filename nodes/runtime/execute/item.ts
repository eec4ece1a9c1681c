import type { INode } from 'n8n-workflow';
import { classOf, failureOf, isFailure, markInDoubt } from '../errors/errors';
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
	/** Whether an item failed, so that no other item starts. */
	isStopped: boolean;
}

/** The state of one input item. What the item asks the service for is in an `ItemRequest`. */
export class Item {
	private settledWith: Outcome | undefined;
	private notedStages: readonly Stage[] | undefined;
	private mayHaveWritten = false;

	constructor(
		readonly run: ItemRun,
		readonly index: number,
	) {}

	/** Its results and failures; a failure itself says whether it is in doubt. Undefined until the item is settled. */
	get outcome(): Outcome | undefined {
		return this.settledWith;
	}

	/** The stage of each of its entries, if they were noted; otherwise of each of its results and failures. */
	get entryStages(): readonly Stage[] {
		return this.notedStages ?? this.outcome?.map(stageOf) ?? [];
	}

	/** Notes that the service may have carried out a write for the item: if the item fails, it is in doubt. */
	notePossibleWrite(): void {
		this.mayHaveWritten = true;
	}

	/** Notes how far the service got with each entry of the item. */
	noteEntries(stages: readonly Stage[]): void {
		this.notedStages = stages;
	}

	/** Sets the outcome. A failure stops the run, unless failed items go on. */
	settle(outcome: Outcome): void {
		this.settledWith = outcome;
		if (outcome.some(isFailure) && !this.run.goesOnAfterFailure) this.run.isStopped = true;
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
		const { outcome, entryStages } = this;
		if (outcome && !outcome.some(isFailure)) {
			return entryStages.includes('Done') || outcome.length === 0 ? 'Done' : 'Not done';
		}
		if (this.mayHaveActed) return 'In doubt';
		return entryStages.every((stage) => stage === 'Not begun') ? 'Not begun' : 'Not done';
	}

	/** Whether the service may have written something for the item. Its outcome knows better than its requests. */
	private get mayHaveActed(): boolean {
		const { run, outcome, entryStages } = this;
		if (!outcome && this.mayHaveWritten) return true;
		return entryStages.includes('In doubt') || (run.writes && entryStages.includes('Done'));
	}
}
