/** What differs if the node is a tool: a language model fills in the parameters and reads items and errors. */
import type { INode } from 'n8n-workflow';
import type { Failure } from '../errors/errors';
import { fieldsOf, type Operation, type Resource } from '../table/operation';
import { listSettings } from '../table/settings';
import type { Caller } from '../transport/api';
import { isBlank, isRecord } from '../values';

/** n8n appends `Tool` to the node's type. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

type Defaults = ReadonlyMap<string, unknown>;

export function defaultsOf(row: Operation): Defaults {
	const shown = fieldsOf(row).filter(([, { alwaysShown }]) => alwaysShown);
	const properties = [
		...shown.flatMap(([name, field]) => field.properties(name)),
		...listSettings.limit.properties('limit'),
	];
	return new Map(properties.map(({ name, default: initial }) => [name, initial]));
}

/** Reads a parameter of an item; null or undefined if it has none. */
export type ReadParameter = (parameter: string, item: number) => unknown;

/** The parameters that a model gives, with the defaults of those that it left out. */
export const withDefaults =
	(given: ReadParameter, defaults: Defaults): ReadParameter =>
	(parameter, item) => {
		const raw = withoutOmitted(given(parameter, item));
		return isBlank(raw) ? defaults.get(parameter) : raw;
	};

/** A value without what a model left out. n8n writes a missing value as a text: `undefined` or `null`. */
function withoutOmitted(raw: unknown): unknown {
	if (typeof raw === 'string' && ['undefined', 'null'].includes(raw.trim())) return undefined;
	if (Array.isArray(raw)) return raw.map(withoutOmitted);
	if (!isRecord(raw) || Object.getPrototypeOf(raw) !== Object.prototype) return raw;
	return Object.fromEntries(Object.entries(raw).map(([name, member]) => [name, withoutOmitted(member)]));
}

/** Why a tool that is read only refuses a write. */
export const writeRefusal = ({ name }: Resource, row: Operation): Caller['writeRefusal'] => ({
	message: `${name} → ${row.name} was not done: it changes something, and this tool is read only`,
	advice: 'Use a tool that only reads, or ask the user to turn off Read Only',
});

/** Moves the advice of a tool's failure into its message: n8n shows a model only the message. */
export function withAdviceShown(node: INode, failure: Failure): Failure {
	if (!isTool(node) || !failure.description) return failure;
	failure.message = `${failure.message}\n${failure.description}`;
	failure.description = '';
	return failure;
}
