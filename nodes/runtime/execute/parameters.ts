import { readFields, type Fields, type Form } from '../fields/field';
import type { Inputs, Operation } from '../table/operation';
import { isBlank, isRecord, parseJson } from '../values';

/** What one item holds for a row: optional fields stand in a collection of their own. */
export async function readInputs(row: Operation, form: Form): Promise<Inputs> {
	const { name, displayName } = row.collection;
	const collection = form.within(membersOf(form.get(name), form, displayName));
	const read = async (fields: Fields): Promise<Record<string, unknown>> =>
		await readFields(fields, form, collection);
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
