import type { INodeProperties } from 'n8n-workflow';
import { readFields, type Field, type Fields, type Values } from './field';
import { quoted, scalarText } from '../values';

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Several form elements that make up one object in the request.
 * Their names in the form carry `prefix`, so that they mean one thing each.
 */
export function group<const F extends Fields>(prefix: string, members: F): Field<Values<F>> {
	const inForm = Object.entries(members).map(
		([name, member]) => [name, { ...member, parameter: `${prefix}${capitalized(name)}` }] as const,
	);
	return {
		label: capitalized(prefix),
		required: true,
		prominent: true,
		secret: false,
		properties: () => inForm.flatMap(([, member]) => member.properties(member.parameter)),
		read: async (form) => await readFields(Object.fromEntries(inForm) as unknown as F, form),
	};
}

/** A case without a form of its own; reads as undefined. */
export const nothing: Field<undefined> = {
	label: '',
	required: false,
	prominent: true,
	secret: false,
	properties: () => [],
	read: () => undefined,
};

/** One field per value of another parameter: only the one that fits is shown, and read. */
export function dependent<Value>(on: string, cases: Record<string, Field<Value>>): Field<Value> {
	const [first] = Object.values(cases);
	if (!first) throw new Error(`No cases for ${on}`);
	return {
		...first,
		parameter: undefined,
		required: true,
		prominent: true,
		properties: (name) =>
			Object.entries(cases).flatMap(([value, shown]) =>
				shown
					.properties(shown.parameter ?? name)
					.map((property): INodeProperties => showWhen(property, { [on]: [value] })),
			),
		read: async (form, name) => {
			const chosen = (scalarText(form.get(on)) ?? '').trim();
			const [, shown] =
				Object.entries(cases).find(([value]) => value.toLowerCase() === chosen.toLowerCase()) ?? [];
			if (!shown) throw form.refuse(first.label, `${quoted(chosen)} has no form of its own`);
			return await shown.read(form, shown.parameter ?? name);
		},
	};
}

/** Shows a field only under these conditions. */
export const shownIf = <Shown extends Field>(conditions: Conditions, field: Shown): Shown => ({
	...field,
	properties: (name) => field.properties(name).map((property) => showWhen(property, conditions)),
});

/** For each parameter, or `@version` of the node, the values under which something is shown. */
export type Conditions = Record<string, Array<string | number | boolean>>;

/** What workflows saved with version 1 of a node see, and what those made since do. */
export const IN_VERSION_1: Conditions = { '@version': [1] };
export const SINCE_VERSION_1_1: Conditions = { '@version': [1.1] };

/** A field that is another in workflows saved with version 1. */
export const byVersion = <Shown extends Field>(first: Shown, since: Shown): Shown => ({
	...since,
	properties: (name) => [
		...shownIf(IN_VERSION_1, first).properties(name),
		...shownIf(SINCE_VERSION_1_1, since).properties(name),
	],
	read: async (form, name) => await (form.version < 1.1 ? first : since).read(form, name),
});

/**
 * Adds conditions to those under which a property is shown. They come first: n8n shows a property at the first
 * condition that hangs on an expression, without looking at those after it.
 */
export const showWhen = (property: INodeProperties, conditions: Conditions): INodeProperties => ({
	...property,
	displayOptions: { ...property.displayOptions, show: { ...conditions, ...property.displayOptions?.show } },
});
