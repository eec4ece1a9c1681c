/** Logins and requests without one, and the authorization code flow with its forms and tokens. */
import { application, consent, redirect_uri } from '../support/clients/consent.ts';
import { controls, withReader, type ReaderClient } from '../support/clients/reader-client.ts';

test('anonymous-403: requests without a session return 403 without a body', () =>
	withReader({ wild: ['anonymous-403'] }, async (anybody) => {
		for (const path of ['/reader/feeds', '/social/profile']) {
			expect(await anybody.get(path)).toMatchObject({ status: 403, text: '' });
		}
	}));

async function codeFor(client: ReaderClient, request: Record<string, string> = {}): Promise<string> {
	return (await consent(client, { state: 's', ...request })).searchParams.get('code') ?? '';
}

function token(client: ReaderClient, fields: Record<string, string>, path = '/oauth/token') {
	return client.post(path, { grant_type: 'authorization_code', redirect_uri, ...fields });
}

const secret = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };

test('tokens and codes expire; tokens can be revoked by a control call', () =>
	withReader({}, async (client) => {
		const late = await codeFor(client);
		client.clock.advance(3_601_000);
		expect((await token(client, { code: late, ...secret })).body['error']).toBe('invalid_grant');
		const given = (await token(client, { code: await codeFor(client), ...secret })).body;
		client.headers = { authorization: `Bearer ${given['access_token']}` };
		client.clock.advance(3_599_000);
		expect((await client.get('/reader/feeds')).status).toBe(200);
		client.clock.advance(2000);
		expect((await client.get('/reader/feeds')).status).toBe(401);
		client.headers = {};
		const refreshed = await client.post('/oauth/token', {
			grant_type: 'refresh_token',
			refresh_token: String(given['refresh_token']),
			...secret,
		});
		expect(await client.control(controls.expireTokens, { username: 'reader' })).toEqual({ expired: 1 });
		client.headers = { authorization: `Bearer ${refreshed.body['access_token']}` };
		expect((await client.get('/reader/feeds')).status).toBe(401);
	}));

test('errors redirect to the application unless its redirect URI is invalid', () =>
	withReader({}, async (client) => {
		const denied = await consent(client, { state: 'x', redirect_uri: `${redirect_uri}?kept=1` }, 'false');
		expect(Object.fromEntries(denied.searchParams)).toMatchObject({
			error: 'access_denied',
			state: 'x',
			kept: '1',
		});
		const untrusted: Record<string, string>[] = [
			{ client_id: 'unknown' },
			{ redirect_uri: 'https://elsewhere.example/callback' },
			{ redirect_uri: 'http://127.0.0.1.elsewhere.example/' },
		];
		const reader = await client.as('reader');
		for (const request of untrusted) {
			const asked = { response_type: 'code', ...application, state: 'y', allowed: 'true', ...request };
			const refused = await reader.post('/oauth/authorize', asked);
			expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
			expect(refused.text).toContain('role="alert"');
		}
	}));

test('a wrong password shows the login again, with the parameters of the request', () =>
	withReader({}, async (client) => {
		const requested = { response_type: 'code', ...application, state: '"><script>' };
		const wrong = await client.post('/oauth/authorize', {
			...requested,
			step: 'login',
			username: 'reader',
			password: 'no',
		});
		expect(wrong.status).toBe(200);
		expect(wrong.text).toContain('Wrong password');
		expect(wrong.text).toContain('value="&quot;&gt;&lt;script&gt;"');
		expect(wrong.headers.get('set-cookie')).toBeNull();
		const unasked = await client.post('/oauth/authorize', { ...requested, allowed: 'true' });
		expect(unasked.text).toContain('name="password"');
	}));
