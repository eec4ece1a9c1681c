import type { INodeProperties } from 'n8n-workflow';
import { readFields, type Field, type Fields, type Values } from './field';
import { capitalized } from '../values';

/** A field that is shown and read only inside `dependent`. */
export type Case<Value = unknown> = Pick<Field<Value>, 'label' | 'paramName' | 'properties' | 'read'>;

/** Several form elements whose values are one object. Their names begin with `prefix`, which makes them unique. */
export function group<const GroupFields extends Fields>(
	prefix: string,
	members: GroupFields,
): Case<Values<GroupFields>> {
	const inForm = Object.entries(members).map(
		([name, member]) => [name, { ...member, paramName: `${prefix}${capitalized(name)}` }] as const,
	);
	return {
		label: capitalized(prefix),
		properties: () => inForm.flatMap(([, member]) => member.properties(member.paramName)),
		read: async (reader) => await readFields(Object.fromEntries(inForm) as unknown as GroupFields, reader),
	};
}

/** A field without form elements, for a case of `dependent`. Reads as undefined. */
export const nothing: Case<undefined> = {
	label: '',
	properties: () => [],
	read: () => undefined,
};

/** A field for each value of the choice `on`; only that of the chosen value is shown and read. Messages say `label`. */
export function dependent<Value>(
	on: Field<string>,
	cases: Record<string, Case<Value>>,
	label?: string,
): Field<Value> {
	const { paramName: parameter } = on;
	const [first] = Object.values(cases);
	if (!first || parameter === undefined) throw new Error(`${on.label} has no cases or no paramName`);
	return {
		label: label ?? first.label,
		required: true,
		alwaysShown: true,
		secret: false,
		properties: (name) =>
			Object.entries(cases).flatMap(([value, shown]) =>
				shown
					.properties(shown.paramName ?? name)
					.map((property): INodeProperties => showWhen(property, { [parameter]: [value] })),
			),
		read: async (reader, name) => {
			const chosen = await on.read(reader, parameter);
			const shown = cases[chosen];
			if (!shown) throw new Error(`${on.label} "${chosen}" has no field`);
			return await shown.read(reader, shown.paramName ?? name);
		},
	};
}

export const shownIf = <Shown extends Field>(conditions: Conditions, field: Shown): Shown => ({
	...field,
	properties: (name) => field.properties(name).map((property) => showWhen(property, conditions)),
});

/** For each parameter, the values that show a property. */
export type Conditions = Record<string, Array<string | number | boolean>>;

/** Adds conditions to a property. They come first: n8n ignores those after the first one that has an expression. */
export const showWhen = (property: INodeProperties, conditions: Conditions): INodeProperties => ({
	...property,
	displayOptions: { ...property.displayOptions, show: { ...conditions, ...property.displayOptions?.show } },
});
