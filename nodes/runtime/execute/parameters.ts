import type { IExecuteFunctions, INode, NodeOperationError } from 'n8n-workflow';
import { inputError } from '../errors/errors';
import { readFields, type Field, type Fields, type Form, type Values } from '../fields/field';
import { isBlank, isRecord, parseJson } from '../values';
import type { Operation } from '../table/operation';

/** What a form can do beside telling its values. */
type Abilities = Pick<Form, 'find' | 'conceal'>;

/** The form of one input item: values as n8n resolved them, by parameter name. */
export function formOf(context: IExecuteFunctions, item: number, abilities: Abilities): Form {
	const get = (parameter: string): unknown => context.getNodeParameter(parameter, item, null);
	return form({ ...abilities, node: context.getNode(), item, timezone: context.getTimezone() }, get);
}

interface Setting extends Abilities {
	node: INode;
	item: number;
	timezone: string;
}

function form(setting: Setting, get: Form['get']): Form {
	const { node, item, ...abilities } = setting;
	const refuse = (label: string, reason: string, advice = 'Correct it and run again'): NodeOperationError =>
		inputError(node, `${label}: ${reason} [item ${item}]`, advice, item);
	const within = (members: Record<string, unknown>): Form => form(setting, (parameter) => members[parameter]);
	return { get, refuse, within, ...abilities };
}

/** The collection that holds an operation's optional fields, by n8n's custom. */
export const collectionOf = (row: Operation): { name: string; displayName: string } => {
	if (row.method === 'GET') return { name: 'filters', displayName: 'Filters' };
	return row.method === 'PUT'
		? { name: 'updateFields', displayName: 'Update Fields' }
		: { name: 'additionalFields', displayName: 'Additional Fields' };
};

/** Whether a field stands at the top level of the form, or in the collection of optional ones. */
export const standsAlone = (field: Field): boolean => field.required || field.prominent;

/** The values of a row's fields, by where they go. */
export interface Read {
	path: Values<Fields>;
	query: Values<Fields>;
	body: Values<Fields>;
	form: Values<Fields>;
}

/** What one item holds for a row. */
export async function readInputs(row: Operation, form: Form): Promise<Read> {
	const { name, displayName } = collectionOf(row);
	const inCollection = form.within(membersOf(form.get(name), form, displayName));
	const read = async (fields: Fields): Promise<Values<Fields>> => {
		const values: Values<Fields> = {};
		for (const [name, field] of Object.entries(fields)) {
			Object.assign(values, await readFields({ [name]: field }, standsAlone(field) ? form : inCollection));
		}
		return values;
	};
	return {
		path: await read(row.path),
		form: await read(row.form),
		query: await read(row.query),
		body: await read(row.body),
	};
}

/** The members of a collection, which an expression may also give as JSON; none where nothing was added. */
function membersOf(collection: unknown, form: Form, displayName: string): Record<string, unknown> {
	if (isBlank(collection)) return {};
	const members = typeof collection === 'string' ? parseJson(collection) : collection;
	if (isRecord(members)) return members;
	throw form.refuse(displayName, 'is not a set of fields', 'Use an object such as { "name": "value" }');
}
