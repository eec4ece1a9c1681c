import fc from 'fast-check';
import type { Reply } from './fake-host';

export type AnyReply = Required<Pick<Reply, 'status' | 'headers' | 'body'>>;

export const anyNumber = fc.oneof(
	fc.integer(),
	fc.double(),
	fc.integer().map(String),
	// The objects cannot be converted to a string or a number.
	fc.constantFrom('', '0', '-1', 'x', null, true, { toString: 1 }, { valueOf: null, toString: 'x' }),
);

/** A reply with any status, any headers that clients read, and a body: one of `likely`, complete or cut off, or anything. */
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

/** The primitive values in a value, as strings; a numeric string also in the notation of JavaScript. */
export function leavesOf(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
	const text = String(value);
	return typeof value === 'string' && value.trim() !== '' ? [text, String(Number(value))] : [text];
}

/** Parses the body of a reply; undefined if it is not JSON. */
export const parseBody = (body: unknown): unknown => {
	if (typeof body === 'object' && !Buffer.isBuffer(body)) return JSON.parse(JSON.stringify(body)) as unknown;
	try {
		return JSON.parse(String(body)) as unknown;
	} catch {
		return undefined;
	}
};

/** Errors that only a bug in the node throws. */
const bugErrorNames = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError'];

/** Expects one of n8n's two error classes, with a message that contains no secret. */
export function expectClearError(error: Error, ...secrets: string[]): void {
	expect(['NodeApiError', 'NodeOperationError']).toContain(error.name);
	expect(bugErrorNames).not.toContain(Object(error.cause).name);
	expect(error.message.trim()).not.toBe('');
	for (const secret of secrets) expect(error.message).not.toContain(secret);
}
