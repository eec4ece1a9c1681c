/** The pages that follow from the tables of operations: a node's reference, and its part of the README. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Fields } from '../nodes/runtime/fields/field';
import type { Schema } from '../nodes/runtime/table/record';
import type { Operation, Resource, Table } from '../nodes/runtime/table/operation';

/** One node as its pages show it. */
export interface NodePage {
	displayName: string;
	/** The page's file name in docs/reference, without extension. */
	file: string;
	table: Table;
}

/** The whole reference page of a node, in Markdown. */
export function referencePage({ displayName, table }: NodePage): string {
	return [
		`# ${displayName}: reference`,
		`Every operation with its parameters and what it gives. Made from the table of operations by \`npm run docs\`: change the table, not this page.`,
		'Parameters marked with * are required. "Sent as" tells where a value goes in the request to the service.',
		...byName(Object.values(table)).flatMap(resourceSection),
	].join('\n\n');
}

/** The operations of a node by resource, which is linked to its place in the reference. */
export const operationTable = ({ file, table }: NodePage): string =>
	markdownTable(
		['Resource', 'What it is', 'Operations'],
		byName(Object.values(table)).map(({ name, description, operations }) => [
			`[${name}](docs/reference/${file}.md#${anchor(name)})`,
			description,
			byName(Object.values(operations))
				.map((row) => row.name)
				.join(', '),
		]),
	);

const byName = <Named extends { name: string }>(entries: Named[]): Named[] =>
	[...entries].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** The anchor that GitHub makes of a heading. */
const anchor = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const resourceSection = ({ name, description, operations }: Resource): string[] => [
	`## ${name}`,
	`${description}.`,
	...byName(Object.values(operations)).flatMap(operationSection),
];

function operationSection(row: Operation): string[] {
	const parameters = parametersOf(row);
	return [
		`### ${row.action}`,
		`${row.description}. \`${row.route}\``,
		...(parameters.length > 0
			? [markdownTable(['Parameter', 'Type', 'Sent as', 'Description'], parameters)]
			: []),
		...offers(row),
		`Gives ${outputOf(row)}.`,
	];
}

/** What every operation of its kind offers beside its own parameters. */
function offers(row: Operation): string[] {
	const list = row.paging !== undefined || row.limited;
	return [
		...(list ? ['One item per record; **Return All** or **Limit** say how many.'] : []),
		...(row.existing
			? [`**If Exists**: create another, return the one ${row.existing.sameness}, or fail.`]
			: []),
		...(row.batch && row.batch.size > 1
			? [`The items of a run share requests, ${row.batch.size} entries in each.`]
			: []),
	];
}

function parametersOf(row: Operation): string[][] {
	const places: Array<[Fields, (name: string) => string]> = [
		[row.path, (name) => `\`{${name}}\` in the path`],
		[row.form, () => ''],
		[row.query, (name) => `\`${name}\` in the query`],
		[row.body, (name) => `\`${name}\` in the body`],
	];
	const entries = places.flatMap(([fields, sentAs]) =>
		Object.entries(fields).flatMap(([name, field]) =>
			field
				.properties(field.parameter ?? name)
				.filter(({ displayOptions }) => displayOptions?.show?.['@version']?.includes(1) !== true)
				.map((property) => ({
					property,
					sentAs: sentAs(name),
					required: property.required ?? false,
					place: field.internal && 'In Options.',
				})),
		),
	);
	const properties = entries.map(({ property }) => property);
	const rows = entries.map(({ property, sentAs, required, place }) => {
		const condition = conditionOf(property, properties);
		return {
			// First what is always required, then what some choices require or offer, then what is optional.
			rank: condition ? 1 : required ? 0 : 2,
			cells: [
				`${property.displayName}${required ? ' *' : ''}`,
				typeOf(property),
				sentAs,
				[condition, place, describe(property)].filter(Boolean).join(' '),
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
		return `one of ${options.map((option) => `\`${String((option as INodePropertyOptions).value)}\``).join(', ')}`;
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

/** When a parameter is shown, if it depends on another. */
function conditionOf({ displayOptions }: INodeProperties, properties: INodeProperties[]): string {
	const shown = Object.entries(displayOptions?.show ?? {}).filter(([name]) => !name.startsWith('@'));
	const conditions = shown.map(([path, values]) => {
		const name = path.replace('/', '');
		const other = properties.find((property) => property.name === name);
		const named = (values as unknown[]).map((value) => {
			const option = other?.options?.find((candidate) => 'value' in candidate && candidate.value === value);
			return option?.name ?? String(value);
		});
		return `${other?.displayName ?? capitalized(name)}: ${named.join(' or ')}`;
	});
	return conditions.length > 0 ? `For ${conditions.join(', ')}.` : '';
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function describe({ description, placeholder }: INodeProperties): string {
	const text = description?.replace(/<[^>]+>/g, '');
	return [text && `${text}.`, placeholder?.startsWith('e.g. ') && `Example: \`${placeholder.slice(5)}\`.`]
		.filter(Boolean)
		.join(' ');
}

function outputOf({ output }: Operation): string {
	const given = membersOf((output.whole ?? output.simple ?? output).kind.schema);
	return output.simple ? `${given}; without **Simplify** ${membersOf(output.kind.schema)}` : given;
}

const membersOf = ({ properties = {} }: Schema): string => {
	const members = Object.entries(properties).map(([name, schema]) => `\`${name}\` (${kindOf(schema)})`);
	return members.length > 0 ? members.join(', ') : 'what the service answers';
};

function kindOf({ type, items, additionalProperties }: Schema): string {
	if (items) return `list of ${kindOf(items)}`;
	if (additionalProperties) return `map to ${kindOf(additionalProperties)}`;
	return [type].flat().join(' or ');
}

export const markdownTable = (head: string[], rows: string[][]): string =>
	[head, head.map(() => '---'), ...rows]
		.map(
			(cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
		)
		.join('\n');
