/** Parameters of three input items for each operation, and the requests that they should cause. */
import type { INodeProperties, INodePropertyCollection, INodeTypeDescription } from 'n8n-workflow';
import type { Field } from '../../../nodes/runtime/fields/field';
import type { Operation } from '../../../nodes/runtime/table/operation';
import { linkTable } from '../../../nodes/tables';
import { keyOf, type Endpoint, type Type } from '../../../cases/endpoint.ts';
import { linkEndpoints } from '../../../cases/links.ts';
import * as parameters from './parameters';

export interface Case {
	resource: string;
	operation: string;
	row: Operation;
	endpoint: Endpoint;
}

/** Every operation of the table that is one endpoint of the interface document; the others call several endpoints. */
export const cases: Case[] = Object.entries(linkTable).flatMap(([resource, { operations }]) =>
	Object.entries(operations).flatMap(([operation, row]: [string, Operation]) => {
		const key = keyOf({ method: row.method, path: row.template });
		const endpoint = linkEndpoints.find((candidate) => keyOf(candidate) === key);
		return endpoint && !row.isExtra ? [{ resource, operation, row, endpoint }] : [];
	}),
);

/** Values by parameter, and the expected values of the request by their names in the interface document. */
export interface Sample {
	form: Record<string, unknown>;
	path: Record<string, unknown>;
	query: Record<string, string>;
	body: Record<string, unknown>;
}

/** QR codes whose data are JSON, for each kind of content. */
const qrCodes = [
	{
		form: { dataSource: 'json', qrType: 'text', qrData: '"Table 12"' },
		body: { type: 'text', data: 'Table 12' },
	},
	{
		form: { dataSource: 'json', qrType: 'wifi', qrData: { ssid: 'Guests' } },
		body: { type: 'wifi', data: { ssid: 'Guests' } },
	},
	{
		form: { dataSource: 'json', qrType: 'vcard', qrData: '["Ada", "Example"]' },
		body: { type: 'vcard', data: ['Ada', 'Example'] },
	},
];

/** Samples of operations whose parameters and request values do not correspond one to one. */
const handwritten: Record<string, Array<Partial<Sample>>> = {
	'campaign.assignLink': [
		{ form: { campaignId: 4, linkId: 14 }, path: { campaignid: 4, linkid: 14 } },
		{ form: { campaignId: '5', linkId: '15' }, path: { campaignid: 5, linkid: 15 } },
		{ form: { campaignId: 6, linkId: ' 16 ' }, path: { campaignid: 6, linkid: 16 } },
	],
	'channel.assignItem': [
		{
			form: { channelId: 4, itemType: 'bio', bioPageId: 14 },
			path: { channelid: 4, type: 'bio', itemid: 14 },
		},
		{
			form: { channelId: 5, itemType: 'links', linkId: 15 },
			path: { channelid: 5, type: 'links', itemid: 15 },
		},
		{ form: { channelId: 6, itemType: 'qr', qrCodeId: 16 }, path: { channelid: 6, type: 'qr', itemid: 16 } },
	],
	'qrCode.create': qrCodes,
	'qrCode.update': qrCodes,
	'shortLink.create': [
		{
			form: {
				redirectType: 'frame',
				utmSource: 'letter',
				parameters: { entry: [{ name: 'ref', value: '7' }] },
			},
			body: {
				type: 'frame',
				parameters: [
					{ name: 'ref', value: '7' },
					{ name: 'utm_source', value: 'letter' },
				],
			},
		},
		{
			form: {
				splashId: 7,
				utmCampaign: 'spring',
				utmContent: 'top',
				utmMedium: 'email',
				utmTerm: 'shoes',
			},
			body: {
				type: '7',
				parameters: [
					{ name: 'utm_campaign', value: 'spring' },
					{ name: 'utm_content', value: 'top' },
					{ name: 'utm_medium', value: 'email' },
					{ name: 'utm_term', value: 'shoes' },
				],
			},
		},
		{
			form: {
				overlayId: '8',
				utmTerm: '',
				otherFields: '{ "fallback": "https://example.com", "weight": 3 }',
			},
			body: { type: 'overlay-8', fallback: 'https://example.com', weight: 3 },
		},
	],
};
handwritten['shortLink.get'] = [0, 1, 2].map(() => ({ form: { statistics: 'record' } }));
handwritten['qrCode.get'] = handwritten['shortLink.get'];
handwritten['shortLink.update'] = handwritten['shortLink.create']!;

/** The n-th of three values of a parameter, for a type of the interface document. */
const parameterValue = (type: Type, field: Field, n: number): unknown => {
	switch (type) {
		case 'string':
			return `${field.label} ${n + 1}`;
		case 'integer':
			return 11 * (n + 1);
		case 'boolean':
			return n !== 1;
		case 'rgb':
		case 'hex':
			return ['#ff0000', '#00ff00', '#0000ff'][n];
		case 'timestamp':
			return `2031-0${n + 1}-02T03:04:05Z`;
		case 'integers':
			return [[11], [12, 13], [14]][n];
		case 'object':
			return { note: `extra ${n + 1}` };
		case 'objects':
			return { entry: Array.from({ length: n + 1 }, (_, entry) => textsOf(field, entry)) };
		default:
			if (typeof type === 'string')
				throw new Error(
					`No sample for ${field.label}: add three to handwritten in test/support/cases/link-samples.ts`,
				);
			return type[n % type.length];
	}
};

/** Values of parameters that accept only some texts, such as addresses. */
const validTexts: Record<string, string[]> = {
	location: ['Canada', 'Trinidad and Tobago', 'Hong Kong'],
	language: ['fr', 'de', 'es'],
	domain: ['https://one.example', 'https://two.example', 'https://three.example'],
	short: ['https://one.example/a', 'https://one.example/b', 'https://one.example/c'],
};

/** An entry of a fixed collection, with a text for each member. */
function textsOf(field: Field, entry: number): Record<string, string> {
	const [list] = field.properties('list') as [INodeProperties];
	const [{ values }] = list.options as [INodePropertyCollection];
	return Object.fromEntries(
		values.map(({ name }) => [name, validTexts[name]?.[entry] ?? `${name} ${entry + 1}`]),
	);
}

/** The request value for the value of a parameter. */
const requestValue = (type: Type, sample: unknown): unknown => {
	switch (type) {
		case 'rgb':
			return { '#ff0000': 'rgb(255,0,0)', '#00ff00': 'rgb(0,255,0)', '#0000ff': 'rgb(0,0,255)' }[
				String(sample)
			];
		case 'timestamp':
			return String(sample).slice(0, 19).replace('T', ' ');
		case 'objects':
			return (sample as { entry: unknown[] }).entry;
		default:
			return sample;
	}
};

/** Values of a parameter that was left blank. */
const blankValues = ['', null, undefined];

/** The n-th sample of an operation, with all parameters or with blank optional ones. */
export function sample(
	{ resource, operation, row, endpoint }: Case,
	n: number,
	optional: 'filled' | 'blank',
): Sample {
	const manual = handwritten[`${resource}.${operation}`]?.[n];
	if (Object.keys(row.params).length > 0 && !manual)
		throw new Error(
			`No samples for ${row.route}: add three to handwritten in test/support/cases/link-samples.ts`,
		);
	const result: Sample = {
		form: { ...manual?.form },
		path: { ...manual?.path },
		query: { ...(row.paging && { limit: String(n + 1), page: '1' }) },
		body: { ...manual?.body },
	};
	const [id] = Object.entries(row.path);
	if (id && !manual?.path) {
		const [name, field] = id;
		result.path.id = parameterValue('integer', field, n);
		result.form[field.paramName ?? name] = result.path.id;
	}
	for (const part of ['query', 'body'] as const) {
		for (const [name, { type, required }] of Object.entries(endpoint[part] ?? {})) {
			const field = row[part][name];
			if (!field || isHandwritten(resource, operation, name)) continue;
			const isBlank = optional === 'blank' && !required;
			const value = isBlank
				? blankValues[n]
				: (type === 'string' && validTexts[name]?.[n]) || parameterValue(type, field, n);
			result.form[field.paramName ?? name] = value;
			if (!isBlank) result[part][name] = requestValue(type, value) as string;
		}
	}
	return result;
}

/** The first sample, completed with the parameters of the others: n8n requires every parameter that an expression may
 * show. */
export function completeSample(operationCase: Case, optional: 'filled' | 'blank'): Sample {
	const samples = [0, 1, 2].map((n) => sample(operationCase, n, optional));
	const form = Object.assign({}, ...samples.reverse().map(({ form }) => form)) as Sample['form'];
	return { ...samples.at(-1)!, form };
}

const isHandwritten = (resource: string, operation: string, name: string): boolean =>
	(handwritten[`${resource}.${operation}`] ?? []).some(({ path, body }) => name in { ...path, ...body });

/** The path of an endpoint with its placeholders filled. */
export const pathOf = ({ path }: Pick<Endpoint, 'path'>, values: Record<string, unknown>): string =>
	path.replace(/:(\w+)/g, (_, name: string) => String(values[name]));

/** The ids of a path, in its order. */
export const idsOf = ({ path }: Endpoint, values: Record<string, unknown>): unknown[] =>
	[...path.matchAll(/:(\w+)/g)].map(([, name]) => values[String(name)]);

/** The parameters of a Link Manager that takes each of these values from its input item. */
export const parametersFrom = (
	description: INodeTypeDescription,
	operation: { resource: string; operation: string },
	names: string[],
): Record<string, unknown> =>
	parameters.parametersFrom(description, operation, names, { dataSource: 'json' });
