import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identify, type Identity } from './identity.ts';
import { demoUser } from '../accounts/users.ts';
import { notice } from '../../shared/page.ts';
import { html } from '../../shared/html.ts';
import type { Reader } from '../reader.ts';
import { BareList, Document, Fault, MissingParameter, Refusal, type Answer } from './answer.ts';
import { formParameters, queryParameters } from './bodies.ts';
import type { CallLimits } from './limits.ts';
import { Parameters } from './parameters.ts';
import { Call, type Route } from './route.ts';

/** Registers the endpoints, each with and without a slash at the end. */
export function registerRoutes(
	app: FastifyInstance,
	reader: Reader,
	limits: CallLimits,
	routes: readonly Route[],
): void {
	for (const route of routes) {
		for (const url of addresses(reader, route.path)) {
			app.route({
				method: ['GET', 'POST'],
				url,
				handler: async (request, reply) => send(reply, await respond(reader, limits, route, request)),
			});
		}
	}
}

function addresses(reader: Reader, path: string): string[] {
	if (/[/*]$/.test(path)) return [path];
	if (!path.endsWith('/:user_id/:username')) return [path, `${path}/`];
	const short = path.slice(0, -'/:username'.length);
	const strict = reader.differs('slash-after-id') && !path.includes('statistics');
	return strict ? [path, `${short}/`] : [path, `${path}/`, short, `${short}/`];
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
	const identity = identify(reader, request.headers, [query, form], route.access);
	const tooMany = limits.refuse(route.path, identity.key ?? request.ip, request.ip);
	if (tooMany) return { document: tooMany, headers: {} };

	const reads = route.method === 'POST' || request.method === 'POST' ? form : query;
	const call = new Call({
		reader,
		user: identity.user ?? demoUser(reader),
		authenticated: identity.user !== undefined,
		parameters: reads,
		path: request.params as Record<string, string>,
		address: request.url.split('?', 1)[0] ?? '',
		sessionToken: identity.sessionToken,
	});
	const document = await answerCall(call, route, identity, request.method);
	return { document, headers: call.replyHeaders };
}

async function answerCall(call: Call, route: Route, identity: Identity, method: string): Promise<Document> {
	const missing = route.required?.names.find((name) => !call.parameters.has(name));
	if (missing && route.required?.beforeLogin) return missingParameter(new MissingParameter(missing));
	if (!call.authenticated && route.access !== 'open') {
		const refused = refuseAnonymous(call.reader, route, identity);
		if (refused) return refused;
	}
	const allowed = route.method === 'BOTH' || route.method === method;
	if (!allowed && route.strictMethod && call.reader.differs('any-method')) return Document.html('', 405);
	if (!allowed && !call.reader.differs('any-method')) return wrongMethod(route.method);
	if (missing) return missingParameter(new MissingParameter(missing));
	try {
		return toDocument(call, await route.answer(call));
	} catch (error) {
		return failure(call, error);
	}
}

/** The wild's table of anonymous answers; the contract says that every call needs an account. */
function refuseAnonymous(reader: Reader, route: Route, identity: Identity): Document | undefined {
	if (reader.differs('anonymous-demo') && route.access === 'read') return undefined;
	if (reader.differs('anonymous-demo') || reader.differs('anonymous-403')) return Document.html('', 403);
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

function toDocument(call: Call, answer: Answer): Document {
	if (answer instanceof Document) return answer;
	if (answer instanceof BareList) {
		return call.reader.differs('bare-arrays')
			? Document.json(answer.rows)
			: Document.json(envelope(call, { [answer.key]: answer.rows }));
	}
	return Document.json(envelope(call, answer));
}

/** What every record carries besides its own fields: whether it went well, and for whom. */
function envelope(call: Call, answer: object): object {
	const caller = call.authenticated ? { user_id: call.user.id } : {};
	const state = { result: 'ok', authenticated: call.authenticated };
	return call.reader.differs('envelope-wins')
		? { ...state, ...answer, ...caller }
		: { ...state, ...caller, ...answer };
}

function failure(call: Call, error: unknown): Document {
	if (error instanceof MissingParameter) return missingParameter(error);
	if (error instanceof Fault) {
		if (call.reader.differs('html-errors')) return errorPage(error);
		return Document.json(envelope(call, { code: -1, message: error.message }), error.status);
	}
	if (!(error instanceof Refusal)) throw error;
	const status = call.reader.differs('refusals-200') ? 200 : error.status;
	return Document.json(envelope(call, { code: -1, message: error.message, ...error.details }), status);
}

function errorPage(error: Fault): Document {
	const title = error.status === 404 ? 'Page not found' : 'Server error';
	return Document.html(notice(title, html`<p>The request ended here.</p>`), error.status);
}

/** An address that no call has. */
export function sendNotFound(reader: Reader, reply: FastifyReply): FastifyReply {
	const fault = new Fault('There is no such call.', 404);
	const document = reader.differs('html-errors')
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
