/** What the editor shows from the tables: subtitles, options and labels. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Workflow, type INodeProperties, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { LinkManager } from '../../nodes/LinkManager/LinkManager.node';
import { LinkManagerTrigger } from '../../nodes/LinkManager/LinkManagerTrigger.node';
import { NewsReader } from '../../nodes/NewsReader/NewsReader.node';
import { NewsReaderTrigger } from '../../nodes/NewsReader/NewsReaderTrigger.node';
import { linkManager } from '../../nodes/LinkManager/service';
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { newsReader } from '../../nodes/NewsReader/service';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';
import { locator } from '../../nodes/runtime/fields/locator';
import { parametersOf } from '../lint/walk';
import { defaultsOf } from '../../nodes/runtime/execute/tool';

/** Resolves the subtitle expression with the node's parameters, as the editor does. */
function subtitleOf(type: INodeType, parameters: Record<string, string>): unknown {
	const name = 'A node';
	const node = {
		id: '1',
		name,
		type: 'any',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	};
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(node, type.description.subtitle, 'internal', {});
}

describe('the subtitle of a node', () => {
	it.each([
		['Link Manager', new LinkManager(), linkManager.table],
		['News Reader', new NewsReader(), newsReader.table],
	])('is the label of the operation: %s', (_, type, table) => {
		const wrong = Object.entries(table).flatMap(([resource, { name, operations }]) =>
			Object.entries(operations).flatMap(([operation, row]) => {
				const subtitle = subtitleOf(type, { resource, operation });
				return subtitle === `${row.name}: ${name}` ? [] : [`${resource}.${operation}: ${String(subtitle)}`];
			}),
		);
		expect(wrong).toEqual([]);
	});

	it.each([
		['Link Manager Trigger', new LinkManagerTrigger(), linkEvents],
		['News Reader Trigger', new NewsReaderTrigger(), readerEvents],
	])('is the label of the event: %s', (_, type, events) => {
		const reported = Object.keys(events).map((event) => subtitleOf(type, { event }));
		expect(reported).toEqual(Object.values(events).map(({ name }) => name));
	});
});

it('lists records with a search, and writes their name in lower case within a sentence', () => {
	const [property] = locator('QR Code', { resource: 'qrCode' }).properties('qrCodeId');
	expect(property!.modes![0]).toMatchObject({
		placeholder: 'Select a QR code...',
		typeOptions: { searchListMethod: 'qrCode', searchable: true },
	});
});

it('describes a field of Options as its operation does, also if others have one of this name', () => {
	const options = parametersOf(new NewsReader().description).filter(
		({ property }) => property.name === 'order',
	);
	const described = options.map(({ property: { description, displayOptions } }) => [
		displayOptions?.show?.['/resource'],
		description,
	]);
	expect(described).toContainEqual([['share'], expect.stringContaining('Oldest First leaves out')]);
	expect(described).toContainEqual([['river'], 'Which stories come first']);
});

describe('errors contain the label of a field', () => {
	const labelsOf = (...descriptions: INodeTypeDescription[]): Set<string> =>
		new Set(descriptions.flatMap(parametersOf).map(({ property }) => property.displayName));
	const root = join(__dirname, '../../nodes');

	it.each([
		['LinkManager', labelsOf(new LinkManager().description, new LinkManagerTrigger().description)],
		['NewsReader', labelsOf(new NewsReader().description, new NewsReaderTrigger().description)],
	])('%s', (folder, labels) => {
		const files = globSync(join(root, folder, '**/*.ts'));
		const named = files.flatMap((file) => {
			const source = readFileSync(file, 'utf8');
			return [
				...source.matchAll(
					/(?:refuse\w*|parameterError|\.(?:folder|inner|folderOf))\(\s*(?:\w+,\s*)?'([^']+)',/g,
				),
			];
		});
		expect(named).not.toEqual([]);
		expect(named.map(([, label = '']) => label).filter((label) => !labels.has(label))).toEqual([]);
	});
});

describe('an option is shown only where it has an effect', () => {
	const { properties } = new NewsReader().description;
	const options = properties.find(({ name }) => name === 'options')!.options as INodeProperties[];
	const operationsWithOption = (name: string) =>
		options
			.filter((option) => option.name === name)
			.map(({ displayOptions }) => displayOptions?.show?.['/operation'] ?? [])
			.flat();

	it('Batch Size: operations whose items share requests', () => {
		const rows = Object.values(newsReader.table).flatMap(({ operations }) => Object.entries(operations));
		const batched = rows.filter(([, { batch }]) => batch !== undefined);
		expect(new Set(operationsWithOption('batchSize'))).toEqual(new Set(batched.map(([name]) => name)));
		expect(new LinkManager().description.properties.at(-1)!.options).not.toContainEqual(
			expect.objectContaining({ name: 'batchSize' }),
		);
	});

	it('Limit: lists of which not all is returned', () => {
		const nodes = [new LinkManager(), new NewsReader()];
		const limits = nodes.flatMap(({ description }) =>
			description.properties.filter(({ name }) => name === 'limit'),
		);
		expect(limits).not.toEqual([]);
		for (const { displayOptions } of limits)
			expect(displayOptions!.show).toMatchObject({ returnAll: [false] });
	});
});

it('chooses the first resource at first', () => {
	const [resource] = new LinkManager().description.properties.filter(({ name }) => name === 'resource');
	expect(resource!.default).toBe(Object.keys(linkManager.table)[0]);
});

it('offers Read Only only where the node is a tool', () => {
	const readOnly = new LinkManager().description.properties.find(({ name }) => name === 'readOnly');
	expect(readOnly!.displayOptions).toEqual({ show: { '@tool': [true] } });
});

it('adds filters to reads, and fields to writes', () => {
	const { properties } = new LinkManager().description;
	const placeholdersOf = (name: string) =>
		new Set(properties.filter((property) => property.name === name).map(({ placeholder }) => placeholder));
	expect(placeholdersOf('filters')).toEqual(new Set(['Add Filter']));
	expect(placeholdersOf('updateFields')).toEqual(new Set(['Add Field']));
});

it.each([
	['Link Manager', new LinkManager(), linkManager.table],
	['News Reader', new NewsReader(), newsReader.table],
])('chooses Get Many at first where a resource has it: %s', (_, { description }, table) => {
	const chosen = description.properties
		.filter(({ name }) => name === 'operation')
		.map(({ default: initial }) => initial);
	const expected = Object.values(table).map(({ operations }) =>
		'getAll' in operations ? 'getAll' : Object.keys(operations)[0],
	);
	expect(chosen).toEqual(expected);
});

it('a tool uses the defaults of the form for parameters that a language model leaves out', () => {
	const { getAll, markAllRead } = newsReader.table.feed!.operations;
	expect(defaultsOf(getAll!).get('limit')).toBe(50);
	expect(defaultsOf(markAllRead!).get('days')).toBe(7);
});

it('promises no name or alias where a text is taken for an ID', () => {
	const typed = [new LinkManager(), new NewsReader()]
		.flatMap(({ description }) => parametersOf(description))
		.flatMap(({ property: { type, modes, description } }) =>
			type === 'resourceLocator' && modes?.some(({ name }) => name === 'id') ? [description ?? ''] : [],
		);
	expect(typed.length).toBeGreaterThan(0);
	expect(typed.filter((description) => /\bby its (?:alias|name|title)\b/.test(description))).toEqual([]);
});
