/** Values that an expression may return, but a parameter does not expect. */

export interface Hostile {
	name: string;
	value: unknown;
	/** Parameter types that accept the value, in addition to text and JSON. All other types must refuse it. */
	for?: ReadonlyArray<'number' | 'boolean' | 'dateTime'>;
	/** No parameter may accept the value. */
	unusable?: true;
}

const withoutPrototype = Object.assign(Object.create(null) as object, { a: 1 });

export const corpus: readonly Hostile[] = [
	{ name: 'an object', value: { a: 1 } },
	{ name: 'an empty object', value: {} },
	{ name: 'an object without a prototype', value: withoutPrototype },
	{ name: 'an array of objects', value: [{ a: 1 }] },
	{ name: 'an array of arrays', value: [[1]] },
	{ name: 'an invalid Date', value: new Date(Number.NaN), unusable: true },
	{ name: 'a lone surrogate', value: 'a\ud800b', unusable: true },
	{ name: 'a lone surrogate in an object', value: { a: ['\udc00'] }, unusable: true },
	{ name: 'one dot', value: '.' },
	{ name: 'two dots', value: '..' },
	{ name: 'two encoded dots', value: '%2e%2e' },
	{ name: 'a path to a parent folder', value: '../../admin' },
	{ name: 'a path to a parent folder with backslashes', value: '..\\..\\admin' },
	{ name: 'a path and a query', value: '7/delete?all=1#' },
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
	{ name: 'an invalid percent-encoding', value: '%E0%A4%A' },
	{ name: 'a text with a number at its end', value: 'story 7' },
	{ name: 'a day that does not exist', value: '2026-02-30' },
	{ name: 'an hour that does not exist', value: '2026-02-03T25:00:00Z' },
	{ name: 'a month without a day', value: '2026-02' },
	{ name: 'a date followed by text', value: '2026-02-03T04:05:06Z, roughly' },
	{ name: 'a date with words', value: '3 February 2026' },
	{ name: 'markup', value: '<script>alert(1)</script>' },
	{ name: 'a megabyte', value: 'x'.repeat(1_000_000) },
];
