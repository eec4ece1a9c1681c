import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { lintDescription } from './lint-description';
import { hasSeveralSentences, sentenceCaseFault, titleCaseFault } from './words';

const onCreate = { show: { resource: ['link'], operation: ['create'] } };

/** A description without faults. */
function validDescription(): INodeTypeDescription {
	return {
		displayName: 'Link Manager',
		name: 'linkManager',
		iconUrl: { light: 'light.svg', dark: 'dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter.operation }}',
		description: 'Shorten links',
		defaults: { name: 'Link Manager' },
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		codex: {
			categories: ['Marketing'],
			resources: { primaryDocumentation: [{ url: 'https://example.com' }] },
		},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				description: 'What it is about',
				noDataExpression: true,
				options: [
					{ name: 'Link', value: 'link' },
					{ name: 'QR Code', value: 'qr' },
				],
				default: 'link',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				description: 'What the node does',
				noDataExpression: true,
				displayOptions: { show: { resource: ['link'] } },
				options: [
					{ name: 'Create', value: 'create', action: 'Create a link', description: 'Shorten a URL' },
					{ name: 'Get Many', value: 'getAll', action: 'Get many links', description: 'List links' },
				],
				default: 'create',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				description: 'What the node does',
				noDataExpression: true,
				displayOptions: { show: { resource: ['qr'] } },
				options: [
					{ name: 'Get Many', value: 'getAll', action: 'Get many QR codes', description: 'List codes' },
				],
				default: 'getAll',
			},
			{
				displayName: 'Channel',
				name: 'channelId',
				description: 'Where to put it',
				type: 'resourceLocator',
				required: true,
				default: { mode: 'list', value: '' },
				displayOptions: onCreate,
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						placeholder: 'Select a channel...',
						typeOptions: { searchListMethod: 'channel', searchable: true },
					},
					{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 42' },
				],
			},
			{
				displayName: 'Target of the Link',
				name: 'url',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. https://example.com',
				description: 'Where the link leads',
				displayOptions: onCreate,
			},
			{
				displayName: 'Return All',
				name: 'returnAll',
				type: 'boolean',
				default: false,
				description: 'Whether to return all results or only up to a given limit',
				displayOptions: { show: { operation: ['getAll'] } },
			},
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				default: 50,
				typeOptions: { minValue: 1 },
				description: 'Max number of results to return',
				displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
			},
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				description: 'What else can be set',
				default: {},
				displayOptions: onCreate,
				options: [
					{ displayName: 'Alias', name: 'custom', type: 'string', default: '', description: 'Its end' },
					{
						displayName: 'Background',
						name: 'background',
						type: 'color',
						default: '',
						description: 'Behind',
					},
					{
						displayName: 'Targeting',
						name: 'targeting',
						type: 'fixedCollection',
						placeholder: 'Add Rule',
						description: 'Other targets',
						default: {},
						options: [
							{
								displayName: 'Rule',
								name: 'rule',
								values: [
									{
										displayName: 'Country',
										name: 'country',
										type: 'string',
										default: '',
										description: 'Where visitors are',
									},
								],
							},
						],
					},
				],
			},
		],
	};
}

/** The first parameter of this name, at the top or in "Additional Fields". */
function find({ properties }: INodeTypeDescription, name: string): INodeProperties {
	const inner = properties.flatMap(({ type, options }) =>
		type === 'collection' ? ((options ?? []) as INodeProperties[]) : [],
	);
	return [...properties, ...inner].find((property) => property.name === name)!;
}

const change =
	(name: string, changes: Partial<INodeProperties>) =>
	(description: INodeTypeDescription): void =>
		void Object.assign(find(description, name), changes);

const add =
	(property: Partial<INodeProperties>, index?: number) =>
	({ properties }: INodeTypeDescription): void =>
		void properties.splice(index ?? properties.length, 0, {
			displayName: 'Extra',
			name: 'extra',
			type: 'string',
			default: '',
			description: 'More',
			...property,
		});

it('finds no fault in a valid description', () => {
	expect(lintDescription(validDescription())).toEqual([]);
});

it.each<[fault: string, spoil: (description: INodeTypeDescription) => void]>([
	[
		'titles: link.create > url: "target" in "target of" should be "Target"',
		change('url', { displayName: 'target of' }),
	],
	[
		'titles: link.create > url: "Url" in "Long Url" should be "URL"',
		change('url', { displayName: 'Long Url' }),
	],
	[
		'titles: resource: "qr" in "qr code"',
		change('resource', { options: [{ name: 'qr code', value: 'link' }] }),
	],
	[
		'titles: link.create > channelId: "id"',
		(d) => void (find(d, 'channelId').modes![1]!.displayName = 'By id'),
	],
	[
		'sorted: link.create > additionalFields: options',
		(d) => void find(d, 'additionalFields').options!.reverse(),
	],
	['ids: extraId: is an id but neither', add({ name: 'extraId' })],
	['ids: extra: is an id but neither', add({ displayName: 'Extra Name or ID' })],
	['ids: link.create > channelId: the first mode', (d) => void find(d, 'channelId').modes!.reverse()],
	[
		'ids: link.create > channelId: a resource locator has a mode',
		(d) => void find(d, 'channelId').modes!.pop(),
	],
	['ids: link.create > channelId: the list', (d) => void delete find(d, 'channelId').modes![0]!.typeOptions],
	[
		'booleans: link.create > extra: the description',
		add({ type: 'boolean', default: false, displayOptions: onCreate }),
	],
	[
		'placeholders: link.create > url: the placeholder "https:',
		change('url', { placeholder: 'https://example.com' }),
	],
	[
		'placeholders: link.create > additionalFields: the placeholder',
		change('additionalFields', { placeholder: 'New' }),
	],
	[
		'placeholders: link.create > channelId: the placeholder "Pick',
		(d) => void (find(d, 'channelId').modes![0]!.placeholder = 'Pick'),
	],
	['defaults: link.create > url: has no default', change('url', { default: undefined })],
	['defaults: link.create > url: the default is not a string', change('url', { default: 1 })],
	[
		'defaults: link.create > additionalFields: the default is not an object',
		change('additionalFields', { default: '' }),
	],
	['defaults: extra: the default is not a list', add({ type: 'multiOptions', options: [] })],
	['defaults: resource: the default "none" is not one', change('resource', { default: 'none' })],
	['defaults: link.create > channelId: the default of a resource', change('channelId', { default: '' })],
	[
		'descriptions: link.create > url: "where it leads" should start',
		change('url', { description: 'where it leads' }),
	],
	[
		'descriptions: link.create > url: "Leads on." should end without',
		change('url', { description: 'Leads on.' }),
	],
	[
		'descriptions: link.create > url: "Leads on. Far" should end with a',
		change('url', { description: 'Leads on. Far' }),
	],
	['descriptions: link.create > url: "Leads  on" has stray', change('url', { description: 'Leads  on' })],
	['descriptions: link.create > url: "XXX', change('url', { description: 'X'.repeat(121) })],
	[
		'descriptions: link.create > additionalFields > custom: the description only',
		change('custom', { description: 'alias' }),
	],
	[
		'descriptions: getAll > returnAll: "Return All" has',
		change('returnAll', { description: 'Whether to return all' }),
	],
	['descriptions: getAll > limit: "Limit" has', change('limit', { description: 'How many' })],
	['descriptions: getAll > limit: "Limit" is 50', change('limit', { default: 100 })],
	['helpful: link.create > url: "Where it is" says no more', change('url', { description: 'Where it is' })],
	[`explained: extra: "Extra: More classifiers" doesn't explain`, add({ description: 'More classifiers' })],
	['secrets: apiToken: holds a secret', add({ name: 'apiToken' })],
	[
		'colors: link.create > additionalFields > background: is a color',
		change('background', { type: 'string', displayName: 'Back Color' }),
	],
	['reachable: extra: depends on "mode", which', add({ displayOptions: { show: { mode: ['a'] } } })],
	[
		'reachable: add > extra: depends on "operation" being "add"',
		add({ displayOptions: { show: { operation: ['add'] } } }),
	],
	[
		'reachable: qr.create > extra: can never be shown',
		add({ displayOptions: { show: { resource: ['qr'], operation: ['create'] } } }),
	],
	[
		'reachable: create > extra: can never be shown',
		add({ displayOptions: { show: { operation: ['create'], returnAll: [true] } } }),
	],
	[
		'reachable: extra: depends on "operation" being "add"',
		add({ displayOptions: { hide: { operation: ['add'] } } }),
	],
	['descriptions: link.create > url: has no description', (d) => void delete find(d, 'url').description],
	['validFromTheStart: extra: starts with "", which is no JSON', add({ type: 'json' })],
	[
		'addresses: link.create > channelId: takes what is no URL',
		(d) => void find(d, 'channelId').modes!.push({ displayName: 'By URL', name: 'url', type: 'string' }),
	],
	[
		'sorted: link > operation: options are not sorted: "Add (Deprecated)" where "Get Many" belongs',
		(d) =>
			void find(d, 'operation').options!.splice(1, 0, {
				name: 'Add (Deprecated)',
				value: 'add',
				action: 'Add a link',
				description: 'Shorten a URL',
			}),
	],
	[
		'sameOrder: channelId: is after "url"',
		({ properties }) => void properties.splice(4, 0, ...properties.splice(3, 1)),
	],
	[
		'alike: second: is before "first", but after it in other forms',
		(d) => {
			add({ name: 'first', displayOptions: { show: { operation: ['create'] } } })(d);
			add({ name: 'second' })(d);
			add({ name: 'first', displayOptions: { show: { operation: ['getAll'] } } })(d);
		},
	],
	[
		'together: limit: is after "extra", but depends on "returnAll"',
		add({ displayOptions: { show: { operation: ['getAll'] } } }, 6),
	],
	['sameOrder: limit: is after "simplify"', add({ name: 'simplify' }, 5)],
	[
		'requiredFirst: url: is required but comes after the optional "extra"',
		add({ displayOptions: onCreate }, 3),
	],
	[
		'oneMeaning: getAll > url: is "Extra" (string), but link.create > url is',
		add({ name: 'url', displayOptions: { show: { operation: ['getAll'] } } }),
	],
	['oneMeaning: url: two parameters', add({ ...validDescription().properties[4]! })],
	['operations: resource: takes expressions', change('resource', { noDataExpression: false })],
	[
		'operations: extra: takes expressions',
		add({ name: 'extra', displayOptions: { show: { '@tool': [true] } } }),
	],
	['filled: additionalFields is empty', change('additionalFields', { options: [] })],
	['operations: resource "qr" has no operations', (d) => void d.properties.splice(2, 1)],
	[
		'operations: operation "create" has no action',
		(d) => void delete (find(d, 'operation').options![0] as { action?: string }).action,
	],
	[
		'operations: operation "Create a Link": "Link" in',
		(d) => void Object.assign(find(d, 'operation').options![0]!, { action: 'Create a Link' }),
	],
	[
		'operations: operation "Create a link.": an action',
		(d) => void Object.assign(find(d, 'operation').options![0]!, { action: 'Create a link.' }),
	],
	[
		'operations: operation "Get many links": another',
		(d) => void Object.assign(find(d, 'operation').options![0]!, { action: 'Get many links' }),
	],
	[
		'operations: operation "Create a link" has no description',
		(d) => void delete (find(d, 'operation').options![0] as { description?: string }).description,
	],
	['house: "manager" in "Link manager"', (d) => void (d.displayName = d.defaults.name = 'Link manager')],
	['house: "Shorten links." should end without', (d) => void (d.description = 'Shorten links.')],
	['house: the default name', (d) => void (d.defaults.name = 'Links')],
	['house: has no subtitle', (d) => void delete d.subtitle],
	['house: a trigger, and only', (d) => void (d.inputs = [])],
	['house: a trigger is called one', (d) => void (d.displayName = d.defaults.name = 'Link Trigger')],
	['house: a node, but not a trigger', (d) => void delete d.usableAsTool],
	['house: the codex names no category', (d) => void delete d.codex!.categories],
	['house: the codex names no documentation', (d) => void delete d.codex!.resources],
	['house: has no light and dark icon', (d) => void (d.iconUrl = 'one.svg')],
	['house: is', add({ description: 'X', hint: 'X'.repeat(160 * 1024) })],
])('finds "%s"', (fault, spoil) => {
	const description = validDescription();
	spoil(description);
	expect(lintDescription(description)).toContainEqual(expect.stringContaining(fault));
});

it('accepts two mutually exclusive options, each with a required field', () => {
	const description = validDescription();
	add({
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		options: [
			{ name: 'A', value: 'a' },
			{ name: 'B', value: 'b' },
		],
		default: 'a',
	})(description);
	add({ name: 'first', displayOptions: { show: { kind: ['a'] } } })(description);
	add({ name: 'second', required: true, displayOptions: { show: { kind: ['b'] } } })(description);
	// "kind" decides whether "first" or "second" is shown; "Additional Fields" and the limits are shown with both.
	expect(lintDescription(description)).toEqual([
		'requiredFirst: second: is required but comes after the optional "returnAll"',
		...['kind', 'first', 'second'].map((name) => `sameOrder: ${name}: is after "returnAll"`),
	]);
});

it('distinguishes titles from sentences', () => {
	expect(
		['Get Many', 'Name or ID', 'By URL', 'If Exists', 'UTM Source', 'Wi-Fi Network', 'CTA Overlay'].map(
			titleCaseFault,
		),
	).toEqual(Array(7).fill(undefined));
	expect(
		['Get many', 'Name Or ID', 'By Url', 'get'].map((text) => titleCaseFault(text) !== undefined),
	).toEqual(Array(4).fill(true));
	expect(['Get a QR code', 'Assign an item'].map(sentenceCaseFault)).toEqual([undefined, undefined]);
	expect(
		['Get a Code', 'get a code', 'Get a qr code'].map((text) => sentenceCaseFault(text) !== undefined),
	).toEqual(Array(3).fill(true));
	expect(['One. Two', 'One, e.g. two', 'One'].map(hasSeveralSentences)).toEqual([true, false, false]);
});
