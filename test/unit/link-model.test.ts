/** Pure functions of the link service's operations: pages, outputs of writes, and keys of existing records. */
import { table } from '../../nodes/LinkManager/resources';
import { writtenLink } from '../../nodes/LinkManager/resources/short-link-record';
import { countsIn } from '../../nodes/LinkManager/statistics';
import { responseWith } from '../support/responses';

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

describe('If Exists', () => {
	const keys = (url: string) => {
		const { keysOf, lookUps } = table.shortLink.operations.create.existing!;
		return [keysOf({ longUrl: url })[0], lookUps({ url })[0]!.key];
	};

	it.each([
		['https://ex.org?a=1', 'https://EX.org:443/?a=1'],
		['http://ex.org:80/a', 'HTTP://ex.org/a'],
		['https://münchen.example/café', 'https://xn--mnchen-3ya.example/caf%c3%a9'],
		['https://ex.org/%7Ea%2fb', 'https://ex.org/~a%2Fb'],
		['b.example', ' b.example '],
	])('takes the target %s for %s', (one, other) => {
		expect(new Set([...keys(one), ...keys(other)]).size).toBe(1);
	});

	it.each([
		['https://ex.org/a', 'http://ex.org/a'],
		['https://ex.org/a', 'https://ex.org/a/'],
		['https://ex.org/a', 'https://ex.org/A'],
	])('does not take the target %s for %s', (one, other) => {
		expect(keys(one)).not.toEqual(keys(other));
	});

	it.each([
		['https://ex.org/spring/offer?x=1', 'spring/offer?x=1'],
		['https://ex.org?a=1', '?a=1'],
		['https://EX.org:443/caf%c3%a9s/menu', 's/menu'],
		['https://ex.org/a', 'ex.org'],
		['https://münchen.example', undefined],
		['b.example', 'b.example'],
	])('finds the target %s by the text %s', (url, q) => {
		const [lookUp] = table.shortLink.operations.create.existing!.lookUps({ url });
		expect(lookUp!.search).toEqual(q === undefined ? undefined : { q });
	});
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
