/** The classes of failures, and their messages. */
import { noResponse } from '../../nodes/runtime/credential';
import { clock } from '../../nodes/runtime/clock';
import { waitTooLong } from '../../nodes/runtime/errors/messages';
import { itemProgress, type Stage } from '../../nodes/runtime/execute/stages';
import { newsReader } from '../../nodes/NewsReader/service';
import { classify } from '../../nodes/runtime/transport/classify';
import { responseWith } from '../support/responses';
import { makeVirtual } from '../support/clock';
import { clientOf, credential, networkError, type FakeReply } from '../support/hosts/service-context';
import type { FailureClass } from '../../nodes/runtime/api-types';

it.each<[Stage[], string]>([
	[['Done', 'Not begun', 'Done', 'Done'], 'Items 0, 2, 3 were done. Item 1 was not begun.'],
	[['Done', 'Done', 'Done', 'In doubt'], 'Items 0 to 2 were done. Item 3 is in doubt.'],
])('the progress of items is a sentence for each stage: %j', (stages, sentences) => {
	expect(itemProgress(stages, [])).toBe(sentences);
});

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
	const { failure } = await client.send({ method: 'GET', path: '/api/account', credential }, 0);
	time.restore();
	expect(failure?.class).toBe(expected);
});

/** An error as n8n throws it if it blocks private addresses. */
const blocked = Object.assign(new Error('Failed'), {
	cause: Object.assign(new Error('The request was blocked because it resolves to a restricted IP address'), {
		name: 'SsrfBlockedIpError',
		description: 'Ask your n8n administrator to allowlist the hostname.',
	}),
});

it('does not call a login temporary that n8n itself blocks', () => {
	expect(noResponse('the service', 'http://10.0.0.1', blocked)).toMatchObject({
		message: expect.stringContaining('administrator') as string,
		loginFailure: { class: 'misconfigured' },
	});
});

it.each<[string, Error, RegExp, RegExp]>([
	[
		'a self-signed certificate',
		networkError('DEPTH_ZERO_SELF_SIGNED_CERT'),
		/not trusted/,
		/Ignore SSL Issues/,
	],
	[
		'a certificate that is not valid yet',
		networkError('CERT_NOT_YET_VALID'),
		/not trusted/,
		/Ignore SSL Issues.*\. For a self-signed certificate/,
	],
	[
		'the certificate of another host',
		networkError('ERR_TLS_CERT_ALTNAME_INVALID'),
		/another host/,
		/Ignore SSL Issues/,
	],
	[
		'https to an HTTP port',
		networkError('ERR_SSL_PACKET_LENGTH_TOO_LONG'),
		/does not use HTTPS/,
		/http:\/\//,
	],
	['a protocol error', networkError('EPROTO'), /, or only in a way/, /only if the server has no HTTPS/],
	['n8n’s block of private addresses', blocked, /restricted IP address/, /administrator/],
])('a write that met %s was never sent, and is not tried again', async (_, error, message, advice) => {
	const { client, sent } = clientOf(() => error);
	const { failure } = await client.send({ method: 'POST', path: '/api/url/add', body: {}, credential }, 0);
	expect(failure?.class).toBe('misconfigured');
	expect(failure?.inDoubt).not.toBe(true);
	expect(failure?.message).toMatch(message);
	expect(failure?.description).toMatch(advice);
	expect(sent).toHaveLength(1);
});

it.each<[number, string, FailureClass]>([
	[302, 'http://example.com/', 'notOffered'],
	[302, 'https://www.reader.test/new/feed', 'misconfigured'],
	[302, 'http://example.com/reader/new', 'misconfigured'],
	[301, 'http://example.com/', 'misconfigured'],
])(
	'a redirect of the reader with status %i to %s is a failure of the class %s',
	(status, location, expected) => {
		const response = { ...responseWith(undefined, status), host: 'reader.test', redirect: new URL(location) };
		const request = { method: 'GET', path: '/reader/new' } as const;
		expect(classify(newsReader, 'https://reader.test', request, response).failure?.class).toBe(expected);
	},
);

it.each([
	[3_600_000, 3600],
	[1001, 2],
])('rounds the wait of a rate limit of %i ms up to %i s', (ms, seconds) => {
	const { message } = waitTooLong({ service: 'the service', maxWaitMs: 1000 }, ms);
	expect(message).toBe(`The rate limit of the service is used up: try again in ${seconds} s`);
});
