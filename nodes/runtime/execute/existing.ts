import type { IDataObject } from 'n8n-workflow';
import { isSameAddress } from '../addresses';
import type { Api, ApiResponse } from '../api-types';
import type { Existing, LookUp } from '../table/listing';
import type { Operation, Resource } from '../table/operation';
import { fillMissing, type RecordSchema } from '../table/record';
import type { IfExists } from '../table/settings';
import { idOf, listingOf, readPages, recordsOf, type Reading } from '../transport/lists';
import { inSentence, inSequence, isRecord, quoted, settled, toText } from '../values';

/** A record to create, unless it exists. */
interface NewRecord {
	resource: Resource;
	row: Operation;
	ifExists: IfExists;
	body: Record<string, unknown>;
	/** The number of items in the run. */
	itemCount: number;
}

/** A record that was created, found or updated. */
interface Ensured {
	record: IDataObject;
	/** The response to the request that wrote the record; undefined if none was sent. */
	response?: ApiResponse;
}

/** Creates a record. Returns the error in `refused` if the service itself refused the request; throws any other error. */
type Create = () => Promise<{ record: IDataObject; response: ApiResponse } | { refused: Error }>;

/**
 * Creates a record unless it exists. `ifExists` says what to do with an existing one. Items take turns, so that each knows
 * what those before it wrote.
 */
export async function createOnce(api: Api, wanted: NewRecord, create: Create): Promise<Ensured> {
	const { resource, row } = wanted;
	const { existing } = row;
	if (!existing) throw new Error(`${row.route} has no If Exists`);
	const name = `existing ${resource.name}`;
	const known = await api.once(name, async () => new KnownRecords(resource, existing));
	return await inSequence(`${await api.account()} ${name}`, async () => {
		return await ensure(api, known, wanted, create);
	});
}

async function ensure(api: Api, known: KnownRecords, wanted: NewRecord, create: Create): Promise<Ensured> {
	const { resource, row, ifExists, body } = wanted;
	const { matchedBy, lookUps } = known.existing;
	const found = await known.find(api, lookUps(body), wanted.itemCount);
	if (!found) {
		if (ifExists === 'fail' && lookUps(body).length === 0) {
			const reason = `Fail looks for a ${inSentence(resource.name)} ${matchedBy}, but this one has nothing to compare`;
			throw api.inputError(`If Exists → ${reason}`, 'Enter it, or set If Exists to Create Another');
		}
		const created = await known.orForget(create());
		if ('refused' in created) throw created.refused;
		const { record, response } = created;
		const differs = differences(row, body, known.put(record, body));
		return { record: { ...fillMissing(row.output.schema, record), existed: false, differs }, response };
	}
	if (ifExists === 'fail') {
		throw api.inputError(
			`${resource.name} ${toText(found.record.id)} exists already, ${matchedBy}`,
			'Nothing was created. Set If Exists to Create Another or Return Existing',
		);
	}
	const current: KnownRecord & { response?: ApiResponse } =
		ifExists === 'update' ? await update(api, known, wanted, found) : found;
	const differs = differences(row, body, current);
	return {
		record: { ...fillMissing(row.output.schema, current.record), existed: true, differs },
		response: current.response,
	};
}

/** Updates a record through the resource's `update`; returns it as it is now. Sends nothing if it has all values. */
async function update(
	api: Api,
	known: KnownRecords,
	{ resource, row, body }: NewRecord,
	found: KnownRecord,
): Promise<KnownRecord & { response?: ApiResponse }> {
	// The type `RequiredUpdate` guarantees this operation if a row has `existing`.
	const { update: updating } = resource.operations as Record<'update', Operation>;
	// The fields that `update` has, and the members that `prepare` added, which are no fields of either row.
	const entries = Object.entries(body).filter(([name]) => name in updating.body || !(name in row.body));
	const sent = Object.fromEntries(entries);
	if (differences(row, sent, found).length === 0) return found;
	const path = { id: idOf(listingOf(resource).listing, found.record) };
	const response = await known.orForget(api.ask(updating, { path, body: sent }));
	const selected = updating.output.select(response, path);
	const returned = isRecord(selected)
		? (updating.output.schema.coerce(selected, response.zone) as IDataObject)
		: {};
	const written = { ...membersFromBody(row, sent), ...onlyDeclared(row.output.schema, returned) };
	return { ...known.put({ ...found.record, ...written }, { ...found.sent, ...sent }), response };
}

/** A record as last known. */
interface KnownRecord {
	record: IDataObject;
	/** The fields that this run sent. The service shows some of them nowhere. */
	sent: Record<string, unknown>;
}

/** The records of an account that a run has read, created or updated, as last known. */
class KnownRecords {
	private readonly byId = new Map<string, KnownRecord>();
	private readonly idsByKey = new Map<string, Set<string>>();
	private readonly searched = new Set<string>();
	/** Whether all records are known. */
	private isWhole = false;
	/** Whether the list has more pages than the run has items: then each item searches. */
	private isLong = false;

	constructor(
		private readonly resource: Resource,
		readonly existing: Existing,
	) {}

	/** The existing record that the first successful look-up finds. */
	async find(api: Api, lookUps: LookUp[], itemCount: number): Promise<KnownRecord | undefined> {
		for (const lookUp of lookUps) {
			if (!this.isWhole) await this.read(api, lookUp, itemCount);
			const found = [...(this.idsByKey.get(lookUp.key) ?? [])].flatMap((id) => this.byId.get(id) ?? []);
			const [oldest] = found.sort((a, b) => Number(a.record.id) - Number(b.record.id));
			if (oldest && found.length > (lookUp.refuses?.above ?? Infinity)) {
				const { listing } = listingOf(this.resource);
				const names = found.map(({ record }) => `${quoted(listing.label(record))} (ID ${toText(record.id)})`);
				throw api.inputError(`${lookUp.refuses?.reason}: ${names.join(', ')}`, 'Nothing was written');
			}
			if (oldest) return oldest;
		}
		return undefined;
	}

	/** Adds a record, or what is now known of it. */
	put(record: IDataObject, sent: Record<string, unknown> = {}): KnownRecord {
		const id = toText(record.id ?? this.existing.keysOf(record)[0]);
		const before = this.byId.get(id);
		for (const key of before ? this.existing.keysOf(before.record) : []) this.idsByKey.get(key)?.delete(id);
		const known = { record, sent };
		this.byId.set(id, known);
		for (const key of this.existing.keysOf(record)) {
			this.idsByKey.set(key, (this.idsByKey.get(key) ?? new Set()).add(id));
		}
		return known;
	}

	/** The result of a write. If it fails, the service may have carried it out: then later items read the records again. */
	async orForget<Done>(write: Promise<Done>): Promise<Done> {
		const written = await settled(write);
		if ('value' in written) return written.value;
		this.byId.clear();
		this.idsByKey.clear();
		this.searched.clear();
		this.isWhole = false;
		throw written.error as Error;
	}

	/** Reads what a look-up may find: the list if it is short, otherwise the results of a search. */
	private async read(api: Api, { search }: LookUp, itemCount: number): Promise<void> {
		const { row } = listingOf(this.resource);
		const atRest: Reading = {
			isCareful: true,
			onUnrest: () => {
				const message = `The list ${row.template} kept changing while it was read`;
				throw api.apiError(message, 'Nothing was written, because the record may exist. Run the item again.');
			},
		};
		if (!search || (itemCount > 1 && !this.isLong)) {
			const mayReadOn = (): boolean => !search || !this.isLong;
			for await (const page of readPages(api, row, undefined, { ...atRest, mayReadOn })) {
				if (page.number === 1) this.isLong = page.more && (page.counts?.last ?? Infinity) > itemCount;
				for (const record of page.records) this.learn(record);
				this.isWhole = !page.more;
			}
			if (this.isWhole) return;
		}
		const query = JSON.stringify(search);
		if (this.searched.has(query)) return;
		for await (const record of recordsOf(api, row, { query: search ?? {} }, atRest)) this.learn(record);
		this.searched.add(query);
	}

	/** Adds a record that was read, unless this run wrote it: then the run knows more than the list may show. */
	private learn(record: IDataObject): void {
		if (!this.byId.has(toText(record.id))) this.put(record);
	}
}

/** The members of a record that its schema declares, without undefined ones. */
const onlyDeclared = ({ members }: RecordSchema, record: Record<string, unknown>): IDataObject =>
	Object.fromEntries(
		Object.entries(record).filter(([name, value]) => value !== undefined && Object.hasOwn(members, name)),
	) as IDataObject;

/** The members of a written record that the body sets. */
export const membersFromBody = ({ output }: Operation, body: Record<string, unknown>): IDataObject =>
	onlyDeclared(output.schema, output.schema.coerce(output.fromBody?.(body) ?? {}) as IDataObject);

/**
 * The names of the fields that the record does not have as the body sets them, or that can't be compared: neither does
 * the record show them, nor did this run send them.
 */
const differences = (row: Operation, body: Record<string, unknown>, known: KnownRecord): string[] =>
	Object.entries(body).flatMap(([field, value]) => {
		const shown = { ...row.existing?.facts?.(known.record), ...withoutBlanks(known.record) };
		const expected = Object.entries(membersFromBody(row, { [field]: value }));
		const isShown = expected.length > 0 && expected.every(([member]) => member in shown);
		const isSame = isShown
			? expected.every(([member, wanted]) => agrees(shown[member], wanted))
			: field in known.sent && JSON.stringify(known.sent[field]) === JSON.stringify(value);
		return isSame ? [] : [expected[0]?.[0] ?? field];
	});

const withoutBlanks = (record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null));

/** Whether a value is the wanted one. A record may have more members, and a list more entries. */
function agrees(value: unknown, wanted: unknown): boolean {
	if (Array.isArray(wanted) && Array.isArray(value)) {
		return wanted.every((entry) => value.some((candidate) => agrees(candidate, entry)));
	}
	if (isRecord(wanted) && isRecord(value)) {
		return Object.entries(wanted).every(([name, member]) => agrees(value[name], member));
	}
	return toText(value).trim() === toText(wanted).trim() || isSameAddress(value, wanted);
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

/** A response with the record. With Raw Response, the response to the item's request, or that there was none. */
export const ensuredResponse = ({ record, response }: Ensured, isRaw: boolean): ApiResponse => {
	if (isRaw && response) return response;
	const noRequest = { message: 'The record exists: no request was sent for this item', id: record.id };
	const none = { host: '', status: 200, headers: {}, bytes: Buffer.alloc(0), text: '', json: noRequest };
	const ensured: EnsuredResponse = { ...none, ensured: record };
	return isRaw ? none : ensured;
};

/** The record that If Exists found or created. */
export const ensuredIn = (response: ApiResponse | EnsuredResponse): IDataObject | undefined =>
	'ensured' in response ? response.ensured : undefined;
