/** What differs if the node is a tool: a language model fills in the parameters and reads items and errors. */
import type { INode, INodeExecutionData } from 'n8n-workflow';
import type { Failure } from '../errors/errors';
import { fieldsOf, type Operation, type Resource } from '../table/operation';
import { listSettings } from '../table/settings';
import type { Caller } from '../transport/api';
import { beginningOf, isBlank, isRecord } from '../values';
import type { ReadParameter } from './run-input';

/** n8n appends `Tool` to the node's type. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

export function defaultsOf(row: Operation): ReadonlyMap<string, unknown> {
	const shown = fieldsOf(row).filter(([, { alwaysShown }]) => alwaysShown);
	const properties = [
		...shown.flatMap(([name, field]) => field.properties(name)),
		...listSettings.limit.properties('limit'),
	];
	return new Map(properties.map(({ name, default: initial }) => [name, initial]));
}

/** The parameters that a model gives, with the defaults of those that it left out. */
export const withDefaults =
	(given: ReadParameter, defaults: ReadonlyMap<string, unknown>): ReadParameter =>
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

/** The most characters of JSON that a tool returns: about ten thousand tokens. */
const MAX_TOOL_CHARACTERS = 40_000;

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length;

/** The same value with long texts cut and marked. A URL, or a text of ASCII without blanks such as an ID, is kept whole. */
function withShortTexts(value: unknown, length: number): unknown {
	if (typeof value === 'string') {
		if (value.length <= length || /^([!-~]+|https?:\S+)$/.test(value)) return value;
		return `${beginningOf(value, length)} … (cut: ${value.length} characters in all)`;
	}
	if (Array.isArray(value)) return value.map((entry) => withShortTexts(entry, length));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, withShortTexts(inner, length)]),
	);
}

/** The items, if they fit; otherwise the first of them, with long texts cut. No items would reach a model as a blank text. */
export function shownToModel(items: INodeExecutionData[]): INodeExecutionData[] {
	if (items.length === 0) return [{ json: { found: 0 }, pairedItem: { item: 0 } }];
	if (sizeOf(items.map(({ json }) => json)) <= MAX_TOOL_CHARACTERS) return items;
	// A third of an item's share, because an item can have several long texts; at least 200 characters.
	const length = Math.max(Math.floor(MAX_TOOL_CHARACTERS / 3 / items.length), 200);
	const cut = items.map((item) => ({
		...item,
		json: withShortTexts(item.json, length) as INodeExecutionData['json'],
	}));
	let size = 0;
	const firstTooMany = cut.findIndex(({ json }) => {
		size += sizeOf(json) + 1;
		return size > MAX_TOOL_CHARACTERS;
	});
	if (firstTooMany < 0) return cut;
	const leftOut = `${cut.length - firstTooMany} of ${cut.length} records did not fit into this response: request fewer, or only part of them`;
	return [...cut.slice(0, firstTooMany), { json: { leftOut }, pairedItem: { item: 0 } }];
}
