/** Which failed requests are retried: those that never reached the service, and idempotent ones. */
import type { ApiRequest } from '../../nodes/runtime/api-types';
import type { Reply } from '../../nodes/runtime/transport/http';
import { linkTable, readerTable } from '../../nodes/tables';
import { isRetryable } from '../../nodes/runtime/transport/service';
import { responseWith } from '../support/cases/response';

const response = (status: number): Reply => ({
	response: responseWith(undefined, status),
});
const read: ApiRequest = { method: 'GET', path: '/a' };
const write: ApiRequest = { method: 'POST', path: '/a' };
const same: ApiRequest = { ...write, idempotent: true };

it.each<[string, Reply, reads: boolean, writes: boolean, sames: boolean]>([
	// Some services lock accounts after some wrong logins.
	['a login that was refused', { refusedLogin: 'Wrong password' }, false, false, false],
	['a connection that was refused', { code: 'ECONNREFUSED' }, true, true, true],
	['a connection that broke', { code: 'ECONNRESET' }, true, false, true],
	['an answer that is too large', { code: 'TOO_LARGE' }, false, false, false],
	['a cancelled execution', { code: 'ERR_CANCELED' }, false, false, false],
	['status 500', response(500), true, false, true],
	['status 503', response(503), true, false, true],
	['status 501', response(501), false, false, false],
	['status 404', response(404), false, false, false],
])('after %s', (_, sent, reads, writes, sames) => {
	expect([read, write, same].map((request) => isRetryable(request, sent))).toEqual([reads, writes, sames]);
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
	'savedStory.deleteTag',
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
