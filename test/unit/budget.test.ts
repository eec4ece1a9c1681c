/** A tool's result with many items, or with long ones. */
import { withinBudget } from '../../nodes/runtime/execute/tool';

const text = (length: number): string => 'a word '.repeat(length / 7 + 1).slice(0, length);
const reported = (count: number, length: number) =>
	withinBudget(Array.from({ length: count }, () => ({ json: { text: text(length) } }))).map(
		({ json }) => json,
	);

it('is all of it where there is room', () => {
	expect(reported(1, 39_000)).toEqual([{ text: text(39_000) }]);
});

it.each([
	[3, 10_000],
	[9, 4_000],
	[25, 1_500],
	[70, 500],
	[150, 200],
])('of %i long texts, %i characters of each', (count, kept) => {
	const cut = { text: `${text(kept)} … (cut: 20000 characters in all)` };
	expect(reported(count, 20_000)).toEqual(Array.from({ length: count }, () => cut));
});

it('is the first of them where nothing else helps, and how many are left out', () => {
	const records = reported(1000, 20_000);
	expect(records.at(-1)).toEqual({
		leftOut: `${1001 - records.length} of 1000 records did not fit into this response: request fewer, or only part of them`,
	});
	expect(JSON.stringify(records.slice(0, -1)).length).toBeLessThanOrEqual(40_000);
	expect(records.length).toBeGreaterThan(150);
});

it('leaves out a single record that does not fit even with short texts', () => {
	expect(withinBudget([{ json: { text: 'x'.repeat(40_000) } }]).map(({ json }) => json)).toEqual([
		{ leftOut: '1 of 1 records did not fit into this response: request fewer, or only part of them' },
	]);
});

it('adds nothing to exactly as many characters as fit', () => {
	const size = (count: number) => ({ json: { text: 'x'.repeat(count - '{"text":""}'.length) } });
	const brackets = 2;
	const fitting = [size(20_000 - brackets), size(20_000 - 1)];
	expect(withinBudget(fitting)).toEqual(fitting);
});
