/** Pure functions of the link service's operations: pages, outputs of writes, and keys of existing records. */
import { table } from '../../nodes/LinkManager/resources';
import { writtenLink } from '../../nodes/LinkManager/resources/short-link-record';
import { countsIn } from '../../nodes/LinkManager/statistics';
import { responseWith } from '../support/cases/response';

describe('a page of a list', () => {
	const read = (data: unknown, page = 2) =>
		table.campaign.operations.getAll.paging!.read(
			responseWith({ error: 0, data }),
			page,
			(why) => new Error(why),
			{},
		);
	const campaigns = [{ id: 1 }];

	it.each([
		[[]],
		[{ result: 0, campaigns: [] }],
		[{ result: 0 }],
		[{ result: '0', campaigns: null }],
		[{ currentpage: 1 }],
		[{ maxpage: 1 }],
	])('is empty if its data is %j', (data) => {
		expect(read(data)).toEqual({ records: [], more: false });
	});

	it.each([
		[[7]],
		[{}],
		[{ result: 1 }],
		[{ currentpage: 1, result: '2' }],
		[{ campaigns: { a: 1 } }],
		['none'],
		[null],
	])('is rejected if its data is %j', (data) =>
		expect(() => read(data)).toThrow('JSON without a list of campaigns'),
	);

	it.each<[object, boolean]>([
		[{}, true],
		[{ maxpage: 2 }, false],
		[{ maxpage: 3 }, true],
		[{ nextpage: null }, false],
		[{ nextpage: null, maxpage: 9 }, false],
		[{ nextpage: 2 }, false],
		[{ nextpage: 3 }, true],
		[{ nextpage: 3, maxpage: 2 }, false],
		[{ nextpage: 2, maxpage: 3 }, true],
	])('with %j has more: %s', (envelope, more) => {
		expect(read({ ...envelope, campaigns })).toEqual({ records: campaigns, more });
	});

	it('may be an object with numbers as keys', () => {
		expect(read({ maxpage: 2, campaigns: { 0: { id: 1 }, 1: { id: 2 } } }).records).toEqual([
			{ id: 1 },
			{ id: 2 },
		]);
	});
});

describe('the output of a write', () => {
	const select = (json: object) => writtenLink.select(responseWith({ error: 0, ...json }), {});

	it.each([
		[{ shorturl: 'https://a.example/x' }, { domain: 'https://a.example', alias: 'x' }],
		[{ short: 'https://a.example/x/' }, { domain: 'https://a.example', alias: 'x' }],
		[
			{ shorturl: 'https://a.example/x', alias: 'y' },
			{ domain: 'https://a.example', alias: 'y' },
		],
	])('has the domain and alias of the short URL: %j', (json, expected) => {
		expect(select(json)).toEqual({ ...json, ...expected });
	});

	it.each([{ shorturl: 'x' }, { shorturl: '' }, { id: 7 }])(
		'has no domain and alias without a short URL: %j',
		(json) => {
			expect(select(json)).toEqual(json);
		},
	);
});

describe('an existing link', () => {
	const { existing } = table.shortLink.operations.create;
	const entry = { alias: 'x', longUrl: 'https://b.example/' };

	it.each([
		['https://b.example', 'https://b.example/'],
		[' https://B.example/ ', 'https://b.example/'],
		['https://b.example/a', 'https://b.example/a'],
		['b.example', 'b.example'],
		['', undefined],
		[undefined, undefined],
	])('with the target %j has the key %j', (url, key) => {
		expect(existing!.keyOfInput({ url })).toBe(key);
		expect(existing!.keyOfRecord({ longUrl: url })).toBe(key);
	});

	it('is matched by its alias, or by its target if the input has no alias', () => {
		const { keyOfInput, keyOfRecord, search } = { ...existing!, ...existing!.update };
		const byAlias = { custom: 'x', url: 'https://c.example' };
		expect(keyOfInput(byAlias)).toBe(keyOfRecord(entry, byAlias));
		expect(search!(byAlias)).toEqual({ q: 'x' });
		const byTarget = { url: 'https://b.example/' };
		expect(keyOfInput(byTarget)).toBe(keyOfRecord(entry, byTarget));
		expect(keyOfInput(byTarget)).not.toBe(keyOfInput(byAlias));
		expect(search!(byTarget)).toEqual({ q: 'https://b.example' });
	});

	it('with the same alias matches only if the target is the same', () => {
		const conflict = existing!.onConflict!({ custom: 'x', url: 'https://b.example' });
		expect(conflict!.matches(entry)).toBe(true);
		expect(conflict!.matches({ ...entry, alias: 'y' })).toBe(false);
		expect(conflict!.matches({ ...entry, longUrl: 'https://c.example/' })).toBe(false);
		expect(existing!.onConflict!({ url: 'https://b.example' })).toBeUndefined();
	});
});

it.each([
	['campaign', { name: ' Spring ' }, 'spring'],
	['channel', { name: 'SPRING' }, 'spring'],
	['channel', { name: ' ' }, undefined],
	['channel', {}, undefined],
] as const)('identifies a %s with %j by the key %j', (resource, body, key) => {
	const { existing } = table[resource].operations.create;
	expect(existing!.keyOfInput(body)).toBe(key);
	expect(existing!.keyOfRecord(body)).toBe(key);
});

it.each([
	[
		{ clicks: 1, uniqueClicks: 0, other: 2 },
		{ clicks: 1, uniqueClicks: 0 },
	],
	[{ clicks: 1 }, { clicks: 1 }],
	[{ uniqueClicks: 1 }, { uniqueClicks: 1 }],
	[[], {}],
	[undefined, {}],
])('reads from %j the counts %j', (data, counts) => {
	expect(countsIn(data)).toEqual(counts);
});
