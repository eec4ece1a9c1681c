import fc from 'fast-check';
import { table } from '../../nodes/LinkManager/resources';
import { aBoolean, anInteger, aText, aUrlOrNull, counts, record } from '../../nodes/runtime/table/record';
import { propertyOptions } from '../support/cases/random';
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { responseWith } from '../support/responses';
import { linkManager } from '../../nodes/LinkManager/service';
import { newsReader } from '../../nodes/NewsReader/service';
import { linkTable, readerTable } from '../../nodes/tables';

const campaign = record(
	{ id: anInteger, name: aText, public: aBoolean, rotator: aUrlOrNull, list: aText },
	{ name: ['domain', 'campaign'] },
);

it.each<[string, unknown, unknown]>([
	[
		'the form of the contract’s lists',
		{ id: 1, name: 'A', public: true },
		{ id: 1, name: 'A', public: true },
	],
	['the name under domain', { id: 1, domain: 'A' }, { id: 1, name: 'A' }],
	['the name under campaign', { id: '1', campaign: 'A' }, { id: 1, name: 'A' }],
	['a name with a domain', { name: 'A', domain: 'B' }, { name: 'A' }],
	['booleans as numbers', { public: 1 }, { public: true }],
	['booleans as texts', { public: '0' }, { public: false }],
	['no rotator', { rotator: false }, { rotator: null }],
	['an empty rotator', { rotator: '' }, { rotator: null }],
	['a rotator', { rotator: 'https://a.test/r/x' }, { rotator: 'https://a.test/r/x' }],
	['ids that are none', { id: 'x7' }, { id: 'x7' }],
	['null', { id: null, public: null }, { id: null, public: null }],
	['members that nobody knows', { id: 1, extra: { a: [1] } }, { id: 1, extra: { a: [1] } }],
])('normalizes a campaign: %s', (_, response, tidied) => {
	expect(campaign.coerce(response)).toEqual(tidied);
});

it.each<[unknown, unknown]>([
	[{ Canada: '4' }, { Canada: 4 }],
	[{ Canada: 4 }, { Canada: 4 }],
	[[], {}],
	[{}, {}],
	[0, {}],
	['0', {}],
	[null, {}],
	[{ Canada: 'many' }, { Canada: 'many' }],
	['none', 'none'],
])('normalizes counts: %j', (response, tidied) => {
	expect(counts.coerce(response)).toEqual(tidied);
});

const schemas = Object.values(table).flatMap(({ operations }) =>
	Object.values(operations).map(({ output }) => output.schema),
);

it('keeps all members of any value, and adds none', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...schemas),
			fc.dictionary(fc.string(), fc.jsonValue()),
			(schema, response) => {
				const tidied = schema.coerce(response) as object;
				const known = (names: string[]) =>
					names.filter((name) => !['name', 'domain', 'campaign', 'short', 'shorturl'].includes(name));
				expect(known(Object.keys(tidied)).sort()).toEqual(known(Object.keys(response)).sort());
			},
		),
		propertyOptions(200),
	);
});

it('leaves a coerced record unchanged', () => {
	fc.assert(
		fc.property(fc.constantFrom(...schemas), fc.jsonValue(), (schema, response) => {
			const once = schema.coerce(response);
			expect(schema.coerce(once)).toEqual(once);
		}),
		propertyOptions(200),
	);
});

describe('a response with objects that throw when they are converted to text or numbers', () => {
	const unconvertible = { toString: 1, valueOf: 1 };
	/** A record in which each member is such an object. */
	const oddRecord = new Proxy({}, { get: () => unconvertible });

	const resources = [...Object.entries(linkTable), ...Object.entries(readerTable)];

	it.each(resources)('does not fail a list of %s', (_, { listing, operations }) => {
		expect(typeof (listing?.label(oddRecord) ?? '')).toBe('string');
		for (const { paging } of Object.values(operations)) {
			expect(typeof (paging?.identity?.(oddRecord) ?? '')).toBe('string');
		}
	});

	it.each([linkManager, newsReader])('does not fail an operation of $name', ({ errorIn }) => {
		const request: ApiRequest = { method: 'POST', path: '/somewhere' };
		for (const name of ['error', 'code', 'message', 'errors', 'result', 'authenticated']) {
			const json = { [name]: unconvertible };
			expect(() => errorIn(responseWith(json), request)).not.toThrow();
		}
	});
});
