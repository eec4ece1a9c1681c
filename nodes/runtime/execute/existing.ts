import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Page, Api } from '../api-types';
import type { Existing } from '../table/listing';
import type { Operation, Resource } from '../table/operation';
import { fillMissing, type RecordSchema } from '../table/record';
import type { IfExists } from '../table/settings';
import { idOf, listingOf, readPages, recordsOf } from '../transport/lists';
import { clock } from '../clock';
import { isRecord, toText } from '../values';

/** A record to create, unless it exists. */
interface NewRecord {
	resource: Resource;
	row: Operation;
	ifExists: IfExists;
	body: Record<string, unknown>;
}

/** Creates a record unless it exists. `ifExists` says what to do with an existing one. */
export async function createOnce(api: Api, wanted: NewRecord, create: Create): Promise<IDataObject> {
	const { resource, row, ifExists, body } = wanted;
	if (!row.existing) throw new Error(`${row.route} has no If Exists`);
	const existing = { ...row.existing, ...(ifExists === 'update' && row.existing.update) };
	const records = await api.once(
		`existing ${existing.matchedBy}`,
		async () => new ExistingRecords(existing, listingOf(resource).row),
	);
	const { record, existed } = await records.findOrCreate(api, body, create);
	if (!existed) return record;
	if (ifExists === 'fail') {
		throw api.inputError(
			`${resource.name} ${toText(record.id)} exists already, ${existing.matchedBy}`,
			'Nothing was created. Set If Exists to Create Another or Return Existing',
		);
	}
	const changed = ifExists === 'update' ? await updateExisting(api, wanted, record) : {};
	const differs = differences(membersFromBody(row, body), record);
	return { ...fillMissing(row.output.schema, record), ...changed, existed, differs };
}

/** The members of a record that its schema declares, without undefined ones. */
const onlyDeclared = ({ members }: RecordSchema, record: Record<string, unknown>): IDataObject =>
	Object.fromEntries(
		Object.entries(record).filter(([name, value]) => value !== undefined && Object.hasOwn(members, name)),
	) as IDataObject;

/** The members of a written record that the body sets. */
export const membersFromBody = ({ output }: Operation, body: Record<string, unknown>): IDataObject =>
	onlyDeclared(output.schema, output.schema.coerce(output.fromBody?.(body) ?? {}) as IDataObject);

/** The names of members whose values differ from those sent. Ignores case and trailing slashes, which hosts change. */
const differences = (sent: IDataObject, record: IDataObject): string[] =>
	Object.keys(sent).filter(
		(name) =>
			(record[name] ?? undefined) !== undefined &&
			comparableText(record[name]) !== comparableText(sent[name]),
	);

const comparableText = (value: unknown): string => toText(value).trim().toLowerCase().replace(/\/+$/, '');

/** Whether a record already has the value that one member of the body would set. */
function alreadyHas(row: Operation, [name, value]: [string, unknown], record: IDataObject): boolean {
	const sent = Object.entries(membersFromBody(row, { [name]: value }));
	return sent.length > 0 && sent.every(([member, expected]) => toText(record[member]) === toText(expected));
}

/**
 * Updates the existing record through the resource's `update`. Sends nothing if nothing would change. Returns the
 * changed members.
 */
async function updateExisting(
	api: Api,
	{ resource, row, body }: NewRecord,
	record: IDataObject,
): Promise<IDataObject> {
	const { listing } = listingOf(resource);
	// The type `RequiredUpdate` guarantees this operation if a row has `existing`.
	const update = resource.operations.update!;
	// The fields that `update` has, and the members that `prepare` added, which are no fields of either row.
	const changes = Object.entries(body).filter(([name]) => name in update.body || !(name in row.body));
	if (changes.every((change) => alreadyHas(row, change, record))) return {};
	const path = { id: idOf(listing, record) };
	const sent = Object.fromEntries(changes);
	const response = await api.ask(update, { path, body: sent });
	const selected = update.output.select(response, path);
	const returned = isRecord(selected)
		? (update.output.schema.coerce(selected, response.zone) as IDataObject)
		: {};
	return { ...membersFromBody(row, sent), ...onlyDeclared(row.output.schema, returned) };
}

/**
 * A written record as the service lists it. If the list can't be read, adds a hint and returns the record as it is,
 * because the write succeeded.
 */
export async function asListed(api: Api, resource: Resource, record: IDataObject): Promise<IDataObject> {
	const { listing, row } = listingOf(resource);
	const url = listing.url?.(record);
	const query = typeof url === 'string' ? listing.findByUrl?.(url) : undefined;
	try {
		for await (const found of recordsOf(api, row, { query: query ?? {} })) {
			if (idOf(listing, found) === idOf(listing, record)) return { ...record, ...found };
		}
	} catch {
		api.hint(`${resource.name} ${toText(record.id)} was written, but could not be read back`);
	}
	return record;
}

/** Takes the place of a response if If Exists found or created the record: an existing record may need no request. */
interface EnsuredResponse extends ApiResponse {
	ensured: IDataObject;
}

export const ensuredResponse = (ensured: IDataObject): EnsuredResponse => ({
	host: '',
	status: 200,
	headers: {},
	bytes: Buffer.alloc(0),
	text: '',
	json: undefined,
	ensured,
});

/** The record that If Exists found or created. */
export const ensuredIn = (response: ApiResponse | EnsuredResponse): IDataObject | undefined =>
	'ensured' in response ? response.ensured : undefined;

/** A record that was created, or that existed. */
interface Ensured {
	record: IDataObject;
	existed: boolean;
}

/** Creates a record. Returns the error in `refused` if the service itself refused the request; throws any other error. */
export type Create = () => Promise<{ record: IDataObject } | { refused: Error }>;

/** A list with at most this many pages is read whole, which saves a search for each item. */
const MAX_PAGES = 5;
/** How long pages of the list are used after reading began. */
const FRESH_MS = 60_000;

/**
 * The records that an account has, for one run of one node. Items with the same key create one record, even if they run
 * at the same time.
 */
export class ExistingRecords {
	/** The record of each key, found, created, or still looked for. */
	private readonly ensured = new Map<string, Promise<Ensured>>();
	private index: Promise<Map<string, IDataObject>> | undefined;
	private hasSearched = false;
	private firstPages: FirstPages | undefined;

	constructor(
		private readonly existing: Existing,
		private readonly list: Operation,
	) {}

	/** The existing record, or a new one. Items with the same key share a record. */
	async findOrCreate(api: Api, body: Record<string, unknown>, create: Create): Promise<Ensured> {
		const key = this.existing.keyOfInput(body);
		if (key === undefined) return await createUnchecked(create);
		let ofOther = this.ensured.get(key);
		while (ofOther) {
			const found = await ofOther.catch(() => undefined);
			if (found) return { record: found.record, existed: true };
			// The other item failed. Of the items that waited for it, the first tries next, and the others wait again.
			ofOther = this.ensured.get(key);
		}
		const own = this.lookUpThenCreate(api, key, body, create);
		this.ensured.set(key, own);
		// Registered before any item can wait for `own`: so the key is free when the waiting items look again.
		own.catch(() => {
			this.ensured.delete(key);
			// The service may have created the record nevertheless: the next item reads the list again.
			this.index = undefined;
			this.firstPages = undefined;
		});
		return await own;
	}

	private async lookUpThenCreate(
		api: Api,
		key: string,
		body: Record<string, unknown>,
		create: Create,
	): Promise<Ensured> {
		const found = await this.find(api, key, body);
		if (found) return { record: found, existed: true };
		const created = await create();
		if ('record' in created) return { record: created.record, existed: false };
		const conflict = this.existing.onConflict?.(body);
		if (conflict) {
			for await (const record of recordsOf(api, this.list, { query: conflict.search })) {
				if (conflict.matches(record)) return { record, existed: true };
			}
		}
		throw created.refused;
	}

	private async find(api: Api, key: string, body: Record<string, unknown>): Promise<IDataObject | undefined> {
		const { search } = this.existing;
		if (search) return await this.search(api, key, body, search(body));
		const index = (this.index ??= this.buildIndex(api));
		index.catch(() => (this.index = undefined));
		return (await index).get(key);
	}

	/**
	 * The first item causes one search. Each later item first reads one more page of the list, and searches only if the
	 * pages so far don't have the record. Once a short list is known whole, no item needs a search.
	 */
	private async search(
		api: Api,
		key: string,
		body: Record<string, unknown>,
		query: Record<string, unknown>,
	): Promise<IDataObject | undefined> {
		const isMatch = (record: IDataObject): boolean => this.existing.keyOfRecord(record, body) === key;
		if (this.hasSearched) {
			if (!this.firstPages || this.firstPages.isOld) this.firstPages = new FirstPages(api, this.list);
			const { firstPages: pages } = this;
			await pages.readOn();
			const known = pages.records.find(isMatch);
			if (known || pages.isComplete) return known;
		}
		this.hasSearched = true;
		for await (const record of recordsOf(api, this.list, { query })) if (isMatch(record)) return record;
		return undefined;
	}

	private async buildIndex(api: Api): Promise<Map<string, IDataObject>> {
		const index = new Map<string, IDataObject>();
		for await (const record of recordsOf(api, this.list)) {
			const key = this.existing.keyOfRecord(record);
			if (key !== undefined && !index.has(key)) index.set(key, record);
		}
		return index;
	}
}

/** The first pages of a list, read one at a time. */
class FirstPages {
	readonly records: IDataObject[] = [];
	isComplete = false;
	private readonly begunAt = clock.uptime();
	private readonly pages: AsyncGenerator<Page>;
	private left = MAX_PAGES;
	private reading = Promise.resolve();

	constructor(api: Api, list: Operation) {
		this.pages = readPages(api, list);
	}

	get isOld(): boolean {
		return clock.uptime() - this.begunAt > FRESH_MS;
	}

	/** Reads one more page, unless the list has ended or `MAX_PAGES` were read. After a failure, it reads no more. */
	async readOn(): Promise<void> {
		this.reading = this.reading.then(async () => await this.next()).catch(() => void (this.left = 0));
		await this.reading;
	}

	private async next(): Promise<void> {
		if (this.isComplete || this.left === 0) return;
		this.left -= 1;
		const { value } = await this.pages.next();
		for (const record of value?.records ?? []) this.records.push(record);
		this.isComplete = !value?.more;
	}
}

async function createUnchecked(create: Create): Promise<Ensured> {
	const created = await create();
	if ('refused' in created) throw created.refused;
	return { record: created.record, existed: false };
}
