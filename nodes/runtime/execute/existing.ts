import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse, RequestParts } from '../api-types';
import { classOf, isInDoubt } from '../errors/errors';
import type { Existing } from '../table/listing';
import { membersFromBody, type Operation } from '../table/operation';
import { onlyDeclared } from '../table/record';
import { asListed, listingOf, shownId } from '../transport/find';
import { inSentence, inSequence, omit, toText, withoutBlanks } from '../values';
import { differences, factsOf } from './differences';
import type { ItemInput } from './item-input';
import { isUnwritten, KnownRecords, type KnownRecord } from './known-records';
import type { Run } from './run';

/** A record that an item asks for, and what to do if it exists. */
interface Wanted {
	existing: Existing;
	run: Pick<Run, 'resource' | 'row' | 'looksForExisting' | 'itemCount'>;
	settings: Pick<ItemInput['settings'], 'ifExists' | 'wantsWhole'>;
	parts: Pick<RequestParts, 'body' | 'labels'>;
}

/** The wanted record: it was created, found, or found and updated. */
export interface Ensured {
	record: IDataObject;
	existed: boolean;
	/** The fields that are not as the item asks for. */
	differs: string[];
	/** The response to the request that wrote the record; undefined if none was sent. */
	response?: ApiResponse;
}

type Create = () => Promise<{ record: IDataObject; response: ApiResponse }>;

/** Finds or creates a record, as If Exists says. No other run of this process that looks for records does so meanwhile. */
export async function ensure(api: Api, wanted: Wanted, create: Create): Promise<Ensured> {
	const { resource, looksForExisting, itemCount } = wanted.run;
	const noneKnown = () => new KnownRecords(resource, wanted.existing, itemCount);
	if (!looksForExisting) return await ensureNow(api, noneKnown(), wanted, create);
	const name = `existing ${resource.name}`;
	// Also for an item with Create Another, whose record the next item may look for.
	const known = await api.once(name, async () => noneKnown());
	const work = async (): Promise<Ensured> => await ensureNow(api, known, wanted, create);
	return await inSequence(`${(await api.owner()).lastingAccount} ${name}`, work, api.signal);
}

async function ensureNow(api: Api, known: KnownRecords, wanted: Wanted, create: Create): Promise<Ensured> {
	const { resource, row } = wanted.run;
	const { ifExists, wantsWhole } = wanted.settings;
	const { body } = wanted.parts;
	const { matchedBy, lookUps } = wanted.existing;
	const looksFor = ifExists === 'create' ? [] : lookUps(withoutBlanks(body));
	if (ifExists === 'fail' && looksFor.length === 0) {
		const reason = `Fail looks for a ${inSentence(resource.name)} ${matchedBy}, but this one has nothing to compare`;
		throw api.inputError(`If Exists → ${reason}`, 'Enter it, or set If Exists to Create Another');
	}
	const found = await known.find(api, looksFor);
	if (ifExists === 'fail' && found) {
		throw api.inputError(
			`${resource.name} ${toText(found.record.id ?? 'without ID')} exists already, ${matchedBy}`,
			'This item created nothing. Set If Exists to Create Another or Return Existing',
		);
	}
	const { now, response } = found
		? await keptOrUpdated(api, known, wanted, found)
		: await created(known, body, create);
	const mustRead = wantsWhole && !isUnwritten(now);
	const shown = mustRead ? known.put(await asListed(api, resource, now.record), now.sent) : now;
	const differs = ifExists === 'create' ? [] : differences(row, body, shown);
	return { record: shown.record, existed: found !== undefined, differs, response };
}

/** A record as it is after its item, and the response if a request wrote it. */
interface Written {
	now: KnownRecord;
	response?: ApiResponse;
}

async function created(known: KnownRecords, body: Record<string, unknown>, create: Create): Promise<Written> {
	const { record, response } = await create().catch((error: Error) => {
		// The record may exist now: the request is in doubt, or it succeeded and its response could not be read.
		if (classOf(error) === undefined || isInDoubt(error)) known.forget();
		throw error;
	});
	return { now: known.put(record, body), response };
}

/** Keeps a record as it is, or updates it through the resource's `update`. Sends nothing if it has all values. */
async function keptOrUpdated(
	api: Api,
	known: KnownRecords,
	{ run: { resource, row }, settings, parts: { body, labels } }: Wanted,
	found: KnownRecord,
): Promise<Written> {
	if (settings.ifExists !== 'update') return { now: found };
	const { update: updating } = resource.operations as Record<'update', Operation>;
	// The fields that `update` has, and the members that `prepare` added, which are no fields of either row.
	const entries = Object.entries(body).filter(([name]) => name in updating.body || !(name in row.body));
	const sent = Object.fromEntries(entries);
	const changes = differences(row, sent, found);
	if (changes.length === 0) return { now: found };
	const path = { id: shownId(api, listingOf(resource).listing, found.record) };
	// The form of this operation has no field for the id: without it in the row, errors don't name one.
	const asked = { ...updating, path: {} };
	const response = await api.ask(asked, { path, body: sent, labels }).catch((error: Error) => {
		// The record may be changed now, or another client has deleted it. The rate limit refuses before anything is done.
		if (classOf(error) !== 'rateLimited') known.forget(found);
		throw error;
	});
	const { schema, select } = updating.output;
	const returned = schema.coerce(select(response, path) ?? {}, response.zone) as IDataObject;
	const written = { ...membersFromBody(row.output, sent), ...onlyDeclared(row.output.schema, returned) };
	// What was sent, and an address that the update makes another one, is unknown unless `written` has it.
	const moves = changes.some((name) => name in factsOf(row, found.record));
	const before = omit(found.record, ...Object.keys(sent), moves ? (row.existing?.facts?.of ?? '') : '');
	return { now: known.put({ ...before, ...written }, { ...found.sent, ...sent }), response };
}
