import { classOf, failureOf, isFailure, markInDoubt } from '../errors/errors';
import { ItemRequest } from './item-request';
import { inTurn, type Run } from './run';
import { stageOf, type Outcome, type Stage } from './stages';

/**
 * One input item: its stage and its outcome. Its parameters and responses are in an `ItemRequest`, which is released when
 * the item is settled, because a run may have 100,000 items.
 */
export class Item {
	/** Undefined until the item is settled. */
	outcome: Outcome | undefined;
	/** The stage of each of its entries, if it has several. */
	entryStages: readonly Stage[] = [];
	/** Whether the service may have done something for the item that its outcome does not show yet. */
	private mayHaveActed = false;

	constructor(
		readonly run: Run,
		readonly index: number,
	) {}

	/** Reads the parameters, sends the request, and presents the response. */
	async perform(): Promise<void> {
		const account = async (): Promise<string> => (await this.run.client.owner(this.index)).lastingAccount;
		await this.guarded(async () => await inTurn(this.run, account, async () => await this.performNow()));
	}

	/** Also settles the item, so that a failure stops the run before the next item's turn. */
	private async performNow(): Promise<void> {
		const outcome = await this.guarded(async () => await (await this.prepare()).send());
		if (!outcome) return;
		if (outcome.some(isFailure)) this.entryStages = outcome.map(stageOf);
		this.settle(outcome);
	}

	/** Reads and checks the parameters. `onPossibleWrite` is called when the service may have carried out a write. */
	async prepare(onPossibleWrite = () => this.notePossibleWrite()): Promise<ItemRequest> {
		return await ItemRequest.prepare(this.run, this.index, onPossibleWrite);
	}

	/** Does part of the item's work. If that throws, the error becomes the outcome. */
	async guarded<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		try {
			return await work();
		} catch (error) {
			const failure = failureOf(this.run.client.node, error, this.index);
			const isInDoubt = this.mayHaveActed && classOf(failure) !== 'undone';
			this.settle([isInDoubt ? markInDoubt(failure) : failure]);
			return undefined;
		}
	}

	/** Notes that the service may have done something for the item: if the item fails, it is in doubt. */
	notePossibleWrite(): void {
		this.mayHaveActed = true;
	}

	/** Sets the item's results and failures, which say what is in doubt. A failure stops the run, unless failed items go on. */
	settle(outcome: Outcome): void {
		this.outcome = outcome;
		this.mayHaveActed = false;
		if (outcome.some(isFailure) && !this.run.context.continueOnFail()) this.run.isStopped = true;
	}

	get stage(): Stage {
		const { outcome, mayHaveActed } = this;
		if (!outcome) return mayHaveActed ? 'In doubt' : 'Not begun';
		const stages = outcome.map(stageOf);
		const hasDone = stages.includes('Done');
		if (!outcome.some(isFailure)) return hasDone || stages.length === 0 ? 'Done' : 'Not done';
		return mayHaveActed || hasDone || stages.includes('In doubt') ? 'In doubt' : 'Not done';
	}
}
