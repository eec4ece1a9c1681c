import type { INode } from 'n8n-workflow';
import { classOf, failureOf, isFailure, markInDoubt } from '../errors/errors';
import { stageOf, type Outcome, type Stage } from './stages';

/** What an item needs to know of its run. */
export interface ItemRun {
	readonly node: INode;
	/** Whether the run goes on if an item fails. */
	readonly goesOnAfterFailure: boolean;
	/** A sentence for errors if n8n tries the node several times; otherwise blank. */
	readonly earlierTries: string;
	/** Whether an item failed, so that no other item starts. */
	isStopped: boolean;
}

/** How far an input item got. */
export interface Progress {
	/** Its results and failures; a failure itself says whether it is in doubt. Undefined until the item is settled. */
	readonly outcome?: Outcome;
	/** The stage of each of its entries, or of each of its results if one failed. */
	readonly entryStages?: readonly Stage[];
	/** Whether the service may have done something for it that its outcome does not show. */
	readonly mayHaveActed?: boolean;
}

/** The state of one input item. What the item asks the service for is in an `ItemRequest`. */
export class Item {
	private progress: Progress = {};

	constructor(
		readonly run: ItemRun,
		readonly index: number,
	) {}

	get outcome(): Outcome | undefined {
		return this.progress.outcome;
	}

	get entryStages(): readonly Stage[] {
		return this.progress.entryStages ?? [];
	}

	/** Sets how far the item got. A failure stops the run, unless failed items go on. */
	advance(progress: Progress): void {
		this.progress = progress;
		if (progress.outcome?.some(isFailure) && !this.run.goesOnAfterFailure) this.run.isStopped = true;
	}

	/** Notes that the service may have done something for the item: if the item fails, it is in doubt. */
	notePossibleWrite(): void {
		this.progress = { ...this.progress, mayHaveActed: true };
	}

	/** Does part of the item's work. If that throws, the error becomes the outcome, in doubt if the service may have acted. */
	async guarded<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		try {
			return await work();
		} catch (error) {
			const { entryStages, mayHaveActed } = this.progress;
			const failure = failureOf(this.run.node, error, this.index);
			// 'undone' says itself that nothing was done.
			const isInDoubt = mayHaveActed && classOf(failure) !== 'undone';
			this.advance({ outcome: [isInDoubt ? markInDoubt(failure) : failure], entryStages });
			return undefined;
		}
	}

	get stage(): Stage {
		const { outcome, mayHaveActed } = this.progress;
		if (!outcome) return mayHaveActed ? 'In doubt' : 'Not begun';
		const stages = outcome.map(stageOf);
		const hasDone = stages.includes('Done');
		if (!outcome.some(isFailure)) return hasDone || stages.length === 0 ? 'Done' : 'Not done';
		return mayHaveActed || hasDone || stages.includes('In doubt') ? 'In doubt' : 'Not done';
	}
}
