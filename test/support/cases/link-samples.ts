/** What three input items want of an operation, and what of that should go over the wire. */
import type { INodeProperties, INodePropertyCollection, INodeTypeDescription } from 'n8n-workflow';
import type { Field } from '../../../nodes/runtime/fields/field';
import type { Operation } from '../../../nodes/runtime/table/operation';
import { linkTable } from '../../../nodes/tables';
import { keyOf, type Endpoint, type Type } from './endpoint';
import { linkEndpoints } from './link-endpoints';
import * as parameters from './parameters';

export interface Case {
	resource: string;
	operation: string;
	row: Operation;
	endpoint: Endpoint;
}

/** Every operation of the table that is an endpoint of the interface document: all others are made of several. */
export const cases: Case[] = Object.entries(linkTable).flatMap(([resource, { operations }]) =>
	Object.entries(operations).flatMap(([operation, row]: [string, Operation]) => {
		const key = keyOf({ method: row.method, path: row.template });
		const endpoint = linkEndpoints.find((candidate) => keyOf(candidate) === key);
		return endpoint && !row.isExtra ? [{ resource, operation, row, endpoint }] : [];
	}),
);

/** Values of the form by parameter, and what they become by the names of the interface document. */
export interface Wanted {
	form: Record<string, unknown>;
	path: Record<string, unknown>;
	query: Record<string, string>;
	body: Record<string, unknown>;
}

/** The data of a code as JSON, for each kind of content. */
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

/** Operations whose parameters and sent values don't correspond one to one. */
const byHand: Record<string, Array<Partial<Wanted>>> = {
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
byHand['shortLink.get'] = [0, 1, 2].map(() => ({ form: { statistics: 'record' } }));
byHand['qrCode.get'] = byHand['shortLink.get'];
byHand['shortLink.update'] = byHand['shortLink.create']!;

/** The n-th of three samples of what a form may hold, by what the interface wants of it. */
const inTheForm = (type: Type, field: Field, n: number): unknown => {
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
					`Say what ${field.label} holds: add samples to byHand in test/support/cases/link-samples.ts`,
				);
			return type[n % type.length];
	}
};

/** Texts of a list, and addresses. */
const known: Record<string, string[]> = {
	location: ['Canada', 'Trinidad and Tobago', 'Hong Kong'],
	language: ['fr', 'de', 'es'],
	domain: ['https://one.example', 'https://two.example', 'https://three.example'],
	short: ['https://one.example/a', 'https://one.example/b', 'https://one.example/c'],
};

/** An entry of a list of small forms, with a text in each place. */
function textsOf(field: Field, entry: number): Record<string, string> {
	const [list] = field.properties('list') as [INodeProperties];
	const [{ values }] = list.options as [INodePropertyCollection];
	return Object.fromEntries(values.map(({ name }) => [name, known[name]?.[entry] ?? `${name} ${entry + 1}`]));
}

/** A sample of the form as the interface wants it. */
const onTheWire = (type: Type, sample: unknown): unknown => {
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

/** Ways to leave a parameter blank. */
const blank = ['', null, undefined];

/** The n-th example of what an item wants: all that an operation takes, or its optional fields left blank. */
export function sample(
	{ resource, operation, row, endpoint }: Case,
	n: number,
	optional: 'filled' | 'blank',
): Wanted {
	const hand = byHand[`${resource}.${operation}`]?.[n];
	if (Object.keys(row.params).length > 0 && !hand)
		throw new Error(
			`Say what ${row.route} sends: add samples to byHand in test/support/cases/link-samples.ts`,
		);
	const filled: Wanted = {
		form: { ...hand?.form },
		path: { ...hand?.path },
		query: { ...(row.paging && { limit: String(n + 1), page: '1' }) },
		body: { ...hand?.body },
	};
	const [id] = Object.entries(row.path);
	if (id && !hand?.path) {
		const [name, field] = id;
		filled.path.id = inTheForm('integer', field, n);
		filled.form[field.paramName ?? name] = filled.path.id;
	}
	for (const place of ['query', 'body'] as const) {
		for (const [name, { type, required }] of Object.entries(endpoint[place] ?? {})) {
			const field = row[place][name];
			if (!field || isByHand(resource, operation, name)) continue;
			const isBlank = optional === 'blank' && !required;
			const value = isBlank ? blank[n] : (type === 'string' && known[name]?.[n]) || inTheForm(type, field, n);
			filled.form[field.paramName ?? name] = value;
			if (!isBlank) filled[place][name] = onTheWire(type, value) as string;
		}
	}
	return filled;
}

/** The first example, with every parameter that any example fills: n8n requires all that an expression may show. */
export function wholeSample(of: Case, optional: 'filled' | 'blank'): Wanted {
	const samples = [0, 1, 2].map((n) => sample(of, n, optional));
	const form = Object.assign({}, ...samples.reverse().map((each) => each.form)) as Wanted['form'];
	return { ...samples.at(-1)!, form };
}

const isByHand = (resource: string, operation: string, name: string): boolean =>
	(byHand[`${resource}.${operation}`] ?? []).some(({ path, body }) => name in { ...path, ...body });

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
