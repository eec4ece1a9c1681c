import fc from 'fast-check';
import type { Reply } from './fake-host';

export type AnyReply = Required<Pick<Reply, 'status' | 'headers' | 'body'>>;

export const anyNumber = fc.oneof(
	fc.integer(),
	fc.double(),
	fc.integer().map(String),
	// The last ones cannot be converted to a text or a number.
	fc.constantFrom('', '0', '-1', 'x', null, true, { toString: 1 }, { valueOf: null, toString: 'x' }),
);

/** Any status, headers that may mean something, and a body: one of `likely`, whole or cut off, or anything. */
export const anyReply = (likely: fc.Arbitrary<object>): fc.Arbitrary<AnyReply> =>
	fc.record({
		status: fc.oneof(
			{ weight: 3, arbitrary: fc.constant(200) },
			{
				weight: 1,
				arbitrary: fc.constantFrom(
					201,
					204,
					301,
					302,
					304,
					307,
					400,
					401,
					403,
					404,
					409,
					418,
					422,
					429,
					500,
					502,
					503,
					599,
				),
			},
		),
		headers: fc.dictionary(
			fc.constantFrom(
				'x-ratelimit-remaining',
				'x-ratelimit-reset',
				'retry-after',
				'date',
				'location',
				'content-type',
			),
			fc.oneof(
				fc.integer({ min: -5, max: 2 ** 45 }).map(String),
				fc.constantFrom('', 'soon', '/x', 'text/html', '0'),
			),
		),
		body: fc.oneof(
			{ weight: 6, arbitrary: likely },
			{ weight: 1, arbitrary: fc.json() },
			{ weight: 1, arbitrary: fc.string() },
			{ weight: 1, arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
			{ weight: 1, arbitrary: likely.map((body) => JSON.stringify(body).slice(0, -2)) },
		),
	});

/** Every text and number of a value, as text; numeric texts also as numbers. */
export function leaves(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
	const written = String(value);
	return typeof value === 'string' && value.trim() !== '' ? [written, String(Number(value))] : [written];
}

/** The JSON of a reply’s body; undefined if it has none. */
export const parsed = (body: unknown): unknown => {
	if (typeof body === 'object' && !Buffer.isBuffer(body)) return JSON.parse(JSON.stringify(body)) as unknown;
	try {
		return JSON.parse(String(body)) as unknown;
	} catch {
		return undefined;
	}
};

/** Errors that only a mistake in the node throws. */
const breakdowns = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError'];

/** Expects one of n8n's two errors, with a message that contains no secret. */
export function expectClear(error: Error, ...secrets: string[]): void {
	expect(['NodeApiError', 'NodeOperationError']).toContain(error.name);
	expect(breakdowns).not.toContain(Object(error.cause).name);
	expect(error.message.trim()).not.toBe('');
	for (const secret of secrets) expect(error.message).not.toContain(secret);
}
