/** Compares records with their declared schema. */
import type { IDataObject } from 'n8n-workflow';
import type { JsonSchema } from '../nodes/runtime/table/record.ts';

const typeOf = (value: unknown): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

/** Whether a value has a declared type. Null is always allowed, because hosts send it for missing values. */
function hasType({ type }: JsonSchema, value: unknown): boolean {
	const actual = typeOf(value);
	const types = [type].flat();
	return actual === 'null' || types.includes(actual) || (actual === 'integer' && types.includes('number'));
}

/** The differences between records and their schema. They contain names of members, never values. */
export function differencesOf(records: IDataObject[], { properties = {} }: JsonSchema): string[] {
	if (Object.keys(properties).length === 0) return [];
	const undeclared = new Set<string>();
	const wrongTypes = new Set<string>();
	for (const [member, value] of records.flatMap((record) => Object.entries(record))) {
		const declared = properties[member];
		if (!declared) undeclared.add(member);
		else if (!hasType(declared, value))
			wrongTypes.add(`${member} is ${typeOf(value)} instead of ${[declared.type].flat().join(' or ')}`);
	}
	return [
		...(undeclared.size > 0 ? [`undeclared: ${[...undeclared].sort().join(', ')}`] : []),
		...wrongTypes,
	];
}

/** The declared members that no record has. */
export const absentFrom = (records: IDataObject[], { properties = {} }: JsonSchema): string[] =>
	records.length === 0
		? []
		: Object.keys(properties).filter((member) => !records.some((record) => Object.hasOwn(record, member)));
