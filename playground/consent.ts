/** Connects an OAuth 2.0 credential like a user in the browser: login, consent, and callback. */
import { CommandError } from '../scripts/command.ts';
import type { N8nClient } from './rest.ts';

interface Account {
	username: string;
	password: string;
}

/** Authorizes a credential of the reader service. @throws CommandError */
export async function connectReader(
	client: N8nClient,
	credentialId: string,
	account: Account,
): Promise<void> {
	const authorize = new URL(
		await client.get<string>(`/rest/oauth2-credential/auth?id=${encodeURIComponent(credentialId)}`),
	);
	const form = Object.fromEntries(authorize.searchParams);
	const action = authorize.origin + authorize.pathname;
	const login = await send(action, { ...form, ...account, step: 'login' });
	const session = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
	if (session.length === 0) throw new CommandError('The sandbox refused the login of its reader account.');
	const consent = await send(action, { ...form, allowed: 'true' }, session.join('; '));
	const callback = consent.headers.get('location');
	if (!callback) throw new CommandError(`The sandbox gave no consent (status ${consent.status}).`);
	const response = await client.visit(callback);
	if (!response.ok) {
		throw new CommandError(`n8n did not take the consent: ${(await response.text()).slice(0, 300)}`);
	}
}

async function send(url: string, form: Record<string, string>, cookie?: string): Promise<Response> {
	return await fetch(url, {
		method: 'POST',
		headers: cookie === undefined ? {} : { cookie },
		body: new URLSearchParams(form),
		redirect: 'manual',
	});
}
