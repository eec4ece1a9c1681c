import type { IDataObject } from 'n8n-workflow';
import { isSameAddress, withScheme } from '../addresses';
import type { Api, ApiRequest, ApiResponse } from '../api-types';
import { classOf, isInDoubt } from '../errors/errors';
import type { Existing, LookUp } from '../table/listing';
import { membersFromBody, type Operation, type Resource } from '../table/operation';
import { fillMissing, onlyDeclared } from '../table/record';
import type { IfExists } from '../table/settings';
import { listingOf, readPages, recordsOf, refuseRestless, shownId, type Reading } from '../transport/lists';
import { inSentence, inSequence, isBlank, isRecord, quoted, toText } from '../values';

/** A record to create, unless it exists. */
interface NewRecord {
	resource: Resource;
	row: Operation;
	existing: Existing;
	ifExists: IfExists;
	body: Record<string, unknown>;
	labels?: ApiRequest['labels'];
	/** Whether the record is returned as the service lists it. */
	wantsWhole: boolean;
	itemCount: number;
}

/** A record that was created, found or updated. */
interface Ensured {
	record: IDataObject;
	/** The response to the request that wrote the record; undefined if none was sent. */
	response?: ApiResponse;
}

type Create = () => Promise<Required<Ensured>>;

/** Creates a record unless it exists. Items take turns, so that each knows what those before it wrote. */
export async function createOnce(api: Api, wanted: NewRecord, create: Create): Promise<Ensured> {
	const { resource, existing, itemCount } = wanted;
	const name = `existing ${resource.name}`;
	const known = await api.once(name, async () => new KnownRecords(resource, existing, itemCount));
	return await inSequence(`${await api.account()} ${name}`, async () => {
		return await ensure(api, known, wanted, create);
	});
}

async function ensure(api: Api, known: KnownRecords, wanted: NewRecord, create: Create): Promise<Ensured> {
	const { resource, row, existing, ifExists, body, wantsWhole } = wanted;
	const { matchedBy, lookUps } = existing;
	const looksFor = ifExists === 'create' ? [] : lookUps(withoutBlanks(body));
	const found = await known.find(api, looksFor);
	if (ifExists === 'fail' && looksFor.length === 0) {
		const reason = `Fail looks for a ${inSentence(resource.name)} ${matchedBy}, but this one has nothing to compare`;
		throw api.inputError(`If Exists → ${reason}`, 'Enter it, or set If Exists to Create Another');
	}
	if (ifExists === 'fail' && found) {
		throw api.inputError(
			`${resource.name} ${toText(found.record.id ?? 'without ID')} exists already, ${matchedBy}`,
			'This item created nothing. Set If Exists to Create Another or Return Existing',
		);
	}
	const { now: written, response } = !found
		? await creation(known, body, create)
		: ifExists === 'update'
			? await update(api, known, wanted, found)
			: { now: found };
	const { sent } = written;
	const now = wantsWhole ? known.put(await asListed(api, resource, written.record), sent) : written;
	const differs = ifExists === 'create' ? [] : differences(row, body, now);
	const record = { ...fillMissing(row.output.schema, now.record), existed: found !== undefined, differs };
	return { record, response };
}

/** A record as it is now, and the response to the request that wrote it. */
interface Written {
	now: KnownRecord;
	response?: ApiResponse;
}

async function creation(known: KnownRecords, body: NewRecord['body'], create: Create): Promise<Written> {
	try {
		const { record, response } = await create();
		return { now: known.put(record, body), response };
	} catch (error) {
		// A refused creation changed nothing.
		if (classOf(error) !== 'refused' || isInDoubt(error)) known.forget();
		throw error as Error;
	}
}

/** Updates a record through the resource's `update`. Sends nothing if it has all values. */
async function update(
	api: Api,
	known: KnownRecords,
	{ resource, row, body, labels }: NewRecord,
	found: KnownRecord,
): Promise<Written> {
	const { update: updating } = resource.operations as Record<'update', Operation>;
	// The fields that `update` has, and the members that `prepare` added, which are no fields of either row.
	const entries = Object.entries(body).filter(([name]) => name in updating.body || !(name in row.body));
	const sent = Object.fromEntries(entries);
	if (differences(row, sent, found).length === 0) return { now: found };
	const path = { id: shownId(api, listingOf(resource).listing, found.record) };
	// The form of this operation has no field for the id: without it in the row, errors don't name one.
	const asked = { ...updating, path: {} };
	const response = await api.ask(asked, { path, body: sent, labels }).catch((error: Error) => {
		known.forget();
		throw error;
	});
	const selected = updating.output.select(response, path);
	const returned = isRecord(selected)
		? (updating.output.schema.coerce(selected, response.zone) as IDataObject)
		: {};
	const written = { ...membersFromBody(row.output, sent), ...onlyDeclared(row.output.schema, returned) };
	return { now: known.put({ ...found.record, ...written }, { ...found.sent, ...sent }), response };
}

interface KnownRecord {
	record: IDataObject;
	keys: string[];
	/** The fields that this run sent. The service shows some of them nowhere. */
	sent: Record<string, unknown>;
}

/** The records of an account that a run has read, created or updated, as last known. */
class KnownRecords {
	private readonly byId = new Map<string, KnownRecord>();
	/** The queries, as JSON, of which all records are known. Without filters, these are all of the account. */
	private readonly queries = new Set<string>();
	/** Whether the list has more pages than the run has items: then each item searches. */
	private isLong = false;

	constructor(
		private readonly resource: Resource,
		private readonly existing: Existing,
		/** The number of items in the run. */
		private readonly itemCount: number,
	) {}

	async find(api: Api, lookUps: LookUp[]): Promise<KnownRecord | undefined> {
		for (const lookUp of lookUps) {
			const { key, refuses } = lookUp;
			await this.readFor(api, lookUp);
			const found = [...this.byId.values()]
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

	/** Adds a record, or what is now known of it. */
	put(record: IDataObject, sent: Record<string, unknown> = {}): KnownRecord {
		const keys = this.existing.keysOf(record);
		const known = { record, keys, sent };
		this.byId.set(toText(record.id ?? keys[0]), known);
		return known;
	}

	/** After a write that the service may have carried out, or that a deleted record made fail: reads the records again. */
	forget(): void {
		this.byId.clear();
		this.queries.clear();
	}

	/**
	 * Reads what a look-up needs, unless it is known: the whole list, once for all items; or, if it has more pages than the
	 * run has items, the records that a search finds.
	 */
	private async readFor(api: Api, { search }: LookUp): Promise<void> {
		if (!search) return await this.read(api, {});
		if (this.itemCount > 1 && !this.isLong) await this.read(api, {}, this.itemCount);
		await this.read(api, search);
	}

	/** Reads the records of a query, unless they are known. If they have more pages than `longest`, only notes that. */
	private async read(api: Api, query: Record<string, unknown>, longest = Infinity): Promise<void> {
		const name = JSON.stringify(query);
		if (this.queries.has('{}') || this.queries.has(name)) return;
		const { row } = listingOf(this.resource);
		let records: IDataObject[] = [];
		let isLong = false;
		const reading: Reading = {
			isCareful: true,
			mayReadOn: () => !isLong,
			onUnrest: refuseRestless(row, api),
		};
		for await (const { number, more, counts, entries } of readPages(api, row, { query }, reading)) {
			isLong = number === 1 ? more && (counts?.last ?? Infinity) > longest : isLong;
			records = number === 1 ? entries : [...records, ...entries];
		}
		if (isLong) {
			// Its first page would be out of date when an item searches.
			this.isLong = true;
			return;
		}
		this.queries.add(name);
		// What this run wrote, it knows better than the list may show.
		for (const record of records) if (!this.isWritten(record)) this.put(record);
	}

	private isWritten({ id }: IDataObject): boolean {
		return Object.keys(this.byId.get(toText(id))?.sent ?? {}).length > 0;
	}
}

/** The fields that the record does not show as the body sets them, and that this run did not send. */
const differences = (row: Operation, body: Record<string, unknown>, known: KnownRecord): string[] =>
	Object.entries(body).flatMap(([field, value]) => {
		const shown = { ...row.existing?.facts?.(known.record), ...withoutBlanks(known.record) };
		const expected = Object.entries(membersFromBody(row.output, { [field]: value }));
		// A blank member counts only if a blank one is wanted: others may be unknown.
		const valueOf = (member: string, wanted: unknown): unknown =>
			(isBlank(wanted) ? known.record : shown)[member];
		const isShown =
			expected.length > 0 && expected.every(([member, wanted]) => shows(valueOf(member, wanted), wanted));
		const isSame = isShown
			? expected.every(([member, wanted]) => agrees(valueOf(member, wanted), wanted))
			: field in known.sent && JSON.stringify(known.sent[field]) === JSON.stringify(value);
		return isSame ? [] : [expected[0]?.[0] ?? field];
	});

/** Whether a value can be compared with the wanted one: a reference to another record may lack its id. */
function shows(value: unknown, wanted: unknown): boolean {
	if (Array.isArray(value) && Array.isArray(wanted)) return value.every((entry) => shows(entry, wanted[0]));
	if (!isRecord(value) || !isRecord(wanted)) return value !== undefined;
	return Object.keys(wanted).every((name) => name in value);
}

const withoutBlanks = <Value>(record: Record<string, Value>): Record<string, Value> =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlank(value)));

/**
 * Whether a value is the wanted one. A record may have more members, and a list more entries. A domain may lack its
 * scheme, and a color may be in capitals.
 */
function agrees(value: unknown, wanted: unknown): boolean {
	if (Array.isArray(wanted) && Array.isArray(value)) {
		return wanted.every((entry) => value.some((candidate) => agrees(candidate, entry)));
	}
	if (isRecord(wanted) && isRecord(value)) {
		return Object.entries(wanted).every(([name, member]) => agrees(value[name], member));
	}
	if (isBlank(wanted)) return isBlank(value);
	const [shown, asked] = [toText(value).trim(), toText(wanted).trim()];
	if (/^#[\da-f]{6}$/i.test(asked)) return shown.toLowerCase() === asked.toLowerCase();
	return shown === asked || isSameAddress(withScheme(shown), asked);
}

/**
 * A written record as the service lists it. If the list can't be read or lacks it, adds a hint and returns the record as it
 * is, because the write succeeded.
 */
export async function asListed(api: Api, resource: Resource, record: IDataObject): Promise<IDataObject> {
	const { listing, row } = listingOf(resource);
	const url = listing.url?.(record);
	const query = typeof url === 'string' ? listing.findByUrl?.(url) : undefined;
	try {
		for await (const found of recordsOf(api, row, { query: query ?? {} })) {
			if (!isBlank(found.id) && found.id === record.id) return { ...record, ...found };
		}
	} catch {
		// The hint says so.
	}
	api.hint(`${resource.name} ${toText(record.id ?? 'without ID')} could not be read back`);
	return record;
}
