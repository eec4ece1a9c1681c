/** Makes n8n's items of the outcomes of input items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { exchangeOf, isFailure, sentences, type Failure } from '../errors/errors';
import { omit } from '../values';
import type { Item } from './item';
import { entryProgress } from './stages';

/** The output of an input item. If it failed, the error lists the stages of its entries. */
export const outputsOf = ({ outcome = [], stages, index, run }: Item): INodeExecutionData[] =>
	outcome.map((result) =>
		isFailure(result)
			? failedItem(result, index, entryProgress(stages, index), run.earlierTries)
			: {
					...omit(result, 'isUndone'),
					json: asSuccess(result.json, run.node.retryOnFail),
					pairedItem: { item: index },
				},
	);

/** n8n takes an item for a failure if `error` is set and it has no keys but these. */
const KEYS_OF_FAILURES = ['error', 'message', 'details'];

/**
 * A record that n8n does not take for a failure. With Retry On Fail, n8n runs the node again if the first item has the member
 * `error`, even with the 0 of a success: everything would be done twice.
 */
function asSuccess(json: IDataObject, isRetried = false): IDataObject {
	const { error, ...others } = json;
	if (isRetried && error !== undefined) return { ...others, serviceError: error };
	const looksFailed = error && Object.keys(others).every((key) => KEYS_OF_FAILURES.includes(key));
	return looksFailed ? { ...json, success: true } : json;
}

/** The item of a failure. It has no other keys than those by which n8n recognizes an error. */
export function failedItem(failure: Failure, itemIndex: number, ...notes: string[]): INodeExecutionData {
	const details = sentences(failure.description ?? '', exchangeOf(failure), ...notes);
	return { json: { error: failure.message, ...(details && { details }) }, pairedItem: { item: itemIndex } };
}
