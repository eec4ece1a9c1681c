/** The classes of failures, and their messages. */
import { clock } from '../../nodes/runtime/clock';
import { waitTooLong } from '../../nodes/runtime/errors/messages';
import { quoted } from '../../nodes/runtime/values';
import { makeVirtual } from '../support/clock';
import { clientOf, networkError, type FakeReply } from '../support/hosts/service-context';
import type { FailureClass } from '../../nodes/runtime/api-types';

it.each<[FakeReply | Error, FailureClass]>([
	[{ status: 200, body: { error: 1, message: 'No' } }, 'refused'],
	[{ status: 404, body: '<html>' }, 'refused'],
	[{ status: 401, body: { error: 1, message: 'No' } }, 'loginRefused'],
	[{ status: 302, headers: { location: 'https://other.test/' } }, 'misconfigured'],
	[{ status: 408, body: '' }, 'unavailable'],
	[{ status: 500, body: '' }, 'failed'],
	[{ status: 503, body: '' }, 'unavailable'],
	[networkError('ECONNRESET'), 'unavailable'],
])('the response %j is a failure of the class %s', async (reply, expected) => {
	const { client } = clientOf(() => reply);
	const time = makeVirtual(clock);
	const { failure } = await client.send({ method: 'GET', path: '/api/account' }, 0);
	time.restore();
	expect(failure?.class).toBe(expected);
});

it.each([
	[3_600_000, 3600],
	[1001, 2],
	[-5, 1],
])('rounds the wait of a rate limit of %i ms up to %i s', (ms, seconds) => {
	const now = Date.UTC(2030, 0, 1);
	const { message } = waitTooLong({
		service: 'the service',
		opensIn: ms,
		now,
		maxWaitMs: 1000,
		isRetry: false,
	});
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
