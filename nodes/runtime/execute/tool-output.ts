/** Cuts the output of a tool to what a language model can read. */
import type { INodeExecutionData } from 'n8n-workflow';
import { beginningOf } from '../values';

/** The most characters of JSON that a tool returns: about ten thousand tokens. */
const MAX_TOOL_CHARACTERS = 40_000;
/** Texts are not cut to fewer characters than this. */
const SHORTEST_CUT = 200;

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length;

/** The same value with long texts cut and marked. A text of ASCII without blanks is a URL or an ID and is kept whole. */
function withShortTexts(value: unknown, length: number): unknown {
	if (typeof value === 'string') {
		if (value.length <= length || /^[!-~]+$/.test(value)) return value;
		return `${beginningOf(value, length)} … (cut: ${value.length} characters in all)`;
	}
	if (Array.isArray(value)) return value.map((entry) => withShortTexts(entry, length));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, withShortTexts(inner, length)]),
	);
}

/** The items, if they fit; otherwise the first of them with long texts cut, to a third of each item's share. */
export function withinBudget(items: INodeExecutionData[]): INodeExecutionData[] {
	if (sizeOf(items.map(({ json }) => json)) <= MAX_TOOL_CHARACTERS) return items;
	const length = Math.max(Math.floor(MAX_TOOL_CHARACTERS / 3 / items.length), SHORTEST_CUT);
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
