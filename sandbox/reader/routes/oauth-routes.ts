import { html, type Html, notice } from '../../shared/html.ts';
import { sandboxPassword } from '../seed.ts';
import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkLogin, readCookie, sessionCookie, sessionUser, startSession } from '../accounts.ts';
import { formParameters, queryParameters, type Parameters } from '../http/parameters.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';
import { oauthModel, accessTokenSeconds } from '../oauth/model.ts';

/** Hidden fields with the parameters of the authorization request. */
function carried(request: readonly [string, string][]): Html {
	return html`${request.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

/** The login form before the consent. */
function loginPage(request: readonly [string, string][], action: string, problem?: string): Html {
	return notice(
		'Log in to the news reader',
		html`
			<p class="quiet">
				In this sandbox: user name <code>reader</code> or <code>friend</code>, password
				<code>${sandboxPassword}</code>.
			</p>
			${problem && html`<p role="alert">${problem}</p>`}
			<form method="post" action="${action}">
				${carried(request)}
				<label for="username">User name</label>
				<input id="username" name="username" autocomplete="username" required autofocus />
				<label for="password">Password</label>
				<input id="password" name="password" type="password" autocomplete="current-password" />
				<button name="step" value="login">Log in</button>
			</form>
		`,
	);
}

/** The consent form. */
function consentPage(
	request: readonly [string, string][],
	action: string,
	given: { username: string; application: string; redirectUri: string; scopes: string[] },
): Html {
	return notice(
		'Allow access to your account?',
		html`
			<p>
				<strong>${given.application}</strong> asks to use the news reader account
				<strong>${given.username}</strong>.
			</p>
			<p>It asks for: ${given.scopes.join(', ')}.</p>
			<p>Your answer is sent to <code>${given.redirectUri}</code>.</p>
			<form method="post" action="${action}">
				${carried(request)}
				<button name="allowed" value="true">Allow</button>
				<button name="allowed" value="false" class="secondary">Deny</button>
			</form>
		`,
	);
}

function oauthErrorPage(message: string): Html {
	return notice(
		'This request cannot be answered',
		html`
			<p role="alert">${message}</p>
			<p>Go back to the application that sent you here and check how it is set up.</p>
		`,
	);
}

/** Fields of the forms, which are not part of the application's request. */
const formFields = ['step', 'username', 'password', 'allowed'];
const twoWeeksSeconds = 1_209_600;

/** The authorization code flow (RFC 6749, section 4.1; RFC 7636) and refreshing with rotation. */
export function registerOAuth(app: FastifyInstance, reader: Reader): void {
	const server = new OAuth2Server({
		model: oauthModel(reader),
		accessTokenLifetime: accessTokenSeconds,
		refreshTokenLifetime: twoWeeksSeconds,
		authorizationCodeLifetime: 3600,
		allowEmptyState: true,
	});
	for (const slash of ['', '/']) {
		const authorize = `/oauth/authorize${slash}`;
		app.get(authorize, async (request, reply) => showForm(reader, request, reply, queryParameters(request)));
		app.post(authorize, async (request, reply) => {
			const form = await formParameters(request);
			if (form.text('step') === 'login') return logIn(reader, request, reply, form);
			const user = personOf(reader, request);
			const answered = ['true', 'false'].includes(form.text('allowed') ?? '');
			if (user === undefined || !answered) return showForm(reader, request, reply, form);
			return sendOutcome(reply, await authorizeWith(server, form, user));
		});
		app.post(`/oauth/token${slash}`, (request, reply) => answerToken(server, request, reply));
	}
}

interface Outcome {
	error?: string;
	/** The redirect URI; undefined if it is not allowed. */
	location?: string;
}

async function authorizeWith(server: OAuth2Server, requested: Parameters, user: UserRow): Promise<Outcome> {
	const request = new OAuth2Server.Request({
		headers: {},
		method: 'GET',
		query: {},
		body: Object.fromEntries(requested.entries()),
	});
	const response = new OAuth2Server.Response();
	try {
		await server.authorize(request, response, {
			authenticateHandler: { handle: () => ({ id: user.id }) },
		});
		return { location: response.get('location') };
	} catch (error) {
		if (!(error instanceof OAuth2Server.OAuthError)) throw error;
		const trusted = response.get('location') !== undefined;
		return { error: error.message, location: trusted ? errorAddress(requested, error) : undefined };
	}
}

/** RFC 6749, section 4.1.2.1. The library's own address loses the error when the redirect has a query. */
function errorAddress(requested: Parameters, error: OAuth2Server.OAuthError): string {
	const address = new URL(requested.text('redirect_uri') ?? 'http://127.0.0.1/');
	address.searchParams.set('error', error.name);
	address.searchParams.set('error_description', error.message);
	const state = requested.text('state');
	if (state) address.searchParams.set('state', state);
	return address.href;
}

function sendOutcome(reply: FastifyReply, { error, location }: Outcome): FastifyReply {
	if (location !== undefined) return reply.redirect(location, 302);
	return sendPage(reply, oauthErrorPage(error ?? ''), 400);
}

function sendPage(reply: FastifyReply, body: Html, status = 200): FastifyReply {
	return reply
		.code(status)
		.headers({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
		.type('text/html; charset=utf-8')
		.send(body.text);
}

function carriedFields(requested: Parameters): [string, string][] {
	return requested.entries().filter(([name]) => !formFields.includes(name));
}

/** The user of the browser's session; an access token can't consent. */
function personOf(reader: Reader, { headers }: FastifyRequest): UserRow | undefined {
	const token = readCookie(headers.cookie ?? '', reader.settings.cookieName);
	return token === undefined ? undefined : sessionUser(reader, token);
}

/** The consent form; without a session, the login form. */
function showForm(
	reader: Reader,
	request: FastifyRequest,
	reply: FastifyReply,
	requested: Parameters,
): FastifyReply {
	const carried = carriedFields(requested);
	const action = request.url.split('?', 1)[0] ?? '';
	const user = personOf(reader, request);
	if (user === undefined) return sendPage(reply, loginPage(carried, action));
	const given = {
		username: user.username,
		application: requested.text('client_id') ?? '',
		redirectUri: requested.text('redirect_uri') ?? '',
		scopes: (requested.text('scope') || 'read write').split(/\s+/),
	};
	return sendPage(reply, consentPage(carried, action, given));
}

/** A login before the consent: returns to the same form, now with a session. */
function logIn(reader: Reader, request: FastifyRequest, reply: FastifyReply, form: Parameters): FastifyReply {
	const result = checkLogin(reader, form.text('username') ?? '', form.text('password') ?? '');
	const carried = carriedFields(form);
	const action = request.url.split('?', 1)[0] ?? '';
	if ('problem' in result) return sendPage(reply, loginPage(carried, action, result.problem));
	const back = `${action}?${new URLSearchParams(carried)}`;
	return reply
		.header('set-cookie', sessionCookie(reader, startSession(reader, result.user)))
		.redirect(back, 303);
}

async function answerToken(
	server: OAuth2Server,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const form = await formParameters(request);
	const given = new OAuth2Server.Request({
		headers: request.headers as Record<string, string>,
		method: request.method,
		query: {},
		body: Object.fromEntries(form.entries()),
	});
	const response = new OAuth2Server.Response();
	reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
	try {
		await server.token(given, response);
	} catch (error) {
		if (!(error instanceof OAuth2Server.OAuthError)) throw error;
		const unknownClient = error.name === 'invalid_client';
		if (unknownClient) reply.header('www-authenticate', 'Basic realm="News reader"');
		return reply
			.code(unknownClient ? 401 : error.code)
			.send({ error: error.name, error_description: error.message });
	}
	return reply.send(response.body);
}
