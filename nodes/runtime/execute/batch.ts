import type { Answer } from '../exchange';
import { isInDoubt, putInDoubt } from '../errors/errors';
import { isRefusal } from '../errors/failures';
import type { Batch, Parts, Result } from '../table/operation';
import { isFailure, type Failure, type Item } from './item';

/**
 * Joins the lists of many items into as few requests as their size allows; an entry that several items bring is
 * sent once. Items whose parameters can't be used have failed already, and take no part.
 */
export async function joined(items: Item[], batch: Batch, size: number): Promise<JoinedRequest[]> {
	const open = new Map<string, JoinedRequest>();
	const carriers = new Map<string, JoinedRequest>();
	for (const item of items) {
		const prepared = await item.guarded(async () => {
			const parts = await item.prepare();
			return { parts, ...(await split(item, parts, batch.field)) };
		});
		if (!prepared) continue;
		const { parts, entries, target } = prepared;
		const share = new Share(item, batch);
		for (const entry of entries) {
			let request = carriers.get(`${target} ${entry}`);
			if (!request) {
				request = open.get(target);
				if (!request || request.entries.length >= size) {
					request = new JoinedRequest(item, parts, batch);
					open.set(target, request);
				}
				request.entries.push(entry);
				carriers.set(`${target} ${entry}`, request);
			}
			share.add(entry, request);
		}
	}
	return [...new Set(carriers.values())];
}

/** Where a batched list stands among the parts of a request. */
const placeOf = (parts: Parts, field: string): 'query' | 'body' => (field in parts.query ? 'query' : 'body');

/** The entries that an item brings, and all that must be alike to join them to others. */
async function split(
	item: Item,
	parts: Parts,
	field: string,
): Promise<{ entries: string[]; target: string }> {
	const place = placeOf(parts, field);
	const { [field]: list, ...others } = parts[place];
	const entries = (Array.isArray(list) ? list : [list]).filter((entry) => entry !== undefined).map(String);
	const target = JSON.stringify([await item.account(), { ...parts, [place]: others }]);
	return { entries, target };
}

/** One request for the entries of many items, sent in the name of the first. */
export class JoinedRequest {
	readonly entries: string[] = [];
	readonly shares = new Set<Share>();
	private readonly answers = new Map<string, Answer | Failure>();

	constructor(
		private readonly first: Item,
		private readonly parts: Parts,
		private readonly batch: Batch,
	) {}

	/** Sends it unless the run is stopped; the items that wait for no other request are settled. */
	async perform(): Promise<void> {
		const isSent = await this.first.inTurn(async () => await this.sendAll());
		if (!isSent) return;
		for (const share of this.shares) await share.settle();
	}

	/** The answer to one of its entries, or why there is none; undefined before it was sent. */
	answerTo(entry: string): Answer | Failure | undefined {
		return this.answers.get(entry);
	}

	private async sendAll(): Promise<true> {
		const answer = await this.send(this.entries);
		this.entries.forEach((entry) => this.answers.set(entry, answer));
		if (this.entries.length > 1 && isFailure(answer) && this.mayBeOfOne(answer))
			await this.divide(isInDoubt(answer));
		return true;
	}

	/** Whether several entries may have failed for what is wrong with one: hosts refuse it, or fail at it with 500. */
	private mayBeOfOne(failure: Failure): boolean {
		if (!this.batch.divisible) return false;
		const isFailed = 'httpCode' in failure && failure.httpCode === '500';
		return isFailed ? this.batch.divisible === 'failed' : isRefusal(failure) && !isInDoubt(failure);
	}

	private async send(entries: string[]): Promise<Answer | Failure> {
		const place = placeOf(this.parts, this.batch.field);
		const list = { ...this.parts[place], [this.batch.field]: entries };
		return await this.first.askFor(entries, { ...this.parts, [place]: list });
	}

	/**
	 * Sends each entry by itself; `inDoubt` tells that the service may have begun with them. Once it fails for one
	 * alone, too, the others keep their common failure.
	 */
	private async divide(inDoubt: boolean): Promise<void> {
		for (const entry of this.entries) {
			const answer = await this.send([entry]);
			this.answers.set(entry, isFailure(answer) && inDoubt ? putInDoubt(answer) : answer);
			if (isFailure(answer) && !isRefusal(answer)) return;
		}
	}
}

/** The entries of one item, and the requests that carry them. */
class Share {
	private readonly carried: Array<{ entry: string; request: JoinedRequest }> = [];

	constructor(
		private readonly item: Item,
		private readonly batch: Batch,
	) {}

	add(entry: string, request: JoinedRequest): void {
		this.carried.push({ entry, request });
		request.shares.add(this);
	}

	async settle(): Promise<void> {
		const answers = this.carried.map(({ entry, request }) => request.answerTo(entry));
		if (answers.includes(undefined)) {
			// A part of the item is still to be sent, and never is if the run stops.
			if (answers.some((answer) => answer && (!isFailure(answer) || isInDoubt(answer)))) this.item.touch();
			return;
		}
		const known = answers as Array<Answer | Failure>;
		const results = await this.item.guarded(async () => await this.results(known));
		if (results) this.item.settle(results);
	}

	private async results(answers: Array<Answer | Failure>): Promise<Array<Result | Failure>> {
		const results = this.item.isRaw
			? [...new Set(answers)].map(async (answer) =>
					isFailure(answer) ? [answer] : await this.item.results([], answer),
				)
			: this.carried.map(
					async ({ entry }, index) => await this.result(entry, answers[index] as Answer | Failure),
				);
		return (await Promise.all(results)).flat();
	}

	private async result(entry: string, answer: Answer | Failure): Promise<Array<Result | Failure>> {
		if (isFailure(answer)) return [answer];
		const outcome = this.batch.outcome(answer, entry);
		if ('failure' in outcome) {
			return [this.item.failure(outcome.failure, `The service said this of ${entry}.`)];
		}
		if ('notice' in outcome) return await this.item.noticed(outcome.notice, answer);
		return await this.item.results([outcome.record], answer);
	}
}
