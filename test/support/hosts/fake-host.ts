/**
 * An HTTP server for tests. It listens on a free port of 127.0.0.1, sends the replies that a test defines, and records
 * requests.
 *
 *     // Replies to all requests itself. An object is sent as JSON.
 *     const host = await FakeHost.start(() => ({ body: { error: 0 } }));
 *
 *     // Passes requests on to a service, except those for which `respond` returns a reply.
 *     const host = await FakeHost.inFrontOf(sandbox.url);
 *     host.respond = ({ path }) => (path.endsWith('/api/login') ? { status: 503 } : undefined);
 *     host.respond = async (_, pass) => editBody(await pass(), (body) => body.replace('"a"', '"b"'));
 *     host.respond = ({ url }, pass) => pass(url.replace('limit=100', 'limit=3'));
 *
 *     // Broken replies
 *     host.respond = () => 'drop'; // closes the connection without a response
 *     host.respond = () => 'hang'; // keeps it open without a response
 *     host.respond = () => ({ body, cutAfter: 5 }); // closes it after 5 bytes of the body
 *     host.respond = () => ({ body, stallAfter: 5 }); // sends 5 bytes and then nothing
 *     host.respond = () => ({ dripMs: 20 }); // sends a space every 20 ms and never ends
 *     host.down(); // refuses connections until `await host.up()`
 *
 *     expect(host.requestsTo('/api/login')).toHaveLength(1);
 *     expect(await host.requestsDuring(() => run.poll())).toEqual(['GET /api/qr?page=1']);
 *     host.reset(); // clears the requests and restores the first responder
 */
import { once } from 'node:events';
import {
	createServer,
	request as sendRequest,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { undoneAfterwards } from '../afterwards';

export interface HostRequest {
	method: string;
	/** With the query. */
	url: string;
	/** Without the query. */
	path: string;
	/** Method and URL: `GET /api/account?page=1`. */
	line: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** A request and its reply; before the reply is sent, its status is 0 and its body is empty. */
export interface RecordedRequest extends HostRequest {
	reply: { status: number; body: string };
}

export interface Reply {
	/** Default: 200. */
	status?: number;
	headers?: Record<string, string | string[]>;
	/** Strings and buffers are sent unchanged, without a content type; any other value as JSON. */
	body?: unknown;
	/** Closes the connection after this many bytes of the body. */
	cutAfter?: number;
	/** Sends this many bytes of the body and then stops; the response does not end. */
	stallAfter?: number;
	/** Instead of the body, sends a space at this interval in milliseconds; the response does not end. */
	dripMs?: number;
}

/** `drop` closes the connection without a response, `hang` keeps it open without one. */
export type Behavior = Reply | 'drop' | 'hang';

/** Passes the request on to the service behind the host, by default with its own URL. */
export type PassOn = (url?: string) => Promise<Reply>;

/** Returns the reply to a request, or undefined to pass the request on. */
export type Responder = (
	request: HostRequest,
	passOn: PassOn,
) => Behavior | undefined | Promise<Behavior | undefined>;

export class FakeHost {
	readonly requests: RecordedRequest[] = [];
	respond: Responder;
	private readonly server = createServer((request, response) => void this.handle(request, response));
	private readonly firstResponder: Responder;
	private readonly target: string | undefined;
	private port = 0;
	/** Is called after the test or suite that started the host. */
	readonly stop = undoneAfterwards(async () => {
		const closed = new Promise((resolve) => this.server.close(resolve));
		this.server.closeAllConnections();
		await closed;
	});

	private constructor(respond: Responder, target?: string) {
		this.respond = respond;
		this.firstResponder = respond;
		this.target = target;
	}

	/** A host with no service behind it: a request without a reply gets status 502. */
	static async start(respond: Responder = () => undefined): Promise<FakeHost> {
		const host = new FakeHost(respond);
		await host.up();
		return host;
	}

	/** A host that passes requests on to the service at `target`. */
	static async inFrontOf(target: string): Promise<FakeHost> {
		const host = new FakeHost(() => undefined, target);
		await host.up();
		return host;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Refuses connections until it is `up` again. */
	down(): void {
		if (this.server.listening) this.server.close();
	}

	/** Accepts connections again, at the same address. */
	async up(): Promise<void> {
		if (this.server.listening) return;
		this.server.listen(this.port, '127.0.0.1');
		await once(this.server, 'listening');
		this.port = (this.server.address() as AddressInfo).port;
	}

	async changeAddress(): Promise<void> {
		this.down();
		this.server.closeAllConnections();
		this.port = 0;
		await this.up();
	}

	/** Clears the requests and restores the first responder. */
	reset(): void {
		this.requests.length = 0;
		this.respond = this.firstResponder;
	}

	/** The requests whose path ends with `path`. */
	requestsTo(path: string): RecordedRequest[] {
		return this.requests.filter((request) => request.path.endsWith(path));
	}

	/** Runs `work`. @returns method and URL of each request that it made */
	async requestsDuring(work: () => Promise<unknown>): Promise<string[]> {
		const start = this.requests.length;
		await work();
		return this.requests.slice(start).map(({ line }) => line);
	}

	private async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
		const bytes = await bytesOf(message);
		const { method = '', url = '', headers } = message;
		const path = url.split('?', 1)[0] ?? '';
		const request: HostRequest = {
			method,
			url,
			path,
			line: `${method} ${url}`,
			headers,
			body: String(bytes),
		};
		const recorded = { ...request, reply: { status: 0, body: '' } };
		this.requests.push(recorded);
		const passOn: PassOn = (newUrl = url) => this.passOn({ ...request, url: newUrl }, bytes);
		try {
			const reply = (await this.respond(request, passOn)) ?? (await passOn());
			if (reply === 'hang') return;
			if (reply === 'drop') return void response.destroy();
			const body = encodeBody(reply.body);
			recorded.reply = { status: reply.status ?? 200, body: String(body) };
			send(response, reply, body);
		} catch (error) {
			response.writeHead(599).end(`The fake host failed: ${String(error)}`);
		}
	}

	private async passOn({ method, url, headers }: HostRequest, body: Buffer): Promise<Reply> {
		const { target } = this;
		if (target === undefined) return { status: 502, body: 'No service is behind this host' };
		const forwarded = sendRequest(target + url, { method, headers, agent: false });
		forwarded.end(body);
		const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
		const { 'transfer-encoding': _, 'content-length': __, ...kept } = response.headers;
		const replyHeaders = kept as Record<string, string | string[]>;
		// Redirects must lead to this host, not past it to the service.
		if (kept.location) replyHeaders.location = kept.location.replace(target, this.baseUrl);
		return { status: response.statusCode, headers: replyHeaders, body: await bytesOf(response) };
	}
}

/** The text of the body that is sent. */
export const bodyText = ({ body }: Reply): string => String(encodeBody(body));

/** The reply with another body. */
export const editBody = (reply: Reply, edit: (body: string) => string): Reply => ({
	...reply,
	body: edit(bodyText(reply)),
});

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

const isJson = (body: unknown): boolean =>
	body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);

const encodeBody = (body: unknown): string | Buffer =>
	isJson(body) ? JSON.stringify(body) : ((body as string | Buffer | undefined) ?? '');

function send(response: ServerResponse, reply: Reply, body: string | Buffer): void {
	const { status = 200, headers, cutAfter, stallAfter, dripMs } = reply;
	// Node would send the real time, but the test may use a fake clock.
	response.sendDate = false;
	response.writeHead(status, {
		...(isJson(reply.body) && { 'content-type': 'application/json' }),
		...headers,
	});
	if (stallAfter !== undefined) {
		response.flushHeaders();
		response.write(body.slice(0, stallAfter));
	} else if (dripMs !== undefined) {
		const drip = setInterval(() => response.write(' '), dripMs);
		response.on('close', () => clearInterval(drip));
	} else if (cutAfter !== undefined) {
		response.write(body.slice(0, cutAfter), () => response.destroy());
	} else {
		response.end(body);
	}
}
