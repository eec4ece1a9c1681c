import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { showWhen } from '../fields/compound';
import type { Field, Fields } from '../fields/field';
import type { Service } from '../transport/service';
import type { Operation, Resource, Table } from '../table/operation';
import { ifExistsField, itemSettings, listSettings, runSettings, simplifySetting } from '../table/settings';

/** All properties of a node, made from the table of its service. */
export function propertiesOf({ table, options = {} }: Pick<Service, 'table' | 'options'>): INodeProperties[] {
	const resources = Object.entries(table);
	return [
		menu('Resource', 'resource', {
			options: byName(resources.map(([value, { name, description }]) => ({ name, value, description }))),
			default: resources[0]?.[0] ?? '',
		}),
		...resources.map(([name, resource]) => operationChoice(name, resource)),
		...resources.flatMap(([name, resource]) => resourceProperties(name, resource)),
		sharedOptions(table, options),
	];
}

const byName = (options: INodePropertyOptions[]): INodePropertyOptions[] =>
	[...options].sort((a, b) => a.name.localeCompare(b.name, 'en'));

function operationChoice(name: string, resource: Resource): INodeProperties {
	const operations = Object.entries(resource.operations);
	return menu('Operation', 'operation', {
		displayOptions: { show: { resource: [name] } },
		options: byName(
			operations.map(([value, row]) => ({
				name: row.name,
				value,
				action: row.action,
				description: row.description,
			})),
		),
		default: (operations.find(([value]) => value === 'getAll') ?? operations[0])?.[0] ?? '',
	});
}

/** A choice that n8n's editor knows the node by: it takes no expressions. */
const menu = (
	displayName: string,
	name: string,
	{ default: initial, ...rest }: Pick<INodeProperties, 'options' | 'default' | 'displayOptions'>,
): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	noDataExpression: true,
	...rest,
	default: initial,
});

/** A resource's properties; what several operations show alike is one property that names them all. */
function resourceProperties(name: string, resource: Resource): INodeProperties[] {
	const merged: Array<{ property: INodeProperties; operations: string[] }> = [];
	for (const [operation, row] of Object.entries(resource.operations)) {
		for (const property of rowProperties(row)) {
			const written = JSON.stringify(property);
			const alike = merged.find((entry) => JSON.stringify(entry.property) === written);
			if (alike) alike.operations.push(operation);
			else merged.push({ property, operations: [operation] });
		}
	}
	return requiredFirst(
		merged.map(({ property, operations }) => showWhen(property, { resource: [name], operation: operations })),
	);
}

/** Required parameters stand at the top of every form, otherwise in the order of the rows. */
const requiredFirst = (properties: INodeProperties[]): INodeProperties[] =>
	properties.sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false));

/** The form of one operation: required parameters, then the ones beside them, then the collection. */
function rowProperties(row: Operation): INodeProperties[] {
	const fields = entriesOf(row.path, row.form, row.query, row.body);
	const alone = fields.filter(([, field]) => field.prominent);
	const optional = fields
		.filter(([, field]) => !field.prominent)
		.flatMap(([name, field]) => field.properties(name));
	const properties = alone.flatMap(([name, field]) => field.properties(name));
	if (row.existing) properties.push(...ifExistsField(row.existing).properties('ifExists'));
	if (row.paging || row.limited) properties.push(...listProperties);
	if (row.output.simple) properties.push(...simplifySetting.properties('simplify'));
	if (optional.length > 0) {
		properties.push({
			...row.collection,
			type: 'collection',
			placeholder: row.method === 'GET' ? 'Add Filter' : 'Add Field',
			default: {},
			options: sortByName(optional),
		});
	}
	return properties;
}

const entriesOf = (...sets: Fields[]): Array<[string, Field]> =>
	sets.flatMap((fields) =>
		Object.entries(fields).map(([name, field]): [string, Field] => [field.parameter ?? name, field]),
	);

const listProperties: INodeProperties[] = [
	...listSettings.returnAll.properties('returnAll'),
	...listSettings.limit
		.properties('limit')
		.map((property): INodeProperties => ({ ...property, displayOptions: { show: { returnAll: [false] } } })),
];

/** The options that every operation has. */
const sharedOptions = (table: Table, ofService: Fields): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: sortByName([
		...Object.entries<Field>({ ...runSettings, ...itemSettings, ...ofService })
			.filter(([name]) => name !== 'batchSize' || hasBatches(table))
			.flatMap(([name, setting]) => setting.properties(name)),
	]),
});

const sortByName = (properties: INodeProperties[]): INodeProperties[] =>
	[...properties].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'));

const hasBatches = (table: Table): boolean =>
	Object.values(table).some(({ operations }) => Object.values(operations).some((row) => row.batch));
