/** A host between the node and a service: writes down what comes, and answers by itself what a test wants. */
import { createServer, request as forward, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
	method: string;
	/** Without the query. */
	path: string;
	/** Path and query as they came. */
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
	/** Of the answer. */
	status: number;
	answer: string;
}

export interface Reply {
	status: number;
	headers?: Record<string, string | string[]>;
	body?: string | Buffer;
	/** Closes the connection after so many bytes of the body. */
	cutAfter?: number;
	/** Sends this many bytes of the body and no more, without an end. */
	stallAfter?: number;
	/** Sends the body byte by byte, for ever, with this many milliseconds between them. */
	dripMs?: number;
}

export type Asked = Omit<Seen, 'status' | 'answer'>;

/** What to answer instead of the service, or to close the connection; undefined passes the request on, as `pass` does. */
export type Intercept = (
	asked: Asked,
	pass: () => Promise<Reply>,
) => Answered | undefined | Promise<Answered | undefined>;
type Answered = Reply | 'reset';

export class Proxy {
	readonly seen: Seen[] = [];
	intercept: Intercept = () => undefined;

	private constructor(
		private readonly server: Server,
		/** Address of this host, which stands for the service's. */
		readonly origin: string,
	) {}

	/** Starts one that passes requests on to the host at `target`; without it, everything must be intercepted. */
	static async start(target?: string): Promise<Proxy> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const proxy = new Proxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		server.on('request', (request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const body = Buffer.concat(chunks);
				const { method = 'GET', url = '/', headers } = request;
				const asked = { method, url, path: url.split('?', 1)[0] ?? '', headers, body: body.toString() };
				void proxy.answer(asked, body, target).then((answered) => {
					if (answered === 'reset') return void response.destroy();
					const { status, headers: told, body: answer = '', cutAfter, stallAfter, dripMs } = answered;
					proxy.seen.push({ ...asked, status, answer: answer.toString() });
					response.writeHead(status, told);
					if (stallAfter !== undefined) {
						response.flushHeaders();
						return void response.write(answer.slice(0, stallAfter));
					}
					if (dripMs !== undefined) {
						const drops = setInterval(() => response.write(' '), dripMs);
						return void response.on('close', () => clearInterval(drops));
					}
					if (cutAfter === undefined) return void response.end(answer);
					response.write(answer.slice(0, cutAfter), () => response.destroy());
				});
			});
		});
		return proxy;
	}

	async stop(): Promise<void> {
		const closed = new Promise((resolve) => this.server.close(resolve));
		this.server.closeAllConnections();
		await closed;
	}

	/** Refuses connections, at the same address, until it is `up` again. */
	down(): void {
		if (this.server.listening) this.server.close();
	}

	async up(): Promise<void> {
		if (this.server.listening) return;
		const port = Number(new URL(this.origin).port);
		await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
	}

	/** Forgets what came so far and answers nothing by itself. */
	reset(): void {
		this.seen.length = 0;
		this.intercept = () => undefined;
	}

	/** What came to an address, by the end of its path. */
	to(path: string): Seen[] {
		return this.seen.filter((asked) => asked.path.endsWith(path));
	}

	private async answer(asked: Asked, body: Buffer, target: string | undefined): Promise<Answered> {
		const pass = async (): Promise<Reply> =>
			target === undefined
				? { status: 502, body: 'Nobody is behind this host.' }
				: await this.forwarded(target, asked, body);
		return (await this.intercept(asked, pass)) ?? (await pass());
	}

	private forwarded(target: string, asked: Asked, body: Buffer): Promise<Reply> {
		return new Promise((resolve, reject) => {
			const onward = forward(
				target + asked.url,
				{ method: asked.method, headers: asked.headers, agent: false },
				(response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk: Buffer) => chunks.push(chunk));
					response.on('end', () => {
						const { 'transfer-encoding': _, ...headers } = response.headers;
						const told = headers as Record<string, string | string[]>;
						// Where the service leads to itself, that is this host.
						if (headers.location) told.location = headers.location.replace(target, this.origin);
						resolve({ status: response.statusCode ?? 502, headers: told, body: Buffer.concat(chunks) });
					});
				},
			);
			onward.on('error', reject);
			onward.end(body);
		});
	}
}
