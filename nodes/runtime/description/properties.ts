import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { showWhen } from '../fields/compound';
import type { Field, Fields } from '../fields/field';
import { joinedForms } from './form';
import type { Service } from '../transport/service';
import { type Operation, type Resource, type Table, fieldsOf } from '../table/operation';
import {
	ifExistsField,
	isList,
	itemSettings,
	listSettings,
	runSettings,
	simplifySetting,
} from '../table/settings';
import { sortedBy } from '../values';

/** All properties of a node, from the table of its service. */
export function propertiesOf({ table, options = {} }: Pick<Service, 'table' | 'options'>): INodeProperties[] {
	const resources = Object.entries(table);
	return [
		menu('Resource', 'resource', {
			description: 'What to work on',
			options: resources.map(([value, { name, description }]) => ({ name, value, description })),
			default: resources[0]?.[0] ?? '',
		}),
		...resources.map(([name, resource]) => operationChoice(name, resource)),
		...resources.flatMap(([name, resource]) => resourceProperties(name, resource)),
		readOnlyProperty,
		sharedOptions(table, options),
	];
}

/** A switch that agents can't change, shown where the node is a tool. */
const readOnlyProperty: INodeProperties = {
	displayName: 'Read Only',
	name: 'readOnly',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to refuse every operation that changes something',
	displayOptions: { show: { '@tool': [true] } },
};

/** The first option, which is used most; then the others by name; deprecated ones last. */
const firstThenByName = ([first, ...others]: INodePropertyOptions[]): INodePropertyOptions[] => {
	const sorted = sortedBy(others, ({ name }) => name);
	const isDeprecated = ({ name }: INodePropertyOptions): boolean => name.endsWith('(Deprecated)');
	const current = sorted.filter((option) => !isDeprecated(option));
	return [...(first ? [first] : []), ...current, ...sorted.filter(isDeprecated)];
};

function operationChoice(name: string, resource: Resource): INodeProperties {
	const operations = Object.entries(resource.operations);
	return menu('Operation', 'operation', {
		description: 'The action to perform',
		displayOptions: { show: { resource: [name] } },
		options: firstThenByName(
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

/** A choice that identifies the operation in n8n's editor: it takes no expressions. */
const menu = (
	displayName: string,
	name: string,
	{
		default: initial,
		...rest
	}: Pick<INodeProperties, 'options' | 'default' | 'description' | 'displayOptions'>,
): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	noDataExpression: true,
	...rest,
	default: initial,
});

/** The properties of a resource's operations. */
const resourceProperties = (name: string, { operations }: Resource): INodeProperties[] =>
	joinedForms(
		Object.entries(operations).map(([operation, row]) => [operation, rowProperties(row)]),
		(names) => ({ resource: [name], operation: names }),
	);

/** The form of one operation: required parameters, those that are always shown, then the collection. */
function rowProperties(row: Operation): INodeProperties[] {
	const fields = fieldsOf(row).filter(([, { advanced }]) => !advanced);
	const propertiesIf = (alwaysShown: boolean): INodeProperties[] =>
		fields
			.filter(([, field]) => field.alwaysShown === alwaysShown)
			.flatMap(([name, field]) => field.properties(name));
	const properties = propertiesIf(true);
	const optional = propertiesIf(false);
	if (row.existing) properties.push(...ifExistsField(row.existing).properties('ifExists'));
	if (isList(row)) properties.push(...listProperties);
	if (row.output.shape?.offersSimplify) properties.push(...simplifySetting.properties('simplify'));
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

const listProperties: INodeProperties[] = [
	...listSettings.returnAll.properties('returnAll'),
	...listSettings.limit
		.properties('limit')
		.map((property): INodeProperties => ({ ...property, displayOptions: { show: { returnAll: [false] } } })),
];

/** The options of operations, each shown only where it has an effect. */
const sharedOptions = (table: Table, ofService: Fields): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	description: 'How requests are sent, and what they return',
	options: sortByName([
		...Object.entries<Field>({ ...runSettings, ...itemSettings, ...ofService }).flatMap(([name, setting]) =>
			offered(table, setting.properties(name), ({ batch, options, output }) => {
				if (name === 'batchSize') return batch !== undefined;
				if (name in ofService) return options?.includes(name) ?? false;
				return name !== 'wholeRecord' || output.fromBody !== undefined;
			}),
		),
		...advancedFields(table).flatMap(([name, field]) =>
			offered(table, field.properties(name), (row) => fieldsOf(row).some(([other]) => other === name)),
		),
	]),
});

/** The advanced fields, each once. */
function advancedFields(table: Table): Array<[string, Field]> {
	const rows = Object.values(table).flatMap(({ operations }) => Object.values(operations));
	return [...new Map(rows.flatMap(fieldsOf).filter(([, field]) => field.advanced))];
}

/** An option for some operations: by operation names if all resources agree, otherwise also by resource. */
function offered(
	table: Table,
	properties: INodeProperties[],
	isFor: (row: Operation) => boolean,
): INodeProperties[] {
	const rows = Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([name, row]) => ({ resource, name, isOffered: isFor(row) })),
	);
	const chosen = rows.filter(({ isOffered }) => isOffered);
	if (chosen.length === rows.length) return properties;
	const isSplit = ({ name }: { name: string }): boolean =>
		rows.some((row) => row.name === name && !row.isOffered);
	const everywhere = new Set(chosen.filter((row) => !isSplit(row)).map(({ name }) => name));
	const others = chosen.filter(isSplit);
	const places = [
		...(everywhere.size > 0 ? [{ '/operation': [...everywhere] }] : []),
		...[...new Set(others.map(({ resource }) => resource))].map((resource) => ({
			'/resource': [resource],
			'/operation': others.filter((row) => row.resource === resource).map(({ name }) => name),
		})),
	];
	return places.flatMap((place) => properties.map((property) => showWhen(property, place)));
}

const sortByName = (properties: INodeProperties[]): INodeProperties[] =>
	sortedBy(properties, ({ displayName }) => displayName);
