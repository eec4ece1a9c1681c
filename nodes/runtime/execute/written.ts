import type { IDataObject } from 'n8n-workflow';
import type { Existing } from '../table/listing';
import type { Operation, Resource, Api } from '../table/operation';
import { complete, type RecordKind } from '../table/record';
import { idOf, listOf, recordsOf } from '../transport/paging';
import { isRecord, toText } from '../values';
import { ExistingRecords, type Create } from './existing';

export type IfExists = 'fail' | 'return' | 'update';

/** A creation that looks first. */
interface Wanted {
	resource: Resource;
	row: Operation;
	existing: Existing;
	ifExists: IfExists;
	body: Record<string, unknown>;
	/** Whether records have all members that they declare. */
	isWhole: boolean;
}

/** Creates a record unless it exists; what becomes of the one that does, If Exists says. */
export async function createOnce(api: Api, wanted: Wanted, create: Create): Promise<IDataObject> {
	const { resource, row, ifExists, body, isWhole } = wanted;
	const existing = { ...wanted.existing, ...(ifExists === 'update' && wanted.existing.update) };
	const records = await api.once(
		`existing ${existing.sameness}`,
		async () => new ExistingRecords(existing, listOf(resource).row),
	);
	const { record, existed } = await records.ensure(api, body, create);
	if (!existed) return record;
	if (ifExists === 'fail') {
		throw api.invalid(
			`${resource.name} ${toText(record.id)} already exists ${existing.sameness}`,
			'Nothing was created. Choose another If Exists to create another or to get the existing one',
		);
	}
	const changed = ifExists === 'update' ? await updateExisting(api, resource, row, record, body) : {};
	if (!isWhole) return { ...record, ...changed, existed };
	const differs = differences(sentOf(row, body), record);
	return { ...complete(row.output.kind, record), ...changed, existed, differs };
}

/** The members of a record that its kind declares, as far as they are known. */
const declared = ({ members }: RecordKind, record: Record<string, unknown>): IDataObject =>
	Object.fromEntries(
		Object.entries(record).filter(([name, value]) => value !== undefined && Object.hasOwn(members, name)),
	) as IDataObject;

/** What is known of a written record from what was sent. */
export const sentOf = ({ output }: Operation, body: Record<string, unknown>): IDataObject =>
	declared(output.kind, output.sent?.(body) ?? {});

/** The members of a record that are known to be others than they were sent. Hosts change the case of names, and slashes. */
const differences = (sent: IDataObject, record: IDataObject): string[] =>
	Object.keys(sent).filter(
		(name) => (record[name] ?? undefined) !== undefined && plain(record[name]) !== plain(sent[name]),
	);

const plain = (value: unknown): string => toText(value).trim().toLowerCase().replace(/\/+$/, '');

/** Whether a record is known to hold what a field would set. */
function isSoAlready(create: Operation, [name, value]: [string, unknown], record: IDataObject): boolean {
	const sent = Object.entries(sentOf(create, { [name]: value }));
	return sent.length > 0 && sent.every(([member, wanted]) => toText(record[member]) === toText(wanted));
}

/** Changes the record that a creation wanted, with what its resource's update takes: what is known of it then. Nothing is sent where nothing would change. */
async function updateExisting(
	api: Api,
	{ operations, listing }: Resource,
	create: Operation,
	record: IDataObject,
	body: Record<string, unknown>,
): Promise<IDataObject> {
	const update = operations.update;
	const taken = Object.entries(body).filter(
		([name]) => !(name in create.body) || (update && name in update.body),
	);
	if (!update || !listing || taken.every((field) => isSoAlready(create, field, record))) return {};
	const path = { id: idOf(listing, record) };
	const answer = await api.ask(update, { path, body: Object.fromEntries(taken) });
	const picked = update.output.pick(answer, path);
	const answered = isRecord(picked) ? (update.output.kind.tidy(picked, answer.zone) as IDataObject) : {};
	return declared(create.output.kind, { ...create.output.sent?.(Object.fromEntries(taken)), ...answered });
}

/** A record that was written, as the service lists it: written it is, whatever comes of asking. */
export async function asListed(api: Api, resource: Resource, record: IDataObject): Promise<IDataObject> {
	const { listing, row } = listOf(resource);
	const url = listing.url?.(record);
	const query = typeof url === 'string' ? listing.findByUrl?.(url) : undefined;
	try {
		for await (const found of recordsOf(api, row, { query: query ?? {} })) {
			if (idOf(listing, found) === idOf(listing, record)) return { ...record, ...found };
		}
	} catch {
		api.hint(`${resource.name} ${toText(record.id)} was written, but the rest of it could not be had`);
	}
	return record;
}
