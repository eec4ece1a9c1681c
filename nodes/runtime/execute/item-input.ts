import type { Api, RequestParts } from '../api-types';
import { ParameterReader, readFields, required, type Fields, type Values } from '../fields/field';
import { offersWholeRecord, type Inputs, type Operation } from '../table/operation';
import {
	ifExistsField,
	isList,
	itemSettings,
	listSettings,
	simplifySetting,
	type IfExists,
} from '../table/settings';
import { findByUrl } from '../transport/find';
import { isLostInPath } from '../transport/request';
import { quoted } from '../values';
import type { Run } from './run';

interface ItemSettings {
	ifExists: IfExists;
	/** Raw Response: the response is returned unchanged. */
	isRaw: boolean;
	/** Whether records get their output shape; false if the user turned Simplify off. */
	isShaped: boolean;
	/** Whole Record: a written record is returned as the service lists it. */
	wantsWhole: boolean;
	/** The most records of a list; Infinity with Return All. */
	limit: number;
}

/** What an item asks for: its parameters, read and checked, and the parts of the request that are made of them. */
export interface ItemInput {
	settings: ItemSettings;
	values: Inputs;
	/** The members of the request that password fields fill. */
	secretMembers: ReadonlySet<string>;
	parts: RequestParts;
}

export async function readInput(run: Run, itemIndex: number, api: Api): Promise<ItemInput> {
	const { row, parameter, timezone, client } = run;
	const secretMembers = new Set<string>();
	const reader = new ParameterReader((name) => parameter(name, itemIndex), {
		timezone,
		parameterError: (...why) => api.parameterError(...why),
		find: async (resource, url) => await findByUrl(api, client.service.table[resource], url),
		hostZone: async () => await client.zone(itemIndex),
		noteSecret: (member, text) => {
			secretMembers.add(member);
			client.secrets.add(text);
		},
	});
	const options = reader.collection('options', 'Options');
	const settings = await readItemSettings(row, reader, options);
	const collection = reader.collection(row.collection.name, row.collection.displayName);
	const read = async (fields: Fields): Promise<Values<Fields>> =>
		await readFields(fields, reader, collection, options);
	const values = {
		path: await read(row.path),
		params: await read(row.params),
		query: await read(row.query),
		body: await read(row.body),
	};
	return { settings, values, secretMembers, parts: await partsOf(row, values, api) };
}

async function readItemSettings(
	row: Operation,
	reader: ParameterReader,
	options: ParameterReader,
): Promise<ItemSettings> {
	const { existing, output } = row;
	const isRaw = (await itemSettings.rawResponse.read(options, 'rawResponse')) ?? false;
	const wantsWhole = (await itemSettings.wholeRecord.read(options, 'wholeRecord')) ?? false;
	return {
		isRaw,
		wantsWhole: wantsWhole && !isRaw && offersWholeRecord(row),
		isShaped: !output.shape?.offersSimplify || (await simplifySetting.read(reader, 'simplify')) !== false,
		limit: isList(row) ? await readLimit(reader) : Infinity,
		ifExists: (existing && (await ifExistsField(existing).read(reader, 'ifExists'))) ?? 'create',
	};
}

async function readLimit(reader: ParameterReader): Promise<number> {
	const all = await listSettings.returnAll.read(reader, 'returnAll');
	return all ? Infinity : await required(listSettings.limit).read(reader, 'limit');
}

/** The parts of a request, completed by `prepare`. Throws for an id that leads elsewhere, or if an update changes nothing. */
async function partsOf(row: Operation, values: Inputs, api: Api): Promise<RequestParts> {
	const { path, query, body } = values;
	for (const [name, value] of Object.entries(path)) {
		if (isLostInPath(value))
			throw api.parameterError(row.path[name]?.label ?? name, `${quoted(value)} cannot be in an address`);
	}
	const parts: RequestParts = { path, query, body, ...(await row.prepare?.(values, api)) };
	const takesFields = row.method === 'PUT' && Object.keys(row.body).length > 0;
	if (takesFields && Object.keys(parts.body).length === 0) {
		throw api.inputError(
			'There is nothing to update',
			'Enter a value in at least one field; blank fields change nothing',
		);
	}
	return parts;
}
