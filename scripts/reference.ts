/** Generates a node's reference page, and its table in the README and in its package's page, from the table of operations. */
import type { INodeProperties } from 'n8n-workflow';
import { builtTables } from './built.ts';
import type { ServiceInfo } from './services.ts';
import type { Fields } from '../nodes/runtime/fields/field';
import type { JsonSchema } from '../nodes/runtime/table/record';
import type { Operation, Resource, Table } from '../nodes/runtime/table/operation';

/** The reference page of a node, in Markdown. */
export function referencePage(service: ServiceInfo): string {
	const table: Table = builtTables()[service.table];
	return [
		`# ${service.displayName}: reference`,
		'Every operation with its parameters and output. Each resource but API Request ends with a table of its output fields.',
		'Parameters marked with * are required. “Sent as” says where a value goes in the request to the service, if it has a field of its own there.',
		'“Returns” lists the fields of an item with their types. A field that the service does not send is `null`, or an empty list. Some operations return one of several records, by a parameter: an item has only the fields of its own. If these are not listed, the description of the parameter names them.',
		...byName(Object.values(table)).flatMap(resourceSection),
		'`npm run docs` generates this page from the table of operations; edit the table, not the page.',
	].join('\n\n');
}

/** A node's resources; each links to its section of the reference, found from `docs`. */
export const resourceTable = (service: ServiceInfo, docs: string): string =>
	markdownTable(
		['Resource', 'What it is'],
		resourcesOf(service).map((resource) => introductionOf(resource, service, docs)),
	);

/** A node's operations by resource. */
export const operationTable = (service: ServiceInfo, docs: string): string =>
	markdownTable(
		['Resource', 'What it is', 'Operations'],
		resourcesOf(service).map((resource) => [
			...introductionOf(resource, service, docs),
			byName(Object.values(resource.operations))
				.map((row) => row.name)
				.join(', '),
		]),
	);

const resourcesOf = ({ table }: ServiceInfo): Resource[] =>
	byName(Object.values<Resource>(builtTables()[table]));

const introductionOf = ({ name, description }: Resource, { page }: ServiceInfo, docs: string): string[] => [
	`[${name}](${docs}/reference/${page}.md#${anchor(name)})`,
	description,
];

const byName = <Named extends { name: string }>(entries: Named[]): Named[] =>
	[...entries].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** The anchor that GitHub generates for a heading. */
const anchor = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const resourceSection = ({ name, description, operations }: Resource): string[] => [
	`## ${name}`,
	`${description}.`,
	...byName(Object.values(operations)).flatMap(operationSection),
	...outputFieldsOf(name, Object.values(operations)),
];

function operationSection(row: Operation): string[] {
	const parameters = parametersOf(row);
	return [
		`### ${row.action}`,
		`${row.description}. ${requestOf(row)}`,
		...(parameters.length > 0
			? [markdownTable(['Parameter', 'Type', 'Sent as', 'Description'], parameters)]
			: []),
		...optionNotes(row),
		`Returns ${outputOf(row)}.`,
	];
}

/** Descriptions of the options that depend on the kind of operation. */
function optionNotes(row: Operation): string[] {
	return [
		...(builtTables().isList(row)
			? ['One item for each record; **Return All** or **Limit** says how many.']
			: []),
		...(row.existing
			? [
					`**If Exists**: create another; return or update the one ${row.existing.matchedBy}; or fail. Also returns \`existed\` and \`differs\`.`,
				]
			: []),
		...(row.batch ? ['The items of a run share requests, 100 entries in each.'] : []),
	];
}

function parametersOf(row: Operation): string[][] {
	const locations: Array<[Fields, (name: string) => string]> = [
		[row.path, (name) => `\`{${name}}\` in the path`],
		[row.params, () => ''],
		[row.query, (name) => `\`${name}\` in the query`],
		[row.body, (name) => `\`${name}\` in the body`],
	];
	const entries = locations.flatMap(([fields, sentAs]) =>
		Object.entries(fields).flatMap(([name, field]) =>
			field.properties(field.paramName ?? name).map((property) => ({
				property,
				sentAs: sentAs(name),
				required: property.required ?? false,
				optionsNote: field.advanced && 'In Options.',
			})),
		),
	);
	const properties = entries.map(({ property }) => property);
	const rows = entries.map(({ property, sentAs, required, optionsNote }) => {
		const condition = conditionOf(property, properties);
		return {
			// Order: always required, conditionally shown, optional.
			rank: condition ? 1 : required ? 0 : 2,
			cells: [
				`${property.displayName}${required ? ' *' : ''}`,
				typeOf(property),
				sentAs,
				[condition, optionsNote, describe(property)].filter(Boolean).join(' '),
			],
		};
	});
	return rows.sort((a, b) => a.rank - b.rank).map(({ cells }) => cells);
}

const TYPES: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'true or false',
	color: 'color',
	dateTime: 'date and time',
	json: 'JSON',
	multiOptions: 'several of a list',
	number: 'number',
	string: 'text',
};

function typeOf({ type, options = [], modes }: INodeProperties): string {
	if (type === 'options') {
		return `one of: ${options.map(({ name }) => name).join(', ')}`;
	}
	if (type === 'resourceLocator') {
		return `ID (${(modes ?? []).map((mode) => mode.displayName.toLowerCase().replace('id', 'ID').replace('url', 'URL')).join(', ')})`;
	}
	const [group] = options;
	if (type === 'fixedCollection' && group && 'values' in group) {
		return `list of ${group.values.map(({ displayName }) => displayName).join(' and ')}`;
	}
	return TYPES[type] ?? type;
}

/** The condition under which a parameter is shown; empty if it is always shown. */
function conditionOf({ displayOptions }: INodeProperties, properties: INodeProperties[]): string {
	const shown = Object.entries(displayOptions?.show ?? {}).filter(([name]) => !name.startsWith('@'));
	const conditions = shown.map(([path, values]) => {
		const name = path.replace('/', '');
		const other = properties.find((property) => property.name === name);
		const named = (values as unknown[]).map((value) => {
			const option = other?.options?.find((candidate) => 'value' in candidate && candidate.value === value);
			return option?.name ?? (typeof value === 'boolean' ? onOrOff(value) : String(value));
		});
		return `${other?.displayName ?? builtTables().capitalized(name)} is ${named.join(' or ')}`;
	});
	return conditions.length > 0 ? `If ${conditions.join(' and ')}:` : '';
}

const onOrOff = (value: boolean): string => (value ? 'on' : 'off');

function describe({ description, placeholder }: INodeProperties): string {
	const text = description
		?.replace(/<[^>]+>/g, '')
		.replace(/ Choose from the list, or specify IDs? using an expression\.?/, '')
		.replace(/\.$/, '');
	return [text && `${text}.`, placeholder?.startsWith('e.g. ') && `Example: \`${placeholder.slice(5)}\`.`]
		.filter(Boolean)
		.join(' ');
}

/** The method and path of an operation. Users choose those of API Request. */
const requestOf = ({ route }: Operation): string =>
	route.endsWith(' /{path}') ? 'Any method, `/{path}`' : `\`${route}\``;

const schemaOf = ({ output }: Operation): JsonSchema => builtTables().resultSchema(output).jsonSchema;

function outputOf(row: Operation): string {
	const members = Object.entries(schemaOf(row).properties ?? {}).map(
		([name, schema]) => `\`${name}\` (${schemaTypeName(schema)})`,
	);
	const returned = members.length > 0 ? members.join(', ') : 'the response of the service';
	return row.output.shape?.offersSimplify
		? `${returned}; with **Simplify** off, the service’s own record`
		: returned;
}

/** The output fields of a resource, with their descriptions. */
function outputFieldsOf(resource: string, rows: Operation[]): string[] {
	const meanings = new Map<string, Set<string>>();
	for (const row of rows) {
		for (const [name, { description }] of Object.entries(builtTables().outputSchema(row).properties ?? {})) {
			if (description === undefined)
				throw new Error(`${row.route}: the output field "${name}" has no description`);
			meanings.set(name, (meanings.get(name) ?? new Set()).add(description));
		}
	}
	if (meanings.size === 0) return [];
	const fields = [...meanings].sort(([one], [other]) => one.localeCompare(other, 'en'));
	return [
		`### ${resource}: output fields`,
		markdownTable(
			['Field', 'Meaning'],
			fields.map(([name, texts]) => [`\`${name}\``, [...texts].join('; ')]),
		),
	];
}

function schemaTypeName({ type, items, additionalProperties }: JsonSchema): string {
	if (items) return `list of ${schemaTypeName(items)}`;
	if (additionalProperties) return `map to ${schemaTypeName(additionalProperties)}`;
	return [type].flat().join(' or ');
}

export const markdownTable = (head: string[], rows: string[][]): string =>
	[head, head.map(() => '---'), ...rows]
		.map(
			(cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
		)
		.join('\n');
