import type { IDataObject } from 'n8n-workflow';
import type { Existing } from '../table/listing';
import type { Operation, Api, Page } from '../table/operation';
import { readPages, recordsOf } from '../transport/paging';
import { clock } from '../transport/rateLimit';

/** What creating came to: the answer's record, or one that was there before. */
interface Created {
	record: IDataObject;
	existed: boolean;
}

/** Creates a record; `refused` is the error if the service itself said no. */
export type Create = () => Promise<{ record: IDataObject } | { refused: Error }>;

/** How many pages of the whole list are read in place of searches, and how long, in milliseconds, they are good for. */
const PAGES = 5;
const FRESH_MS = 60_000;

/**
 * Remembers, for one run of one node, which records an account has: so that items that want the same thing,
 * even at the same time, make it once.
 */
export class ExistingRecords {
	/** What is wanted, by what identifies it: settled or still on its way. */
	private readonly wanted = new Map<string, Promise<Created>>();
	private everything: Promise<Map<string, IDataObject>> | undefined;
	private isSearched = false;
	private whole: WholeList | undefined;

	constructor(
		private readonly existing: Existing,
		private readonly list: Operation,
	) {}

	/** The existing record, or a newly created one. Items with the same identity share one. */
	async ensure(api: Api, body: Record<string, unknown>, create: Create): Promise<Created> {
		const identity = this.existing.wanted(body);
		if (identity === undefined) return await created(create);
		for (let underway = this.wanted.get(identity); underway; underway = this.wanted.get(identity)) {
			const settled = await underway.catch(() => undefined);
			if (settled) return { record: settled.record, existed: true };
		}
		const making = this.findOrCreate(api, identity, body, create);
		this.wanted.set(identity, making);
		making.catch(() => {
			this.wanted.delete(identity);
			// It may have been made all the same: the next looks again.
			this.everything = undefined;
			this.whole = undefined;
		});
		return await making;
	}

	private async findOrCreate(
		api: Api,
		identity: string,
		body: Record<string, unknown>,
		create: Create,
	): Promise<Created> {
		const found = await this.find(api, identity, body);
		if (found) return { record: found, existed: true };
		const made = await create();
		if ('record' in made) return { record: made.record, existed: false };
		const conflict = this.existing.conflicting?.(body);
		if (conflict) {
			for await (const record of recordsOf(api, this.list, { query: conflict.search })) {
				if (conflict.matches(record)) return { record, existed: true };
			}
		}
		throw made.refused;
	}

	private async find(
		api: Api,
		identity: string,
		body: Record<string, unknown>,
	): Promise<IDataObject | undefined> {
		const { search } = this.existing;
		if (search) return await this.search(api, identity, body, search(body));
		const everything = (this.everything ??= this.index(api));
		everything.catch(() => (this.everything = undefined));
		return (await everything).get(identity);
	}

	/** A search is one request for one item; the list may be as short, and then tells of all others, too. */
	private async search(
		api: Api,
		identity: string,
		body: Record<string, unknown>,
		query: Record<string, unknown>,
	): Promise<IDataObject | undefined> {
		const isWanted = (record: IDataObject): boolean => this.existing.present(record, body) === identity;
		if (this.isSearched) {
			if (!this.whole || this.whole.isOld) this.whole = new WholeList(api, this.list);
			const { whole } = this;
			await whole.readOn();
			const known = whole.records.find(isWanted);
			if (known || whole.isComplete) return known;
		}
		this.isSearched = true;
		for await (const record of recordsOf(api, this.list, { query })) if (isWanted(record)) return record;
		return undefined;
	}

	private async index(api: Api): Promise<Map<string, IDataObject>> {
		const index = new Map<string, IDataObject>();
		for await (const record of recordsOf(api, this.list)) {
			const identity = this.existing.present(record);
			if (identity !== undefined && !index.has(identity)) index.set(identity, record);
		}
		return index;
	}
}

/** The first pages of a list, read one at a time. */
class WholeList {
	readonly records: IDataObject[] = [];
	isComplete = false;
	private readonly begunAt = clock.now();
	private readonly pages: AsyncGenerator<Page>;
	private left = PAGES;
	private reading = Promise.resolve();

	constructor(api: Api, list: Operation) {
		this.pages = readPages(api, list);
	}

	get isOld(): boolean {
		return clock.now() - this.begunAt > FRESH_MS;
	}

	/** Reads one more page, unless all are read or enough; without it there is still the search. */
	async readOn(): Promise<void> {
		this.reading = this.reading.then(async () => await this.next()).catch(() => void (this.left = 0));
		await this.reading;
	}

	private async next(): Promise<void> {
		if (this.isComplete || this.left === 0) return;
		this.left -= 1;
		const { value } = await this.pages.next();
		this.records.push(...(value?.records ?? []));
		this.isComplete = !value?.more;
	}
}

async function created(create: Create): Promise<Created> {
	const made = await create();
	if ('refused' in made) throw made.refused;
	return { record: made.record, existed: false };
}
