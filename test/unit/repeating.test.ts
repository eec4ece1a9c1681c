/** Which failed requests are sent again: those that never reached the service, and idempotent ones. */
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { clock } from '../../nodes/runtime/clock';
import type { FailureDetails } from '../../nodes/runtime/api-types';
import { linkTable, readerTable } from '../../nodes/tables';
import { retrying } from '../../nodes/runtime/transport/retry';
import { responseWith } from '../support/responses';
import { makeVirtual } from '../support/clock';

const read: ApiRequest = { method: 'GET', path: '/a' };
const write: ApiRequest = { method: 'POST', path: '/a' };
const same: ApiRequest = { ...write, idempotent: true };

/** Whether a request is sent again after this failure: with a response if the code is a status. */
async function isRepeated(
	request: ApiRequest,
	failure: Partial<FailureDetails>,
	maxWaitMs = 5000,
): Promise<boolean> {
	let sent = 0;
	const hasResponse = /^\d+$/.test(failure.code ?? '');
	const next = async () => {
		sent += 1;
		const response = hasResponse ? { response: responseWith(undefined, Number(failure.code)) } : {};
		return await Promise.resolve({ failure: { message: 'Failed', ...failure }, ...response });
	};
	const time = makeVirtual(clock);
	await retrying({ service: 'the service', maxWaitMs }, next)({ ...request, credential: {} });
	time.restore();
	return sent > 1;
}

it.each<[string, Partial<FailureDetails>, reads: boolean, writes: boolean, sames: boolean]>([
	// Some services lock accounts after some wrong logins.
	['a login that was refused', { class: 'loginRefused', code: 'LOGIN_FAILED' }, false, false, false],
	['a login that failed', { class: 'unavailable', code: 'LOGIN_FAILED' }, true, true, true],
	['a connection that was refused', { class: 'unavailable', code: 'ECONNREFUSED' }, true, true, true],
	['a connection that broke', { class: 'unavailable', code: 'ECONNRESET' }, true, false, true],
	['no response in time', { class: 'unavailable', code: 'ETIMEDOUT' }, false, false, false],
	['a cancelled execution', { class: 'cancelled', code: 'ERR_CANCELED' }, false, false, false],
	['a long wait for the rate limit', { class: 'rateLimited' }, false, false, false],
	['a ban', { class: 'banned', code: '403' }, false, false, false],
	['status 500', { class: 'failed', code: '500' }, true, false, true],
	['status 503', { class: 'unavailable', code: '503' }, true, false, true],
	['status 501', { class: 'unavailable', code: '501' }, false, false, false],
	['a refusal', { class: 'refused', code: '404' }, false, false, false],
	['a longer Retry-After', { class: 'unavailable', code: '503', retryAfterMs: 5001 }, false, false, false],
])('after %s', async (_, failure, ...expected) => {
	const repeated = [];
	for (const request of [read, write, same]) repeated.push(await isRepeated(request, failure));
	expect(repeated).toEqual(expected);
});

it('also repeats a request that may not wait for the rate limit', async () => {
	expect(await isRepeated(read, { class: 'unavailable', code: '503' }, 0)).toBe(true);
});

/** Idempotent writes: carrying them out twice has the same effect as once. */
const idempotent: string[] = [
	...['shortLink', 'account', 'campaign', 'channel', 'domain', 'pixel', 'qrCode'].map(
		(resource) => `${resource}.update`,
	),
	'story.markUnreadByDays',
	'story.markRead',
	'story.markUnread',
	'story.markReadById',
	'story.markFeedStoriesRead',
	'story.markSocialStoriesRead',
	'savedStory.save',
	'feed.addMany',
	'feed.mute',
	'feed.unmute',
	'autoMarkRead.set',
	'classifier.save',
	'comment.like',
	'comment.removeLike',
	'notification.set',
	'savedSearch.create',
	'user.mute',
	'user.unmute',
];

it('the idempotent writes of both services are these', () => {
	const rows = [...Object.entries(linkTable), ...Object.entries(readerTable)].flatMap(
		([resource, { operations }]) =>
			Object.entries(operations).map(([name, row]) => [`${resource}.${name}`, row] as const),
	);
	const names: string[] = rows.filter(([, row]) => row.idempotent).map(([name]) => name);
	expect([
		...names
			.filter((name) => !idempotent.includes(name))
			.map(
				(name) => `${name} is idempotent: list it in test/unit/repeating.test.ts if a repeat changes nothing`,
			),
		...idempotent
			.filter((name) => !names.includes(name))
			.map((name) => `${name} is listed in test/unit/repeating.test.ts, but its row is not idempotent`),
	]).toEqual([]);
});
