/** AI models send most parameters as text: every parameter of the tables reads the text like the typed value. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ParameterReader, type Field } from '../../nodes/runtime/fields/field';
import { fieldsOf } from '../../nodes/runtime/table/operation';
import type { Table } from '../../nodes/runtime/table/operation';
import { itemSettings, listSettings, runSettings } from '../../nodes/runtime/table/settings';
import { linkTable, readerTable } from '../../nodes/tables';

const settings = { ...runSettings, ...itemSettings, ...listSettings };
const fields = new Map<string, [string, Field]>();
for (const table of [linkTable, readerTable] as Table[]) {
	for (const [resource, { operations }] of Object.entries(table)) {
		for (const [operation, row] of Object.entries(operations)) {
			for (const [name, field] of fieldsOf(row))
				fields.set(`${resource}.${operation} ${name}`, [name, field]);
		}
	}
}
for (const [name, field] of Object.entries<Field>(settings)) fields.set(`options ${name}`, [name, field]);

/** Valid values of a parameter, with the texts that models send for them. */
function valuesWithTexts({ type, options, typeOptions }: INodeProperties): Array<[unknown, string]> {
	if (type === 'number') return [typeOptions?.minValue ?? 1].map((value) => [value, String(value)]);
	if (type === 'boolean') return [true, false].map((value) => [value, String(value)]);
	const [first] = (options ?? []) as INodePropertyOptions[];
	const lists: Partial<Record<string, unknown[]>> = {
		multiOptions: [first?.value ?? 7],
		string: ['7:0123ab', '8:4567cd'],
		json: ['7'],
	};
	const list = lists[type];
	return list ? [[list, JSON.stringify(list)]] : [];
}

/** Reads a field whose form has this value in one of its parameters. */
async function read([name, field]: [string, Field], property: INodeProperties, value: unknown) {
	const values = Object.fromEntries(field.properties(name).map((each) => [each.name, each.default]));
	for (const [on, [condition]] of Object.entries(property.displayOptions?.show ?? {}) as Array<
		[string, unknown[]]
	>)
		values[on] = condition as string;
	const form = new ParameterReader((parameter) => (parameter === property.name ? value : values[parameter]), {
		timezone: 'UTC',
		parameterError: (label, reason) => new Error(`${label} ${reason}`),
		find: async () => await Promise.resolve(7),
	});
	try {
		return { value: await field.read(form, name) };
	} catch (error) {
		return { refused: (error as Error).message };
	}
}

const cases = [...fields].flatMap(([location, entry]) =>
	entry[1]
		.properties(entry[0])
		.flatMap((property) =>
			valuesWithTexts(property).map(([value, text]) => ({ location, entry, property, value, text })),
		),
);

it.each(cases)('$location reads $text like the typed value', async ({ entry, property, value, text }) => {
	const expected = await read(entry, property, value);
	// A text parameter without a list has no typed form.
	if (property.type === 'string' && !Array.isArray(expected.value)) return;
	// A JSON parameter may require another shape.
	if (property.type !== 'json') expect(expected).toHaveProperty('value');
	expect(await read(entry, property, text)).toEqual(expected);
});
