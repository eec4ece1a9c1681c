import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';

export interface Received {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Reply {
	status?: number;
	headers?: Record<string, string>;
	/** An object is answered as JSON. */
	body?: unknown;
}

type Answerer = (received: Received, response: ServerResponse) => Reply | undefined;

const listen = async (server: Server | TcpServer): Promise<string> => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A host on this machine that answers as a test wants, and remembers what came. */
export class Host {
	readonly received: Received[] = [];
	private readonly server: Server;
	private address = '';

	private constructor(public answer: Answerer) {
		this.server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const { method = '', url: path = '', headers } = request;
				const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
				this.received.push(received);
				const reply = this.answer(received, response);
				if (!reply) return;
				const { status = 200, headers: more = {}, body = '' } = reply;
				response.writeHead(status, { 'content-type': 'application/json', ...more });
				response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
			});
		});
	}

	static async start(answer: Answerer): Promise<Host> {
		const host = new Host(answer);
		host.address = await listen(host.server);
		return host;
	}

	get baseUrl(): string {
		return this.address;
	}

	async stop(): Promise<void> {
		const closed = new Promise((resolve) => this.server.close(resolve));
		this.server.closeAllConnections();
		await closed;
	}
}

/** An address at which nothing listens. */
export async function deadAddress(): Promise<string> {
	const server = createTcpServer();
	const address = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	return address;
}
