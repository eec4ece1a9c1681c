import type { ReaderClient } from './reader-client.ts';

/** The browser steps of an OAuth2 authorization: log in, then allow or deny access. */

export const redirect_uri = 'http://127.0.0.1:5678/rest/oauth2-credential/callback';
export const application = { client_id: 'sandbox-client', redirect_uri };

export function locationOf({ headers }: { headers: Headers }): URL {
	return new URL(headers.get('location') ?? 'about:blank');
}

/** Logs in as `reader` and submits the consent form. @returns the location of the last redirect */
export async function consent(
	client: ReaderClient,
	request: Record<string, string>,
	allowed = 'true',
	path = '/oauth/authorize',
): Promise<URL> {
	const requested = { response_type: 'code', ...application, ...request };
	const login = await client.get(path, requested);
	expect(login.status).toBe(200);
	expect(login.text).toContain('name="password"');
	const loggedIn = await client.post(path, {
		...requested,
		step: 'login',
		username: 'reader',
		password: 'sandbox-password',
	});
	expect(loggedIn.status).toBe(303);
	const cookie = loggedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
	const redirect = loggedIn.headers.get('location') ?? '';
	const page = await client.send(redirect.replace('/reader-service', ''), { headers: { cookie } });
	expect(page.text).toContain(requested.client_id);
	expect(page.text).toContain('<strong>reader</strong>');
	const response = await client.send(path, {
		method: 'POST',
		headers: { cookie },
		body: new URLSearchParams({ ...requested, allowed }),
	});
	expect(response.status).toBe(302);
	return locationOf(response);
}
