/** Values of any type: quotes in messages, conversion to text and lists, and time limits. */
import { getEventListeners } from 'node:events';
import { flawOf, chunksOf, quoted, scalarText, toList, within } from '../../nodes/runtime/values';
import type { Api } from '../../nodes/runtime/api-types';
import { oneListAtATime } from '../../nodes/NewsReader/model/story-lists';

it('quotes 100 characters of a value in a message', () => {
	expect(quoted('a'.repeat(100))).toBe(`"${'a'.repeat(100)}"`);
	expect(quoted('a'.repeat(101))).toBe(`"${'a'.repeat(100)}…"`);
	expect(quoted({ name: 1 })).toBe('"{"name":1}"');
	expect(quoted(undefined)).toBe('"undefined"');
	expect(quoted('half \ud800')).toBe('"half \ufffd"');
	expect(quoted(`${'a'.repeat(99)}😀`)).toBe(`"${'a'.repeat(99)}\ufffd…"`);
});

it('converts only finite numbers, text and booleans to text', () => {
	expect([1.5, 'a', false, 10n].map(scalarText)).toEqual(['1.5', 'a', 'false', '10']);
	expect([NaN, Infinity, null, undefined, {}, []].map(scalarText)).toEqual(Array(6).fill(undefined));
});

it('reports why a value cannot be sent', () => {
	expect(flawOf(new Date(NaN))).toBe('is an invalid date');
	expect(flawOf({ isValid: false })).toBe('is an invalid date');
	expect(flawOf('a \ud800')).toBe('contains half a character (a lone surrogate)');
	for (const value of [new Date(0), { isValid: true }, '\\ud800', '😀', null, 0, '']) {
		expect(flawOf(value)).toBeUndefined();
	}
});

it('splits a list into chunks', () => {
	expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
	expect(chunksOf([1, 2, 3, 4], 2)).toEqual([
		[1, 2],
		[3, 4],
	]);
	expect(chunksOf([], 2)).toEqual([]);
});

it('reads lists from arrays, JSON, texts with commas, and single values', () => {
	expect(toList(['a', ' ', null, 0])).toEqual(['a', 0]);
	expect(toList(' ["a", "b,c", ""]')).toEqual(['a', 'b,c']);
	expect(toList('a, b,,c ')).toEqual(['a', 'b', 'c']);
	expect(toList('[a')).toEqual(['[a']);
	expect(toList(0)).toEqual([0]);
	expect(toList(null)).toEqual([]);
	expect(toList(' ')).toEqual([]);
});

describe('a time limit', () => {
	const tooLate = () => new Error('too late');
	const never = new Promise<never>(() => undefined);

	it('returns the result or throws the error, and removes its listener', async () => {
		const { signal } = new AbortController();
		expect(await within(signal, Promise.resolve(7), tooLate)).toBe(7);
		await expect(within(signal, Promise.reject(new Error('failed')), tooLate)).rejects.toThrow('failed');
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('ends work that takes too long', async () => {
		const limit = new AbortController();
		const work = within(limit.signal, never, tooLate);
		limit.abort();
		await expect(work).rejects.toThrow('too late');
		await expect(within(limit.signal, never, tooLate)).rejects.toThrow('too late');
	});
});

it('a cancelled execution does not wait until another one has read its list; a third one does', async () => {
	const done: string[] = [];
	let end = (): void => undefined;
	const read = async (name: string, signal?: AbortSignal) => {
		const api = {
			owner: async () => await Promise.resolve({ lastingAccount: 'me' }),
			signal,
		} as unknown as Api;
		await oneListAtATime('river', api, async () => {
			if (name === 'first') await new Promise<void>((resolve) => (end = resolve));
			done.push(name);
		});
	};
	const [first, second, third] = [read('first'), read('second', AbortSignal.timeout(20)), read('third')];
	await second;
	expect(done).toEqual(['second']);
	end();
	await Promise.all([first, third]);
	expect(done).toEqual(['second', 'first', 'third']);
});
