/** What failures are taken for: refused at this, over by itself, or neither. */
import { isRefusal, isTransient } from '../../nodes/runtime/errors/failures';

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
