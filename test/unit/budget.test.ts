/** The size limit of a tool's result: long texts are truncated, then records are dropped. */
import { withinBudget } from '../../nodes/runtime/execute/tool';

const textOf = (length: number): string => 'a word '.repeat(length / 7 + 1).slice(0, length);
const limitedResult = (count: number, length: number) =>
	withinBudget(Array.from({ length: count }, () => ({ json: { text: textOf(length) } }))).map(
		({ json }) => json,
	);

const itemOfLength = (length: number) => ({
	json: { text: 'x'.repeat(length - '{"text":""}'.length) },
});

it('returns a result within the limit unchanged', () => {
	expect(limitedResult(1, 39_000)).toEqual([{ text: textOf(39_000) }]);
});

it.each([
	[3, 10_000],
	[9, 4_000],
	[25, 1_500],
	[70, 500],
	[150, 200],
])('truncates %i long texts to %i characters each', (count, keptLength) => {
	const truncated = { text: `${textOf(keptLength)} … (cut: 20000 characters in all)` };
	expect(limitedResult(count, 20_000)).toEqual(Array.from({ length: count }, () => truncated));
});

it('drops the last records if truncating is not enough, and reports how many', () => {
	const records = limitedResult(1000, 20_000);
	expect(records.at(-1)).toEqual({
		leftOut: `${1001 - records.length} of 1000 records did not fit into this response: request fewer, or only part of them`,
	});
	expect(JSON.stringify(records.slice(0, -1)).length).toBeLessThanOrEqual(40_000);
	expect(records.length).toBeGreaterThan(150);
});

it('drops a single record of 40,000 characters, but not one of 39,999', () => {
	const limited = (length: number) => withinBudget([itemOfLength(length)]).map(({ json }) => json);
	expect(limited(39_999)).toEqual([itemOfLength(39_999).json]);
	expect(limited(40_000)).toEqual([
		{ leftOut: '1 of 1 records did not fit into this response: request fewer, or only part of them' },
	]);
});

it('returns a result of exactly the maximum length unchanged', () => {
	const brackets = 2;
	const fitting = [itemOfLength(20_000 - brackets), itemOfLength(20_000 - 1)];
	expect(withinBudget(fitting)).toEqual(fitting);
});
