/** Tests pages for which the service redirects to another host: they are fetched only if the user allows it, without the credential. */
import { byId, records, runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { FakeHost } from '../support/hosts/fake-host';
import { engine } from '../support/nodes/suite-engine';

let host: FakeHost;
let storage: FakeHost;
/** Sent after the page of a share feed, which does not say to which account it belongs. */
const SESSION_CHECK = '/social/load_user_profile';

beforeAll(async () => {
	storage = await FakeHost.start(() => ({ headers: { 'content-type': 'text/html' }, body: '<p>Stored</p>' }));
	host = await FakeHost.start(({ url }) =>
		url === SESSION_CHECK
			? { body: { authenticated: true } }
			: { status: 302, headers: { location: `${storage.baseUrl}/stored${url}` } },
	);
	engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: SESSION }));
});
beforeEach(() => {
	storage.requests.length = 0;
});

it.each<[string, object, string, object]>([
	['feed.getPage', { feedId: byId(7) }, '/stored/reader/page/7', { feedId: 7, content: '<p>Stored</p>' }],
	['share.getPage', { userId: byId(12) }, '/stored/social/page/12/', { html: '<p>Stored</p>' }],
	[
		'story.getOriginalPage',
		{ storyHash: '42:a1b2c3', pageFormat: 'text' },
		'/stored/rss_feeds/original_story?story_hash=42%3Aa1b2c3',
		{ hash: '42:a1b2c3', content: 'Stored' },
	],
])('%s follows the redirect without the credential', async (name, parameters, url, record) => {
	const [resource, operation] = name.split('.');
	const node = { resource, operation, ...parameters, otherHosts: true };
	expect(records(await runReader(engine, node))).toEqual([record]);
	expect(storage.requests).toMatchObject([{ method: 'GET', url }]);
	const { cookie, authorization } = storage.requests[0]!.headers;
	expect([cookie, authorization]).toEqual([undefined, undefined]);
	expect(JSON.stringify(storage.requests)).not.toContain(SESSION);
});

it.each([{}, { options: { rawResponse: true } }])(
	'share.getPage masks the token of the user (%j)',
	async (more) => {
		const page = `<script>Globals = { 'secret_token'     : "d7b37ccc2120", 'username' : "reader" };</script>`;
		host.respond = ({ url }) =>
			url === SESSION_CHECK
				? { body: { authenticated: true } }
				: { headers: { 'content-type': 'text/html' }, body: page };
		const sharePage = { resource: 'share', operation: 'getPage', userId: byId(12), ...more };
		const result = await runReader(engine, sharePage);
		expect(Object.values(records(result)[0]!)).toEqual([page.replace('d7b37ccc2120', '***')]);
		host.reset();
	},
);

const feedPage = { resource: 'feed', operation: 'getPage', feedId: byId(7), otherHosts: true };

it('does not follow the redirect by default', async () => {
	const { error } = await runReader(engine, { ...feedPage, otherHosts: false });
	expect(error).toMatchObject({
		message: `The service redirects to another address: ${storage.baseUrl}`,
		description: 'If the page is at another host, turn on Pages of Other Hosts to get it from there.',
	});
	expect(storage.requests).toEqual([]);
});

it('does not follow any redirect to a host that the credential does not allow', async () => {
	const allowed = {
		sessionToken: SESSION,
		allowedHttpRequestDomains: 'domains',
		allowedDomains: '127.0.0.1',
	};
	const credentials = sessionCredential(host.baseUrl, allowed);
	const elsewhere = storage.baseUrl.replace('127.0.0.1', 'localhost');
	const hop = await FakeHost.start(() => ({ status: 302, headers: { location: `${elsewhere}/page` } }));
	for (const first of [elsewhere, hop.baseUrl]) {
		host.respond = () => ({ status: 302, headers: { location: `${first}/page` } });
		const { error } = await runReader(engine, feedPage, [{}], { credentials });
		expect(error).toMatchObject({
			message: `The service redirects to another address: ${elsewhere}`,
			description:
				'If the page is at another host, the credential is not allowed for it: see its Allowed HTTP Request Domains.',
		});
	}
	expect(hop.requests).toHaveLength(1);
	expect(storage.requests).toEqual([]);
	engine.credentials.setAll(sessionCredential(host.baseUrl, { sessionToken: SESSION }));
});

it.each([401, 403, 404, 429])(
	'does not take status %i of the other host for that of the service',
	async (status) => {
		const logins = () => host.requests.filter(({ url }) => url.includes('login')).length;
		const before = logins();
		storage.respond = () => ({ status, headers: { 'retry-after': '600' }, body: '' });
		host.respond = ({ url }) =>
			url.startsWith('/reader/page')
				? { status: 302, headers: { location: `${storage.baseUrl}/page` } }
				: { body: { feeds: {}, folders: [] } };
		const { error } = await runReader(engine, feedPage);
		expect(error?.message).toContain(`${new URL(storage.baseUrl).host} responded with status ${status}`);
		const next = await runReader(engine, { resource: 'feed', operation: 'getAll' });
		expect(next.error).toBeUndefined();
		expect(logins()).toBe(before);
	},
);

it('reports a missing response of the other host', async () => {
	host.respond = () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/page' } });
	const { error } = await runReader(engine, feedPage);
	expect(error?.message).toMatch(/^No response from the news reader service/);
});
