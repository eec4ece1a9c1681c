/** Parameters of a node whose values are expressions on its input items. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { isShown } from '../../../engine/form.ts';
import { existsSync } from 'node:fs';

/**
 * The parameters of a node that takes each of these values from its input item (`$json.form`). `literals` decide which
 * other parameters are shown; n8n needs them before the first item.
 */
export function parametersFrom(
	{ properties }: INodeTypeDescription,
	{ resource, operation }: { resource: string; operation: string },
	names: string[],
	literals: Record<string, unknown> = {},
): Record<string, unknown> {
	const parameters: Record<string, unknown> = { resource, operation };
	const shown = properties.filter((property) => isShown(property, { resource, operation }));
	for (const name of names) {
		const top = shown.find((property) => property.name === name);
		if (top?.type === 'collection') {
			throw new Error(
				`Name the parameters in the collection ${name} of ${resource}.${operation} instead of the collection`,
			);
		}
		if (top) {
			parameters[name] = literals[name] ?? fromItem(top);
			continue;
		}
		const collection = shown.find(
			({ type, options = [] }) =>
				type === 'collection' &&
				options.some(
					(option) => option.name === name && isShown(option as INodeProperties, { resource, operation }),
				),
		);
		const member = collection?.options?.find((option) => option.name === name);
		if (!collection || !member) throw new Error(`${resource}.${operation} has no parameter ${name}`);
		const members = (parameters[collection.name] ??= {}) as Record<string, unknown>;
		members[name] = fromItem(member as INodeProperties);
	}
	return parameters;
}

/** A parameter whose value is an expression on the input item; n8n accepts none for a whole fixed collection. */
function fromItem({ name, type, options = [] }: INodeProperties, within = '$json.form'): unknown {
	const value = `${within}?.[${JSON.stringify(name)}]`;
	const [group] = options;
	if (type === 'fixedCollection' && group && 'values' in group) {
		const entry = (index: number) =>
			Object.fromEntries(
				group.values.map((member) => [member.name, fromItem(member, `${value}?.entry[${index}]`)]),
			);
		return { [group.name]: [0, 1, 2].map(entry) };
	}
	const expression = `={{ ${value} }}`;
	return type === 'resourceLocator' ? { __rl: true, mode: 'id', value: expression } : expression;
}

/** A message for each of `expected` that is not in `actual`. `file` names the file to edit. */
export function missingFrom(actual: string[], expected: string[], file: string): string[] {
	const [path = ''] = /(nodes|test|docs|cases|check|sandbox)\/[\w./-]*\w/.exec(file) ?? [];
	if (!existsSync(path)) throw new Error(`There is no ${path || file}`);
	return expected.filter((key) => !actual.includes(key)).map((key) => `${key} is missing: add it to ${file}`);
}
