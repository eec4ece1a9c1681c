import type { ApiResponse, RequestParts, Result } from '../api-types';
import { classOf, failureOf, isFailure, isInDoubt, markInDoubt, type Failure } from '../errors/errors';
import type { Batch } from '../table/operation';
import { chunksOf, getOrCreate } from '../values';
import type { Item } from './item';
import { ItemTask } from './item-task';
import { rawResult } from './presenter';
import { inTurn, type Run } from './run';
import { stageOf, type Stage } from './stages';

/** What a request returned for an entry, and what that says of the entry. */
interface Answer {
	readonly received: ApiResponse | Failure;
	readonly read?: ReturnType<Batch['readEntry']>;
	readonly stage: Stage;
}

/** One entry of the joined lists. It is sent once, for all items that contain it. */
interface Entry {
	readonly text: string;
	/** The task of the first item that contains it. */
	readonly task: ItemTask;
	readonly joinedItems: JoinedItem[];
	/** Undefined until the entry was sent. */
	answer?: Answer;
}

/** Joins the lists of many items into few requests, in the order of the items. Items with invalid parameters fail here. */
export async function joinRequests(run: Run, items: Item[], batch: Batch): Promise<JoinedRequest[]> {
	/** The entries by target and text. */
	const targets = new Map<string, Map<string, Entry>>();
	for (const item of items) {
		if (run.stoppedBy) break;
		const prepared = await item.guarded(async () => {
			// A possible write is not noted for the item: the responses say what was done for each entry.
			const task = await ItemTask.prepare(run, item.index, () => undefined);
			return { task, ...(await entriesOf(task, batch.field)) };
		});
		if (!prepared) continue;
		const { task, texts, target } = prepared;
		const joined = new JoinedItem(item, task);
		const entries = getOrCreate(targets, target, () => new Map<string, Entry>());
		for (const text of texts) {
			const entry = getOrCreate(entries, text, () => ({ text, task, joinedItems: [] }));
			entry.joinedItems.push(joined);
			joined.entries.push(entry);
		}
	}
	const size = Math.min(run.settings.batchSize, batch.max ?? Infinity);
	return [...targets.values()]
		.flatMap((entries) => chunksOf([...entries.values()], size))
		.map((chunk) => new JoinedRequest(chunk, batch))
		.sort((one, other) => one.first.itemIndex - other.first.itemIndex);
}

const listPart = (parts: RequestParts, field: string): 'query' | 'body' =>
	field in parts.query ? 'query' : 'body';

/**
 * The entries of an item, and its `target`: a key for the account, Read Only, and everything else in the request. Only
 * items with the same target share a request.
 */
async function entriesOf(
	{ api, input: { parts } }: ItemTask,
	field: string,
): Promise<{ texts: string[]; target: string }> {
	const part = listPart(parts, field);
	const { [field]: list, ...others } = parts[part];
	const { account, isReadOnly } = await api.owner();
	const target = JSON.stringify([account, isReadOnly, { ...parts, [part]: others }]);
	return { texts: (list as unknown[]).map(String), target };
}

/** One request for entries of many items, sent with the credential of the first item. */
class JoinedRequest {
	readonly first: ItemTask;

	constructor(
		private entries: Entry[],
		private readonly batch: Batch,
	) {
		this.first = entries[0]!.task;
	}

	/** Sends the request in its turn, and settles the items whose last entries it has. */
	async perform(): Promise<void> {
		const { first, entries } = this;
		await inTurn(first.run, first.api, async () => {
			const answers = await this.answers();
			entries.forEach((entry, index) => {
				entry.answer = answers[index];
			});
			const joined = [...new Set(entries.flatMap(({ joinedItems }) => joinedItems))];
			for (const each of joined) each.noteAnswers();
			// Nothing was awaited since the answers were set. So only the request that completes an item settles it.
			const complete = joined.filter((each) => each.entries.every(({ answer }) => answer));
			for (const each of complete) await each.settleItem();
		});
		// Releases the responses: a run may have 100,000 items.
		this.entries = [];
	}

	/** The answer to each entry. If the joined request fails and one entry may be the cause, each is sent alone. */
	private async answers(): Promise<Answer[]> {
		const together = await this.send(this.entries);
		const { received } = together[0]!;
		const sendsAlone = together.length > 1 && isFailure(received) && this.mayBeCausedByOneEntry(received);
		const alone = sendsAlone ? await this.sendEachAlone(isInDoubt(received)) : [];
		// Entries that were not sent alone keep the failure of the joined request.
		return together.map((answer, index) => alone[index] ?? answer);
	}

	/** A response to several entries can say that one of them was refused, or leave one out. */
	private answerIn(response: ApiResponse, text: string): Answer {
		const read = this.batch.readEntry(response, text);
		if (!read) return { received: response, stage: stageOf(this.first.api.unmentioned(text)) };
		return { received: response, read, stage: 'refusal' in read ? 'Not done' : 'Done' };
	}

	/** Whether one bad entry may have made the request fail: hosts refuse such a request, or respond with 500. */
	private mayBeCausedByOneEntry(failure: Failure): boolean {
		if (!this.batch.splitOnFailure) return false;
		const reason = classOf(failure);
		if (reason === 'failed') return this.first.run.row.idempotent === true;
		return reason === 'refused' && !isInDoubt(failure);
	}

	/** Sends these entries with the credential of the first item among theirs. `mayHaveWritten`: in an earlier request. */
	private async send(sent: Entry[], mayHaveWritten = false): Promise<Answer[]> {
		const { api, input, run, itemIndex } = sent[0]!.task;
		const { parts } = input;
		const { field, send } = this.batch;
		const part = listPart(parts, field);
		const isShared = new Set(sent.flatMap(({ joinedItems }) => joinedItems)).size > 1;
		const shared = { ...parts, isShared };
		let isWritten = mayHaveWritten;
		const ask = async (list: string[]): Promise<ApiResponse> => {
			const response = await api.ask(run.row, { ...shared, [part]: { ...parts[part], [field]: list } });
			isWritten ||= run.writes;
			return response;
		};
		const texts = sent.map(({ text }) => text);
		try {
			const response = await (send ? send(texts, api, ask) : ask(texts));
			return texts.map((text) => this.answerIn(response, text));
		} catch (error) {
			const failure = failureOf(run.node, error, itemIndex);
			const received = isWritten ? markInDoubt(failure) : failure;
			return sent.map(() => ({ received, stage: stageOf(received) }));
		}
	}

	/**
	 * Sends each entry alone, until one fails that was not refused: such a failure would meet the other entries, too. Returns
	 * nothing for the entries that were not sent. `mayHaveWritten`: the service may have carried out the joined request in part.
	 */
	private async sendEachAlone(mayHaveWritten: boolean): Promise<Answer[]> {
		const all: Answer[] = [];
		for (const entry of this.entries) {
			const [answer] = await this.send([entry], mayHaveWritten);
			all.push(answer!);
			const { received } = answer!;
			if (isFailure(received) && classOf(received) !== 'refused') break;
		}
		return all;
	}
}

/** An item and its entries. The answers to them settle it. */
class JoinedItem {
	readonly entries: Entry[] = [];

	constructor(
		private readonly item: Item,
		private readonly task: ItemTask,
	) {}

	/** Notes how far the service got with the entries. If it fails, the run stops; a refused entry waits for the others. */
	noteAnswers(): void {
		const { item, entries } = this;
		item.noteStages(entries.map(({ answer }) => answer?.stage ?? 'Not begun'));
		const failures = entries.flatMap(({ answer }) => answer?.received ?? []).filter(isFailure);
		const failure = failures.find((each) => classOf(each) !== 'refused');
		if (failure) item.stopRun(failure);
	}

	/** Settles the item with the results of its entries. With Raw Response, there is one result for each response. */
	async settleItem(): Promise<void> {
		const { item, entries } = this;
		const { isRaw, presenter } = this.task.api;
		await item.guarded(async () => {
			const results = isRaw
				? this.rawResults()
				: await Promise.all(entries.map(async (entry) => await this.resultOfEntry(entry)));
			item.settle(presenter.withoutSecrets(results), item.stages);
		});
	}

	private rawResults(): Array<Result | Failure> {
		const all = new Set(this.entries.map(({ answer }) => answer!.received));
		return [...all].map((received) => (isFailure(received) ? received : rawResult(received)));
	}

	private async resultOfEntry({ text, answer }: Entry): Promise<Result | Failure> {
		const { api } = this.task;
		const { received, read } = answer!;
		if (isFailure(received)) return received;
		if (!read) return api.unmentioned(text);
		if ('refusal' in read) return api.refusal(read.refusal, text);
		const [result] = await api.results([read.record], received);
		return result!;
	}
}
