import type { Result } from '../api-types';
import { classOf, failureOf, isFailure, markInDoubt, type Failure } from '../errors/errors';
import type { Run } from './run';
import { stageOf, type Stage } from './stages';

export type Outcome = Array<Result | Failure>;

export type ItemRun = Pick<Run, 'node' | 'writes' | 'goesOnAfterFailure' | 'earlierTries' | 'stoppedBy'>;

/** The state of one input item. What the item asks the service for is in an `ItemTask`. */
export class Item {
	/** Its results and failures; a failure itself says whether it is in doubt. Undefined until the item is settled. */
	outcome: Outcome | undefined;
	/** How far the service got with each entry if the item joins requests with others, otherwise with each result and failure. */
	stages: readonly Stage[] = [];
	private mayHaveWritten = false;

	constructor(
		readonly run: ItemRun,
		readonly index: number,
	) {}

	/** Notes that the service may have carried out a write for the item: until it is settled, it is in doubt. */
	notePossibleWrite(): void {
		this.mayHaveWritten = true;
	}

	noteStages(stages: readonly Stage[]): void {
		this.stages = stages;
	}

	/** Sets the outcome. A failure stops the run. */
	settle(outcome: Outcome, stages: readonly Stage[] = outcome.map(stageOf)): void {
		this.outcome = outcome;
		this.noteStages(stages);
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
			const isInDoubt = this.stage === 'In doubt' && classOf(failure) !== 'undone';
			this.settle([isInDoubt ? markInDoubt(failure) : failure]);
			return undefined;
		}
	}

	/** The stage of the whole item. If it failed, or has not ended, and a part of it was written, it is in doubt. */
	get stage(): Stage {
		const { run, outcome, stages } = this;
		if (stages.includes('In doubt') || (!outcome && this.mayHaveWritten)) return 'In doubt';
		// A list may have no results.
		if (outcome?.length === 0) return 'Done';
		if (stages.every((stage) => stage === 'Not begun')) return 'Not begun';
		if (!stages.includes('Done')) return 'Not done';
		if (outcome && !outcome.some(isFailure)) return 'Done';
		return run.writes ? 'In doubt' : 'Not done';
	}
}
