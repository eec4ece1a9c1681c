/** The size limit of a tool's result: long texts are truncated, then records are dropped. */
import { withinBudget } from '../../nodes/runtime/execute/tool';

const textOf = (length: number): string => 'a word '.repeat(length / 7 + 1).slice(0, length);
const limitedResult = (count: number, length: number) =>
	withinBudget(Array.from({ length: count }, () => ({ json: { text: textOf(length) } }))).map(
		({ json }) => json,
	);

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

it('drops a single record that is too long even with truncated texts', () => {
	expect(withinBudget([{ json: { text: 'x'.repeat(40_000) } }]).map(({ json }) => json)).toEqual([
		{ leftOut: '1 of 1 records did not fit into this response: request fewer, or only part of them' },
	]);
});

it('returns a result of exactly the maximum length unchanged', () => {
	const itemOfLength = (count: number) => ({ json: { text: 'x'.repeat(count - '{"text":""}'.length) } });
	const brackets = 2;
	const fitting = [itemOfLength(20_000 - brackets), itemOfLength(20_000 - 1)];
	expect(withinBudget(fitting)).toEqual(fitting);
});
