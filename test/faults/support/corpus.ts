/** Values of an expression that are not what a parameter expects. */

export interface Hostile {
	name: string;
	value: unknown;
	/** Parameter types that accept it, in addition to free text and JSON; every other one has to refuse it. */
	for?: ReadonlyArray<'number' | 'boolean' | 'dateTime'>;
	/** Nothing can take it. */
	unusable?: true;
}

const unprintable = Object.assign(Object.create(null) as object, { a: 1 });

export const corpus: readonly Hostile[] = [
	{ name: 'an object', value: { a: 1 } },
	{ name: 'an empty object', value: {} },
	{ name: 'an object without a prototype', value: unprintable },
	{ name: 'a list of objects', value: [{ a: 1 }] },
	{ name: 'a list of lists', value: [[1]] },
	{ name: 'an invalid Date', value: new Date(Number.NaN), unusable: true },
	{ name: 'half a surrogate pair', value: 'a\ud800b', unusable: true },
	{ name: 'half a surrogate pair inside', value: { a: ['\udc00'] }, unusable: true },
	{ name: 'one dot', value: '.' },
	{ name: 'two dots', value: '..' },
	{ name: 'two encoded dots', value: '%2e%2e' },
	{ name: 'a way up', value: '../../admin' },
	{ name: 'a way up, the other way', value: '..\\..\\admin' },
	{ name: 'an address in an id', value: '7/delete?all=1#' },
	{ name: 'constructor', value: 'constructor' },
	{ name: '__proto__', value: '__proto__' },
	{ name: 'toString', value: 'toString' },
	{ name: 'NaN', value: Number.NaN },
	{ name: 'Infinity', value: Number.POSITIVE_INFINITY },
	{ name: 'a fraction', value: 1.5 },
	{ name: 'a huge number', value: 1e300 },
	{ name: 'the digits of a huge number', value: '123456789012345678901234567890' },
	{ name: 'a hexadecimal number', value: '0x10' },
	{ name: 'true', value: true, for: ['boolean'] },
	{ name: 'yes', value: 'yes' },
	{ name: 'a line break', value: 'a\r\nX-Header: b' },
	{ name: 'a null character', value: 'a\u0000b' },
	{ name: 'a percent sign', value: '100%' },
	{ name: 'a broken escape', value: '%E0%A4%A' },
	{ name: 'a text that ends like a year', value: 'story 7' },
	{ name: 'a day that there is not', value: '2026-02-30' },
	{ name: 'an hour that there is not', value: '2026-02-03T25:00:00Z' },
	{ name: 'half a date', value: '2026-02' },
	{ name: 'a date and more', value: '2026-02-03T04:05:06Z, roughly' },
	{ name: 'a date with words', value: '3 February 2026' },
	{ name: 'markup', value: '<script>alert(1)</script>' },
	{ name: 'a megabyte', value: 'x'.repeat(1_000_000) },
];
