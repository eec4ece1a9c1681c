import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { showWhen } from '../fields/compound';
import type { Field, Fields } from '../fields/field';
import type { Events } from '../table/event';
import { type Operation, type Resource, type Table, fieldsOf, offersWholeRecord } from '../table/operation';
import {
	firstPollSettings,
	ifExistsField,
	isList,
	itemSettings,
	listSettings,
	pollSettings,
	runSettings,
	simplifySetting,
} from '../table/settings';
import { inSentence, sortedBy } from '../values';
import { joinedForms } from './form';

export function operationProperties(table: Table): INodeProperties[] {
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
		...sharedOptions(table),
	];
}

/** A switch that an agent can't change; shown if the node is a tool. */
const readOnlyProperty: INodeProperties = {
	displayName: 'Read Only',
	name: 'readOnly',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to refuse every change; every GET of API Request counts as reading',
	displayOptions: { show: { '@tool': [true] } },
};

/** The options in the order of the menu: the first one (used most), the others by name, deprecated ones last. */
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

/** A choice that decides what the form shows. It accepts no expression. */
const menu = (
	displayName: string,
	name: string,
	{
		default: initial,
		...others
	}: Pick<INodeProperties, 'options' | 'default' | 'description' | 'displayOptions'>,
): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	noDataExpression: true,
	...others,
	// Written out for n8n's lint rule.
	default: initial,
});

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
	const placeholder = row.method === 'GET' ? 'Add Filter' : 'Add Field';
	return [...properties, ...collectionOf(row.collection, placeholder, optional)];
}

/** A collection of optional parameters, sorted by name; none without parameters. */
function collectionOf(
	collection: Operation['collection'],
	placeholder: string,
	options: INodeProperties[],
): INodeProperties[] {
	if (options.length === 0) return [];
	const sorted = sortedBy(options, ({ displayName }) => displayName);
	return [{ ...collection, type: 'collection', placeholder, default: {}, options: sorted }];
}

function optionsCollection(description: string, options: INodeProperties[]): INodeProperties[] {
	return collectionOf({ name: 'options', displayName: 'Options', description }, 'Add option', options);
}

const listProperties: INodeProperties[] = [
	...listSettings.returnAll.properties('returnAll'),
	...listSettings.limit
		.properties('limit')
		.map((property): INodeProperties => ({ ...property, displayOptions: { show: { returnAll: [false] } } })),
];

/** The options of operations, each shown only where it has an effect. */
const sharedOptions = (table: Table): INodeProperties[] =>
	optionsCollection('How requests are sent, and what they return', [
		...Object.entries<Field>({ ...runSettings, ...itemSettings }).flatMap(([name, setting]) =>
			shownFor(table, setting.properties(name), (row) => hasEffect(name, row)),
		),
		...[...new Map(rowsOf(table).flatMap(advancedForms))].flatMap(([form, properties]) =>
			shownFor(table, properties, (row) => advancedForms(row).some(([other]) => other === form)),
		),
	]);

function hasEffect(option: string, row: Operation): boolean {
	if (option === 'batchSize') return row.batch !== undefined;
	return option !== 'wholeRecord' || offersWholeRecord(row);
}

const rowsOf = (table: Table): Operation[] =>
	Object.values(table).flatMap(({ operations }) => Object.values(operations));

/** The form elements of each advanced field by their JSON: those of one name can differ between operations. */
const advancedForms = (row: Operation): Array<[json: string, properties: INodeProperties[]]> =>
	fieldsOf(row)
		.filter(([, field]) => field.advanced)
		.map(([name, field]) => field.properties(name))
		.map((properties) => [JSON.stringify(properties), properties]);

function shownFor(
	table: Table,
	properties: INodeProperties[],
	isFor: (row: Operation) => boolean,
): INodeProperties[] {
	if (rowsOf(table).every(isFor)) return properties;
	return Object.entries(table).flatMap(([resource, { operations }]) => {
		const names = Object.keys(operations).filter((name) => isFor(operations[name]!));
		const show = { '/resource': [resource], '/operation': names };
		return names.length === 0 ? [] : properties.map((property) => showWhen(property, show));
	});
}

/** All properties of a trigger: the event, the parameters of each event, and the polling options. */
export function triggerProperties(events: Events): INodeProperties[] {
	const [firstName = ''] = Object.keys(events);
	const choices = Object.entries(events).map(([value, { name, description }]) => ({
		name,
		value,
		description,
		action: actionOf(name),
	}));
	return [
		menu('Trigger On', 'event', {
			description: 'What starts the workflow',
			options: sortedBy(choices, ({ name }) => name),
			default: firstName,
		}),
		...joinedForms(
			Object.entries(events).map(([name, { fields, filters }]) => [
				name,
				[...propertiesOf(fields), ...filterCollection(filters)],
			]),
			(names) => ({ event: names }),
		),
		...pollProperties,
	];
}

/** The event's name in the editor's node panel: "New QR Scan" is "On new QR scan". */
const actionOf = (name: string): string => `On ${inSentence(name)}`;

const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).flatMap(([name, field]) => field.properties(field.paramName ?? name));

const filterCollection = (filters: Fields): INodeProperties[] => {
	const description = 'Which events start the workflow; blank filters are left out';
	return collectionOf(
		{ name: 'filters', displayName: 'Filters', description },
		'Add Filter',
		propertiesOf(filters),
	);
};

const pollProperties: INodeProperties[] = [
	...firstPollSettings.firstPoll.properties('firstPoll'),
	...firstPollSettings.firstCount
		.properties('firstCount')
		.map((property) => showWhen(property, { firstPoll: ['last'] })),
	...optionsCollection('Limits of a poll, and what happens after a restart', propertiesOf(pollSettings)),
];
