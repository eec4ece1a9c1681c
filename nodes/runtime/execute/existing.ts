import type { IDataObject } from 'n8n-workflow';
import type { Existing } from '../table/listing';
import type { Operation, Api } from '../table/operation';
import { recordsOf } from '../transport/paging';

/** What creating came to: the answer's record, or one that was there before. */
interface Created {
	record: IDataObject;
	existed: boolean;
}

/** Creates a record; `refused` is the error if the service itself said no. */
export type Create = () => Promise<{ record: IDataObject } | { refused: Error }>;

/**
 * Remembers, for one run of one node, which records an account has: so that items that want the same thing,
 * even at the same time, make it once.
 */
export class ExistingRecords {
	/** What is wanted, by what identifies it: settled or still on its way. */
	private readonly wanted = new Map<string, Promise<Created>>();
	private everything: Promise<Map<string, IDataObject>> | undefined;

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
		const { search, present } = this.existing;
		if (search) {
			for await (const record of recordsOf(api, this.list, { query: search(body) })) {
				if (present(record, body) === identity) return record;
			}
			return undefined;
		}
		const everything = (this.everything ??= this.index(api));
		everything.catch(() => (this.everything = undefined));
		return (await everything).get(identity);
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

async function created(create: Create): Promise<Created> {
	const made = await create();
	if ('refused' in made) throw made.refused;
	return { record: made.record, existed: false };
}
