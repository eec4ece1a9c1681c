import { readFields, required, type Fields, type ParameterReader, type Values } from '../fields/field';
import type { Inputs, Operation } from '../table/operation';
import {
	ifExistsField,
	isList,
	itemSettings,
	listSettings,
	simplifySetting,
	type IfExists,
} from '../table/settings';

/** The parsed options of one item. */
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

/** The parsed parameters of one item. */
export interface ItemInput {
	settings: ItemSettings;
	fields: Inputs;
}

/** Reads all parameters of an item. */
export async function readInput(row: Operation, reader: ParameterReader): Promise<ItemInput> {
	const options = reader.collection('options', 'Options');
	const settings = await readItemSettings(row, reader, options);
	const collection = reader.collection(row.collection.name, row.collection.displayName);
	const read = async (fields: Fields): Promise<Values<Fields>> =>
		await readFields(fields, reader, collection, options);
	const fields = {
		path: await read(row.path),
		params: await read(row.params),
		query: await read(row.query),
		body: await read(row.body),
	};
	return { settings, fields };
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
		wantsWhole: wantsWhole && !isRaw && output.fromBody !== undefined,
		isShaped: !output.shape?.offersSimplify || (await simplifySetting.read(reader, 'simplify')) !== false,
		limit: isList(row) ? await readLimit(reader) : Infinity,
		ifExists: (existing && (await ifExistsField(existing).read(reader, 'ifExists'))) ?? 'create',
	};
}

async function readLimit(reader: ParameterReader): Promise<number> {
	const all = await listSettings.returnAll.read(reader, 'returnAll');
	return all ? Infinity : await required(listSettings.limit).read(reader, 'limit');
}
