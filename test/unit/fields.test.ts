import { DateTime } from 'luxon';
import { ParameterReader, required, type Field } from '../../nodes/runtime/fields/field';
import { dependent } from '../../nodes/runtime/fields/compound';
import { dateTime, unixTime } from '../../nodes/runtime/fields/dates';
import {
	choice,
	color,
	flag,
	ids,
	integer,
	json,
	fixedCollection,
	severalOf,
	text,
	texts,
} from '../../nodes/runtime/fields/kinds';
import { locator } from '../../nodes/runtime/fields/locator';
import { ServiceApi } from '../../nodes/runtime/transport/api';
import { clientOf } from '../support/hosts/service-context';

/** Reads a field of the third item with the parameter value `raw`. The workflow's time zone is Berlin. */
async function read<Value>(field: Field<Value>, raw: unknown, hostZone?: string): Promise<Value> {
	const { client } = clientOf(() => ({}));
	const api = new ServiceApi(client, { item: 2, advice: '', hint: () => undefined });
	const form = new ParameterReader(() => raw, {
		timezone: 'Europe/Berlin',
		parameterError: (...why) => api.parameterError(...why),
		hostZone: async () => hostZone,
		find: async (resource, url) => `${resource} at ${url}`,
	});
	return await field.read(form, 'parameter');
}

type Reading = [raw: unknown, value: unknown];

const testReading = (name: string, field: Field, validValues: Reading[], invalidValues: unknown[]): void => {
	describe(name, () => {
		it.each(validValues.map(([raw, value]) => ({ raw, value })))(
			'reads $raw as $value',
			async ({ raw, value }) => {
				expect(await read(field, raw)).toEqual(value);
			},
		);

		it.each([undefined, null, '', '  '])('reads %j as undefined', async (raw) => {
			expect(await read(field, raw)).toBeUndefined();
			await expect(read(required(field), raw)).rejects.toThrow('It is empty [item 2]');
		});

		it.each(invalidValues.map((raw) => ({ raw })))(
			'rejects $raw with the parameter and the item',
			async ({ raw }) => {
				await expect(read(field, raw)).rejects.toMatchObject({
					name: 'NodeOperationError',
					message: expect.stringMatching(/^It .*\[item 2\]$/s) as string,
					context: { itemIndex: 2 },
				});
			},
		);
	});
};

testReading(
	'a text',
	text('It'),
	[
		['as it is ', 'as it is '],
		['\nas a\nfile has it \r\n', 'as a\nfile has it '],
		[7, '7'],
		[false, 'false'],
	],
	[{}, ['a']],
);

it.each([
	[['a'], 'It must be text, not a list [item 2]'],
	[{}, 'It must be text, not a value of type object [item 2]'],
	[NaN, 'It must be text, not NaN [item 2]'],
])('describes the type of %j if text is expected', async (raw, message) => {
	await expect(read(text('It'), raw)).rejects.toThrow(message);
});

testReading(
	'a whole number',
	integer('It', { min: 1, max: 50 }),
	[
		[7, 7],
		['7', 7],
		[' 07 ', 7],
		[50, 50],
	],
	['7.5', 7.5, 'seven', 0, 51, true, {}, [7], '0x10', '1e1', NaN],
);

testReading(
	'a switch',
	flag('It', 'it is on'),
	[
		[true, true],
		['true', true],
		[' TRUE ', true],
		[1, true],
		['1', true],
		[false, false],
		['false', false],
		[0, false],
		['0', false],
	],
	['yes', 2, {}, []],
);

testReading(
	'one of a list',
	choice('It', { direct: 'Direct', frame: 'In a Frame' }),
	[
		['frame', 'frame'],
		['FRAME ', 'frame'],
		['in a frame', 'frame'],
	],
	['other', 1, {}],
);

testReading(
	'several of a list',
	severalOf('It', { ios: 'iOS', web: 'Browser' }),
	[
		['Browser, IOS', ['web', 'ios']],
		[['web'], ['web']],
		[[], undefined],
	],
	['other', ['web', 'other'], {}],
);

testReading(
	'several ids',
	ids('It', 'pixel', { description: 'Them' }),
	[
		[
			[1, '2'],
			[1, 2],
		],
		['1, 2', [1, 2]],
		['[1, "2"]', [1, 2]],
		[7, [7]],
		[[], undefined],
		['[]', undefined],
	],
	['one', [1, 'two'], [1.5], {}],
);

testReading(
	'several texts',
	texts('It'),
	[
		[
			['a', 7],
			['a', '7'],
		],
		['a, b', ['a', 'b']],
		['["a","b,c"]', ['a', 'b,c']],
		['["a", 7, null]', ['a', '7']],
		['[2024]', ['[2024]']],
		[[2024], ['2024']],
		[['', null], undefined],
	],
	[[{}], '[{"name":"a"}]', 'Invalid DateTime', [new Date('never')]],
);

testReading(
	'JSON',
	json('It'),
	[
		['{"a":1}', { a: 1 }],
		[{ a: 1 }, { a: 1 }],
		['"text"', 'text'],
		['[1]', [1]],
		['7', 7],
		[7, 7],
	],
	['{', 'text', "{'a':1}"],
);

testReading(
	'a moment',
	dateTime('It'),
	[
		['2031-01-02 03:04:05', '2031-01-02 03:04:05'],
		['2031-01-02T03:04:05', '2031-01-02 03:04:05'],
		['2031-01-02T03:04', '2031-01-02 03:04:00'],
		['2031-01-02', '2031-01-02 00:00:00'],
		[DateTime.fromISO('2031-01-02T03:04:05', { zone: 'America/New_York' }), '2031-01-02 03:04:05'],
	],
	['tomorrow', '2031-13-02', '02.01.2031', 7, {}],
);

testReading(
	'a Unix time',
	unixTime('It'),
	[
		[1_700_000_000, 1_700_000_000],
		[' 1700000000 ', 1_700_000_000],
		[1_700_000_000.9, 1_700_000_000],
		[1_700_000_000_999, 1_700_000_000],
		['1700000000999', 1_700_000_000],
		[100_000_000, 100_000_000],
		['978307200', 978_307_200],
		[9_999_999_999, 9_999_999_999],
		[1_000_000_000_000, 1_000_000_000],
		[9_999_999_999_999, 9_999_999_999],
		['2031-01-02T03:04:05Z', 1_925_089_445],
		['2031-01-02 03:04:05.9', 1_925_085_845],
	],
	[
		...[99_999_999, 99_999_999_999, -1, '1e9', 'soon', '2031-02-30', '2031-01-02T25:00'],
		...['20310102', '203101020304', 20_310_102_030_405],
	],
);

it.each([
	['2031-01-02T03:04:05Z', '2031-01-01 22:04:05'],
	['2031-07-02T03:04:05Z', '2031-07-01 23:04:05'],
	['2031-01-02 03:04:05', '2031-01-01 21:04:05'],
	[DateTime.fromISO('2031-01-02T03:04:05', { zone: 'Asia/Tokyo' }), '2031-01-01 13:04:05'],
])('converts the time %s to the time zone of the host', async (raw, value) => {
	expect(await read(dateTime('It'), raw, 'America/New_York')).toBe(value);
});

testReading(
	'a color of the service’s QR codes',
	color('It', 'rgb'),
	[
		['#1a2b3c', 'rgb(26,43,60)'],
		['1A2B3C', 'rgb(26,43,60)'],
		['#fff', 'rgb(255,255,255)'],
		['#1a2b3cff', 'rgb(26,43,60)'],
		['rgb( 1, 2, 3 )', 'rgb(1,2,3)'],
		['rgba(1,2,3,0.5)', 'rgb(1,2,3)'],
		['rgb(1 2 3)', 'rgb(1,2,3)'],
	],
	['red', '#12', '#12345', 'rgb(1,2)', 'rgb(256,0,0)', 7],
);

testReading(
	'a color of channels',
	color('It', 'hex'),
	[
		['rgb(26,43,60)', '#1a2b3c'],
		['#ABC', '#aabbcc'],
	],
	['blue'],
);

testReading(
	'repeated forms',
	fixedCollection('It', 'Rule', { device: text('Device'), link: required(text('Link')) }),
	[
		[
			{ entry: [{ device: 'iPhone', link: 'a' }, { link: 'b' }] },
			[{ device: 'iPhone', link: 'a' }, { link: 'b' }],
		],
		['[{"link":"a"}]', [{ link: 'a' }]],
		[[{ link: 'a', device: '' }], [{ link: 'a' }]],
		[{ entry: [] }, undefined],
		[{}, undefined],
	],
	['[', 'text', 7, [1], { entry: 'a' }, { other: [] }],
);

it.each([
	['https://example.com/a \n', 'https://example.com/a'],
	[' http://example.com', 'http://example.com'],
	[' a text with blanks ', ' a text with blanks '],
	['https://example.com/a and more ', 'https://example.com/a and more '],
])('trims a URL and leaves the rest unchanged: "%s"', async (raw, value) => {
	expect(await read(text('Text'), raw)).toBe(value);
});

it('omits blank entries of a repeated form', async () => {
	const field = fixedCollection('It', 'Rule', { device: text('Device'), link: text('Link') });
	const raw = { entry: [{ device: '', link: '' }, { device: 'iPhone' }] };
	expect(await read(field, raw)).toEqual([{ device: 'iPhone' }]);
	expect(await read(field, { entry: [{ device: '' }] })).toBeUndefined();
});

it.each([
	['[{ "link": "a" }, ]', 'It is not valid JSON [item 2]'],
	['["a"]', 'It is not a list of objects [item 2]'],
])('says what is wrong with %s in a repeated form', async (raw, message) => {
	const field = fixedCollection('It', 'Rule', { link: text('Link') });
	await expect(read(field, raw)).rejects.toThrow(message);
});

it('reports the missing field of a repeated form', async () => {
	const field = fixedCollection('It', 'Rule', { device: text('Device'), link: required(text('Link')) });
	const raw = [{ link: 'a' }, { device: 'iPhone', link: '' }];
	await expect(read(field, raw)).rejects.toThrow('It 2, Link is empty [item 2]');
});

describe('a field that depends on a choice', () => {
	const fruitField = required(choice('Fruit', { a: 'Apple', p: 'Pear' }, { paramName: 'fruit' }));
	const dependentField = dependent(fruitField, { a: text('Apples'), p: text('Pears') });
	const readFor = async (value: unknown): Promise<unknown> =>
		await dependentField.read(
			new ParameterReader((name) => (name === 'fruit' ? value : `the ${name}`), {
				timezone: 'UTC',
				parameterError: (label, reason) => new Error(`${label} ${reason}`),
				find: async () => await Promise.reject(new Error('no record')),
			}),
			'number',
		);

	it.each(['p', ' P ', 'pear'])('is read if the choice is %j', async (value) => {
		await expect(readFor(value)).resolves.toBe('the number');
	});

	it('reports a choice with an unknown value', async () => {
		await expect(readFor('plum')).rejects.toThrow('Fruit "plum" is not one of the options');
	});
});

describe('the id of a record', () => {
	const field = locator('It', { resource: 'campaign', url: 'https://links.test/u/me/spring-7' });
	const locatorValue = (mode: string, value: unknown) => ({ __rl: true, mode, value });

	it.each<Reading>([
		[locatorValue('list', 7), 7],
		[locatorValue('id', '7'), 7],
		[locatorValue('id', ' 7 '), 7],
		['7', 7],
		[7, 7],
		[locatorValue('url', 'https://a.test/7 '), 'campaign at https://a.test/7'],
		[locatorValue('id', ' HTTP://a.test/7'), 'campaign at HTTP://a.test/7'],
		['https://a.test/7', 'campaign at https://a.test/7'],
		[locatorValue('id', ''), undefined],
		['', undefined],
		[null, undefined],
	])('is read from %j', async (raw, id) => {
		expect(await read(field, raw)).toEqual(id);
	});

	it.each([locatorValue('id', '7/8'), locatorValue('list', 'x/../y'), 'seven', 1.5, [7]])(
		'is rejected: %j',
		async (raw) => {
			await expect(read(field, raw)).rejects.toThrow(/^It ".*" is not an ID \[item 2\]$/);
		},
	);

	it('is to be chosen from a list only if there is one', async () => {
		const description = 'Choose from the list or enter the ID';
		await expect(read(field, 'x')).rejects.toMatchObject({ description });
		await expect(read(locator('It'), 'x')).rejects.toMatchObject({ description: 'Enter the ID' });
	});
});

it('shows a text as a line, and hides a secret while it is typed', () => {
	expect(text('Key').properties('key')).toEqual([
		{ displayName: 'Key', name: 'key', type: 'string', default: '' },
	]);
	const typeOptionsOf = (options: Parameters<typeof text>[1]) =>
		text('Key', options).properties('key')[0]!.typeOptions;
	expect(typeOptionsOf({ secret: true })).toEqual({ password: true });
	expect(typeOptionsOf({})).toBeUndefined();
	expect(typeOptionsOf({ rows: 4 })).toEqual({ rows: 4 });
});

it('shows a repeated form as often as the user adds it', () => {
	const [property] = fixedCollection('Rules', 'Rule', { link: text('Link') }).properties('rules');
	expect(property!.typeOptions).toEqual({ multipleValues: true });
});
