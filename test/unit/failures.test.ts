/** The classes of failures (refused, transient, or neither) and their messages. */
import { isRefusal, isTransient } from '../../nodes/runtime/errors/errors';
import { waitTooLong } from '../../nodes/runtime/errors/messages';
import { quoted } from '../../nodes/runtime/values';

it.each([
	['200', undefined, 'refused'],
	['404', undefined, 'refused'],
	['499', undefined, 'refused'],
	['403', 'credential-invalid', 'neither'],
	['429', undefined, 'transient'],
	['200', 'rate-limited', 'transient'],
	['500', undefined, 'transient'],
	['ECONNRESET', 'temporarily-unavailable', 'transient'],
	['ECONNRESET', undefined, 'neither'],
	['', undefined, 'neither'],
])('a failure with the code "%s" and the cause %s is %s', (httpCode, cause, expected) => {
	const error = { httpCode, ...(cause && { failure: { cause } }) };
	const taken = isRefusal(error) ? 'refused' : isTransient(error) ? 'transient' : 'neither';
	expect(taken).toBe(expected);
});

it.each([
	[3_600_000, 3600],
	[1001, 2],
	[-5, 1],
])('rounds the wait of a rate limit of %i ms up to %i s', (ms, seconds) => {
	const now = Date.UTC(2030, 0, 1);
	const { message } = waitTooLong('the service', { opensIn: ms, now, maxWaitMs: 1000, isRetry: false });
	expect(message).toBe(
		`The rate limit of the service is used up: try again after ${new Date(now + ms).toISOString()} (in ${seconds} s)`,
	);
});

it.each([
	[100, `"${'x'.repeat(100)}"`],
	[101, `"${'x'.repeat(100)}…"`],
])('repeat of a value of %i characters a hundred', (length, repeated) => {
	expect(quoted('x'.repeat(length))).toBe(repeated);
});
