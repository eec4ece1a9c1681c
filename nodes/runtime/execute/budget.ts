import type { INodeExecutionData } from 'n8n-workflow';

/** What one answer of a tool may hold, in characters of JSON: some ten thousand tokens of a model. */
const MOST_CHARACTERS = 40_000;
/** How much of a long text is kept: as much as there is room for. */
const TEXT_LENGTHS = [10_000, 4_000, 1_500, 500, 200];

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length;

/** Texts cut to so many characters, all the way down; each says so. What has no spaces is an address or an id. */
function withShortTexts(value: unknown, length: number): unknown {
	if (typeof value === 'string') {
		if (value.length <= length || !/\s/.test(value)) return value;
		return `${value.slice(0, length)} … (cut: ${value.length} characters in all)`;
	}
	if (Array.isArray(value)) return value.map((entry) => withShortTexts(entry, length));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, withShortTexts(inner, length)]),
	);
}

/** What a model is told of items: all of them with texts as long as possible, or else the first that there is room for. */
export function withinBudget(items: INodeExecutionData[]): INodeExecutionData[] {
	let told = items;
	for (const length of TEXT_LENGTHS) {
		if (sizeOf(told.map(({ json }) => json)) <= MOST_CHARACTERS) return told;
		told = items.map((item) => ({
			...item,
			json: withShortTexts(item.json, length) as INodeExecutionData['json'],
		}));
	}
	let room = MOST_CHARACTERS;
	const fitting = told.findIndex(({ json }) => (room -= sizeOf(json) + 1) < 0);
	if (fitting < 0) return told;
	const left = `${told.length - fitting} of ${told.length} records are too much for this answer: ask for fewer, or for a part of them`;
	return [...told.slice(0, fitting), { json: { leftOut: left }, pairedItem: { item: 0 } }];
}
