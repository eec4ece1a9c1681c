import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../api-types';
import type { Existing, LookUp } from '../table/listing';
import type { Resource } from '../table/operation';
import { listingOf, refuseRestless } from '../transport/find';
import { readPages } from '../transport/lists';
import { getOrCreate, quoted, toText, withoutBlanks } from '../values';

export interface KnownRecord {
	record: IDataObject;
	keys: string[];
	/** The fields that this run sent. The service shows some of them nowhere. */
	sent: Record<string, unknown>;
}

/** Whether this run sent nothing for a record: then it is as the service lists it. */
export const isUnwritten = ({ sent }: KnownRecord): boolean => Object.keys(sent).length === 0;

/** The records of an account that a run has read, created or updated, as last known. */
export class KnownRecords {
	private readonly byId = new Map<string, KnownRecord>();
	/** The ids of the records that have, or had, a key: each item of a long run may look among 100,000 records. */
	private readonly idsByKey = new Map<string, Set<string>>();
	/** The queries, as JSON, whose records are all known. The query without filters has all records of the account. */
	private readonly queries = new Set<string>();
	/** Whether the list has more pages than the run has items: then each item searches. */
	private isLong = false;

	constructor(
		private readonly resource: Resource,
		private readonly existing: Existing,
		private readonly itemCount: number,
	) {}

	async find(api: Api, lookUps: LookUp[]): Promise<KnownRecord | undefined> {
		for (const { key, search, refuses } of lookUps) {
			await this.readFor(api, search);
			const found = [...(this.idsByKey.get(key) ?? [])]
				.flatMap((id) => this.byId.get(id) ?? [])
				.filter(({ keys }) => keys.includes(key))
				.sort((a, b) => Number(a.record.id) - Number(b.record.id));
			if (refuses && found.length > refuses.above) {
				const { listing } = listingOf(this.resource);
				const names = found.map(
					({ record }) => `${quoted(listing.label(record))} (ID ${toText(record.id ?? 'unknown')})`,
				);
				throw api.inputError(`${refuses.reason}: ${names.join(', ')}`, 'This item wrote nothing');
			}
			if (found[0]) return found[0];
		}
		return undefined;
	}

	/**
	 * Adds a record, or what is now known of it: what this run wrote, it knows better than the list may show. Items find it as
	 * it is shown and as it was sent: a host may cut a name.
	 */
	put(record: IDataObject, sent: Record<string, unknown> = {}): KnownRecord {
		const asked = this.existing.lookUps(withoutBlanks(sent)).filter(({ refuses }) => refuses?.above !== 0);
		const own = this.existing.keysOf(record);
		const known = { record, keys: [...own, ...asked.map(({ key }) => key)], sent };
		// Some hosts list records without an id.
		const id = toText(record.id ?? own);
		const before = this.byId.get(id);
		if (before && isUnwritten(known) && !isUnwritten(before)) return before;
		this.byId.set(id, known);
		for (const key of known.keys) getOrCreate(this.idsByKey, key, () => new Set()).add(id);
		return known;
	}

	/** Makes the next look-up read again, after a write that failed. Keeps what the run wrote, but not the record of that write. */
	forget(failed?: KnownRecord): void {
		for (const [id, known] of this.byId) if (known === failed || isUnwritten(known)) this.byId.delete(id);
		this.queries.clear();
	}

	/**
	 * Reads what a look-up needs, unless it is known. If the service can't search, or the list has at most as many pages as the
	 * run has items: the whole list, once for all items. Otherwise: the records that the search of each item finds.
	 */
	private async readFor(api: Api, search: LookUp['search']): Promise<void> {
		if (!search) return await this.read(api, {});
		if (!this.isLong) await this.read(api, {}, this.itemCount);
		// Reads nothing if the whole list is known now.
		await this.read(api, search);
	}

	/**
	 * Reads the records of a query, unless they are known. If they have more than `longest` pages, only notes that: each item
	 * will search, and must not find what the first page showed before.
	 */
	private async read(api: Api, query: Record<string, unknown>, longest = Infinity): Promise<void> {
		const name = JSON.stringify(query);
		if (this.queries.has('{}') || this.queries.has(name)) return;
		const { row } = listingOf(this.resource);
		let records: IDataObject[] = [];
		const reading = { isCareful: true, onUnrest: refuseRestless(row, api) };
		for await (const { number, more, counts, soFar } of readPages(api, row, { query }, reading)) {
			if (number === 1 && more && (counts?.last ?? Infinity) > longest) {
				this.isLong = true;
				return;
			}
			records = soFar;
		}
		this.queries.add(name);
		for (const record of records) this.put(record);
	}
}
