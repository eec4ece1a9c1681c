/** Compares records with their declared schema. */
import type { IDataObject } from 'n8n-workflow';
import type { JsonSchema } from '../nodes/runtime/table/record.ts';
import type { Failure, Run } from './host.ts';
import type { NamedOperation, ServiceName } from './operations.ts';

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

/** The check's verdict on an operation. */

export const verdicts = ['works', 'works with a difference', 'not offered', 'failed', 'not tried'] as const;
export type Verdict = (typeof verdicts)[number];

export interface Outcome {
	service: ServiceName;
	/** `resource.operation`. */
	operation: string;
	action: string;
	route: string;
	verdict: Verdict;
	/** The differences, or the reason why it failed or was not tried. */
	details: string[];
	/** How many records the host returned. */
	records: number;
	/** Declared members that no record had. Many members are optional. */
	absent: string[];
}

/** Whether the operation returned what it should, apart from a difference. */
export const isWorking = ({ verdict }: Outcome): boolean =>
	verdict === 'works' || verdict === 'works with a difference';

const identityOf = (service: ServiceName, { name, action, route }: NamedOperation) => ({
	service,
	operation: name,
	action,
	route,
});

export const notTried = (service: ServiceName, operation: NamedOperation, why: string): Outcome => ({
	...identityOf(service, operation),
	verdict: 'not tried',
	details: [why],
	records: 0,
	absent: [],
});

/** The outcome of a run, by its records or its failure. */
export function outcomeOf(
	service: ServiceName,
	operation: NamedOperation,
	{ records, failure }: Run,
): Outcome {
	const differences = differencesOf(records, operation.schema);
	return {
		...identityOf(service, operation),
		...(failure
			? { verdict: isNotOfferedBy(service, failure) ? 'not offered' : 'failed', details: [reasonOf(failure)] }
			: { verdict: differences.length > 0 ? 'works with a difference' : 'works', details: differences }),
		records: records.length,
		absent: absentFrom(records, operation.schema),
	};
}

/** Whether the host does not offer the request. */
const isNotOfferedBy = (service: ServiceName, { status = '', isNotOffered }: Failure): boolean =>
	isNotOffered || ['405', '501'].includes(status) || (service === 'linkManager' && status === '404');

/** The message of a failure and the first line of its description, without a full stop at the end. */
export const reasonOf = ({ message, description }: Pick<Failure, 'message' | 'description'>): string =>
	[message, description.split('\n')[0]]
		.filter(Boolean)
		.map((text) => text?.replace(/\.$/, ''))
		.join('. ')
		.replace('.”.', '.”');
