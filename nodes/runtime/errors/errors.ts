import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import type { FailureClass, FailureDetails } from '../api-types';
import { quoted } from '../values';

export type Failure = NodeApiError | NodeOperationError;

/** The classes of failures that a later try may not meet. */
export const TEMPORARY: ReadonlySet<FailureClass | undefined> = new Set<FailureClass>([
	'rateLimited',
	'failed',
	'unavailable',
	'banned',
]);

/** The causes of failures that n8n's back-off for polls distinguishes. */
type Cause = 'temporarily-unavailable' | 'rate-limited' | 'credential-invalid' | 'configuration-invalid';
const CAUSES: Partial<Record<FailureClass, Cause>> = {
	failed: 'temporarily-unavailable',
	unavailable: 'temporarily-unavailable',
	banned: 'temporarily-unavailable',
	rateLimited: 'rate-limited',
	loginRefused: 'credential-invalid',
	sessionExpired: 'credential-invalid',
	misconfigured: 'configuration-invalid',
};

/** What we know of each error, apart from what n8n keeps in it. */
const known = new WeakMap<object, Known>();

type Known = Pick<FailureDetails, 'class' | 'inDoubt' | 'exchange'>;

const knownOf = (error: unknown): Known => (error instanceof Error ? known.get(error) : undefined) ?? {};

/** The class of an error; undefined if it is not about a request, or if an operation could not use the response. */
export const classOf = (error: unknown): FailureClass | undefined => knownOf(error).class;

export const isInDoubt = (error: unknown): boolean => knownOf(error).inDoubt === true;

/** The failed request and its status, if there was a response. */
export const exchangeOf = (error: unknown): string => knownOf(error).exchange ?? '';

/** The description of an error in doubt begins with this. */
const MAY_BE_DONE =
	'The service may have carried out the request. Check there before you run this item again.';

export function apiError(node: INode, failure: FailureDetails, itemIndex?: number): NodeApiError {
	const { message, description = '', code, exchange, retryAfterMs, inDoubt = false } = failure;
	const cause = failure.class && CAUSES[failure.class];
	const options = {
		message,
		description: inDoubt ? sentences(MAY_BE_DONE, description) : description,
		...(code && { httpCode: code }),
		...(itemIndex !== undefined && { itemIndex }),
		...(cause && { failure: { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) } }),
	};
	const error = new NodeApiError(node, { message } satisfies JsonObject, options);
	// For network errors, n8n replaces the message by a general sentence.
	error.message = message;
	// n8n shows these below the error's details.
	error.messages = exchange === undefined ? [] : [exchange];
	known.set(error, { class: failure.class, inDoubt, exchange });
	return error;
}

/** Adds to a failure that the service may have carried out part of the request. */
export function markInDoubt<Kind extends Failure>(failure: Kind): Kind {
	if (isInDoubt(failure)) return failure;
	failure.description = sentences(MAY_BE_DONE, failure.description ?? '');
	known.set(failure, { ...knownOf(failure), inDoubt: true });
	return failure;
}

export const isFailure = (result: object): result is Failure => result instanceof Error;

/** Joins sentences into one text; blank ones are left out. */
export const sentences = (...texts: string[]): string =>
	texts
		.filter((text) => text !== '')
		.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`))
		.join(' ');

export const inputError = (node: INode, message: string, description: string, itemIndex?: number) =>
	new NodeOperationError(node, message, { description, ...(itemIndex !== undefined && { itemIndex }) });

export function chosenEntry<Entry>(
	node: INode,
	parameter: string,
	chosen: unknown,
	entries: Readonly<Record<string, Entry>>,
): Entry {
	const name = String(chosen);
	const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
	if (entry) return entry;
	const known = Object.keys(entries).join(', ');
	throw inputError(node, `There is no ${parameter} ${quoted(name)}`, `Use one of: ${known}`);
}

/** Turns a thrown value into one of n8n's two errors. */
export function failureOf(node: INode, error: unknown, itemIndex?: number): Failure {
	if (error instanceof Error && ['NodeApiError', 'NodeOperationError'].includes(error.name)) {
		return error as Failure;
	}
	const isTooDeep = error instanceof RangeError && error.message.includes('call stack');
	const reason = isTooDeep ? 'A value is nested too deeply to be read' : (error as Error);
	return new NodeOperationError(node, reason, { itemIndex });
}
