import type { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Form } from '../fields/field';
import type { Read } from './parameters';
import type { Parts, Result } from '../table/operation';

/** What one item wants done. */
export interface Order {
	item: number;
	form: Form;
	inputs: Read;
	parts: Parts;
}

export type Failure = NodeApiError | NodeOperationError;
/** What one item came to: its results, and what of it failed. */
export type Outcome = Array<Result | Failure>;
/** One piece of work: a request for one item, or one for many. */
export type Unit = () => Promise<Array<[item: number, outcome: Outcome]>>;

export const isFailure = (result: Result | Failure): result is Failure => result instanceof Error;
