/** The check's verdict on an operation. */
import { absentFrom, differencesOf } from './difference.ts';
import type { Failure, Run } from './host.ts';
import type { NamedOperation, ServiceName } from './operations.ts';

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
export const reasonOf = ({ message, description }: Failure): string =>
	[message, description.split('\n')[0]]
		.filter(Boolean)
		.map((text) => text?.replace(/\.$/, ''))
		.join('. ');
