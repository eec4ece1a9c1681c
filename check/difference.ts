/** Members of records that their declared schema does not have. */
import type { IDataObject } from 'n8n-workflow';
import type { JsonSchema } from '../nodes/runtime/table/record.ts';

const typeOf = (value: unknown): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

/** Whether a value has a declared type. An empty value does: hosts send null for missing values. */
function fits({ type }: JsonSchema, value: unknown): boolean {
	const found = typeOf(value);
	const types = [type].flat();
	return found === 'null' || types.includes(found) || (found === 'integer' && types.includes('number'));
}

/** How records differ from their declared schema. Names members, never values. */
export function differencesOf(records: IDataObject[], { properties = {} }: JsonSchema): string[] {
	if (Object.keys(properties).length === 0) return [];
	const undeclared = new Set<string>();
	const others = new Set<string>();
	for (const [member, value] of records.flatMap((record) => Object.entries(record))) {
		const declared = properties[member];
		if (!declared) undeclared.add(member);
		else if (!fits(declared, value))
			others.add(`${member} is ${typeOf(value)} instead of ${[declared.type].flat().join(' or ')}`);
	}
	return [...(undeclared.size > 0 ? [`undeclared: ${[...undeclared].sort().join(', ')}`] : []), ...others];
}

/** The declared members that none of the records has. */
export const absentFrom = (records: IDataObject[], { properties = {} }: JsonSchema): string[] =>
	records.length === 0
		? []
		: Object.keys(properties).filter((member) => !records.some((record) => Object.hasOwn(record, member)));
