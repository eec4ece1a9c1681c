/** Each lint rule finds a fault that is put into the Link Manager's description. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { startEngine } from '../support/nodes/node';
import { lintDescription, nodeRules, parameterRules } from './rules';
import { hasSeveralSentences, sentenceCaseFault, titleCaseFault } from './words';

let valid: INodeTypeDescription;
beforeAll(async () => {
	valid = (await startEngine()).nodeType('n8n-nodes-newslink.linkManager').description;
});

type Spoil = (description: INodeTypeDescription) => unknown;

const onCreate = { show: { resource: ['shortLink'], operation: ['create'] } };

const find = ({ properties }: INodeTypeDescription, name: string): INodeProperties =>
	properties.find((property) => property.name === name)!;

const change =
	(name: string, changes: Partial<INodeProperties>): Spoil =>
	(description) =>
		Object.assign(find(description, name), changes);

const add =
	(property: Partial<INodeProperties>, index?: number): Spoil =>
	({ properties }) =>
		properties.splice(index ?? properties.length, 0, {
			...{ displayName: 'Extra', name: 'extra', type: 'string', default: '' },
			description: 'A longer text',
			...property,
		});

const faults: Array<[rule: string, spoil: Spoil]> = [
	['titles', change('url', { displayName: 'Long Url' })],
	['sorted', (description) => find(description, 'qrType').options!.reverse()],
	['ids', add({ name: 'extraId' })],
	['booleans', change('returnAll', { description: 'If all are returned' })],
	['placeholders', change('url', { placeholder: 'https://example.com' })],
	['defaults', change('url', { default: 1 })],
	['validFromTheStart', change('qrData', { default: '' })],
	[
		'addresses',
		(description) =>
			find(description, 'linkId').modes!.push({ displayName: 'By URL', name: 'url', type: 'string' }),
	],
	['descriptions', change('url', { description: 'where it leads' })],
	['helpful', change('url', { description: 'The URL' })],
	['secrets', add({ name: 'apiToken' })],
	['colors', add({ displayName: 'Back Color' })],
	['reachable', add({ displayOptions: { show: { resource: ['pixel'], operation: ['assignLink'] } } })],
	['requiredFirst', add({ displayOptions: onCreate }, 11)],
	['sameOrder', add({ displayOptions: onCreate })],
	[
		'alike',
		(description) => {
			add({ name: 'first', displayOptions: { show: { resource: ['pixel'] } } })(description);
			add({ name: 'second' })(description);
			add({ name: 'first', displayOptions: { show: { resource: ['domain'] } } })(description);
		},
	],
	[
		'together',
		add({ displayOptions: { show: { resource: ['shortLink'], operation: ['getAll'], returnAll: [false] } } }),
	],
	['explained', add({ description: 'More classifiers' })],
	['oneMeaning', add({ name: 'url', displayOptions: { show: { resource: ['pixel'] } } })],
	['operations', change('resource', { noDataExpression: false })],
	['filled', change('additionalFields', { options: [] })],
	['house', (description) => (description.description = 'Shorten links.')],
];

it.each(faults)('%s', (rule, spoil) => {
	const description = structuredClone(valid);
	expect(lintDescription(description)).toEqual([]);
	spoil(description);
	const rules = lintDescription(description).map((fault) => fault.split(': ', 1)[0]);
	expect(rules).toContain(rule);
});

it('tests every rule', () => {
	expect(faults.map(([rule]) => rule)).toEqual(Object.keys({ ...parameterRules, ...nodeRules }));
});

it('distinguishes titles from sentences', () => {
	const isTitle = (text: string): boolean => titleCaseFault(text) === undefined;
	expect(['Get Many', 'Name or ID', 'By URL', 'UTM Source', 'Wi-Fi Network'].every(isTitle)).toBe(true);
	expect(['Get many', 'Name Or ID', 'By Url', 'get'].some(isTitle)).toBe(false);
	expect(['Get a QR code', 'Assign an item'].map(sentenceCaseFault)).toEqual([undefined, undefined]);
	expect(sentenceCaseFault('Get a Code')).toBeDefined();
	expect(['One. Two', 'One, e.g. two', 'One'].map(hasSeveralSentences)).toEqual([true, false, false]);
});
