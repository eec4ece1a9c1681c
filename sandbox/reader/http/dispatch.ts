import type { IncomingHttpHeaders } from 'node:http';
import { tokenUser } from '../oauth/model.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';
import { readCookie, sessionUser, demoUser } from '../accounts.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notice, html } from '../../shared/html.ts';
import { BareList, Document, Fault, MissingParameter, Rejection, type RouteResponse } from './response.ts';
import { formParameters, queryParameters, Parameters } from './parameters.ts';
import type { CallLimits } from './limits.ts';
import { Call, type Route } from './reader-route.ts';

/** The sender of a request. */
interface Identity {
	/** Undefined for an anonymous request. */
	user?: UserRow;
	/** Whether the request has an invalid access token. */
	badBearer: boolean;
	sessionToken?: string;
	/** The session or token of the request, for counting; undefined without one. */
	key?: string;
}

/**
 * Identifies the sender by access token, otherwise by session cookie. An invalid access token makes the request
 * anonymous, even with a session.
 */
export function identify(reader: Reader, headers: IncomingHttpHeaders): Identity {
	const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
	if (bearer !== undefined) {
		const user = tokenUser(reader, bearer);
		return { user, badBearer: user === undefined, key: bearer };
	}
	const sessionToken = readCookie(headers.cookie ?? '', reader.settings.cookieName);
	const session = sessionToken && sessionUser(reader, sessionToken);
	if (session) return { user: session, badBearer: false, sessionToken, key: sessionToken };
	return { badBearer: false, key: sessionToken };
}

/** Registers the endpoints with and without a trailing slash. */
export function registerRoutes(
	app: FastifyInstance,
	reader: Reader,
	limits: CallLimits,
	routes: readonly Route[],
): void {
	for (const route of routes) {
		for (const url of addresses(route.path)) {
			app.route({
				method: ['GET', 'POST'],
				url,
				handler: async (request, reply) => send(reply, await respond(reader, limits, route, request)),
			});
		}
	}
}

function addresses(path: string): string[] {
	if (/[/*]$/.test(path)) return [path];
	if (!path.endsWith('/:user_id/:username')) return [path, `${path}/`];
	const short = path.slice(0, -'/:username'.length);
	return [path, `${path}/`, short, `${short}/`];
}

interface Response {
	document: Document;
	headers: Record<string, string>;
}

async function respond(
	reader: Reader,
	limits: CallLimits,
	route: Route,
	request: FastifyRequest,
): Promise<Response> {
	const query = queryParameters(request);
	const form =
		request.method === 'POST' ? await formParameters(request) : new Parameters(new URLSearchParams());
	const identity = identify(reader, request.headers);
	const tooMany = limits.refuse({
		path: route.path,
		caller: callerOf(reader, identity, request),
		address: request.ip,
		feeds: form.list('feed_id').length,
	});
	if (tooMany) return { document: tooMany, headers: {} };

	const given = route.method === 'POST' || request.method === 'POST' ? form : query;
	const call = new Call({
		reader,
		user: identity.user ?? demoUser(reader),
		authenticated: identity.user !== undefined,
		parameters: given,
		path: request.params as Record<string, string>,
		method: request.method,
		sessionToken: identity.sessionToken,
	});
	const document = await handleCall(call, route, identity, request.method);
	// On real hosts, only requests for feeds or counts mark an account as active.
	if (call.authenticated && /^\/reader\/(feeds|refresh_feeds)/.test(route.path)) reader.see(call.user);
	return { document, headers: call.replyHeaders };
}

/** The key for counting requests. In 2026, requests with an access token count for the IP address. */
function callerOf(reader: Reader, identity: Identity, request: FastifyRequest): string {
	const key = reader.is2026 ? identity.sessionToken : identity.key;
	return key ?? request.ip;
}

async function handleCall(call: Call, route: Route, identity: Identity, method: string): Promise<Document> {
	if (!call.authenticated && route.access !== 'open') {
		const refused = rejectAnonymous(call.reader, route, identity);
		if (refused) return refused;
	}
	const isAllowed = route.method === 'BOTH' || route.method === method;
	if (!isAllowed) return wrongMethod(route.method);
	try {
		return toDocument(call, await route.handle(call));
	} catch (error) {
		return failure(call, error);
	}
}

/** Rejects requests without an account, like real hosts or according to the interface document. */
function rejectAnonymous(reader: Reader, route: Route, identity: Identity): Document | undefined {
	if (reader.differs('anonymous-403')) return Document.html('', 403);
	if (reader.isReal) return route.access === 'read' ? undefined : Document.html('', 403);
	const message = identity.badBearer
		? 'The access token is unknown or has expired. Refresh it, or authorize again.'
		: 'You are not logged in. Log in, or send an access token.';
	const headers = identity.badBearer ? { 'www-authenticate': 'Bearer error="invalid_token"' } : undefined;
	return new Document(
		'application/json',
		JSON.stringify({ code: -1, message, result: 'ok', authenticated: false }),
		{ status: 401, headers },
	);
}

function wrongMethod(method: string): Document {
	return Document.json({ message: `Invalid HTTP method. Use ${method}.`, code: -1 }, 405);
}

function missingParameter(error: MissingParameter): Document {
	return Document.json({ message: error.message, code: -1 }, 400);
}

function toDocument(call: Call, response: RouteResponse): Document {
	if (response instanceof Document) return response;
	if (response instanceof BareList) {
		return call.reader.isReal
			? Document.json(response.rows)
			: Document.json(envelope(call, { [response.key]: response.rows }));
	}
	return Document.json(envelope(call, response));
}

/** The members of every response: success and the user. */
function envelope(call: Call, response: object): object {
	const caller = call.authenticated ? { user_id: call.user.id } : {};
	const state = { result: 'ok', authenticated: call.authenticated };
	return { ...state, ...response, ...caller };
}

function failure(call: Call, error: unknown): Document {
	if (error instanceof MissingParameter) return missingParameter(error);
	if (error instanceof Fault) {
		if (call.reader.isReal) return errorPage(error);
		return Document.json(envelope(call, { code: -1, message: error.message }), error.status);
	}
	if (!(error instanceof Rejection)) throw error;
	const status = call.reader.isReal ? 200 : error.status;
	return Document.json(envelope(call, { code: -1, message: error.message, ...error.details }), status);
}

const homePage = () => notice('News reader', html`<p>The web client begins here.</p>`);

function errorPage(error: Fault): Document {
	const title = error.status === 404 ? 'Page not found' : 'Server error';
	return Document.html(notice(title, html`<p>The request ended here.</p>`), error.status);
}

/** Responds to unknown paths. On real hosts, all paths below `/reader` return the web client. */
export function sendNotFound(reader: Reader, request: FastifyRequest, reply: FastifyReply): FastifyReply {
	const path = (reader.origin + request.url).slice(reader.baseUrl.length);
	if (path.startsWith('/read') && reader.isReal) {
		return send(reply, { document: Document.html(homePage()), headers: {} });
	}
	const fault = new Fault('There is no such call.', 404);
	const document = reader.isReal
		? errorPage(fault)
		: Document.json({ code: -1, message: fault.message }, fault.status);
	return send(reply, { document, headers: {} });
}

function send(reply: FastifyReply, { document, headers }: Response): FastifyReply {
	return reply
		.code(document.status)
		.headers({ vary: 'Cookie', ...document.headers, ...headers })
		.type(document.type)
		.send(document.body);
}
