import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is answered in place of the service; `drop` closes the connection, `hang` keeps it open without an answer. */
export type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'drop' | 'hang';

/** Stands before a service: notes what it is asked, and can answer in its place. */
export class Gate {
	/** Method and path with query of every request, in order. */
	readonly asked: string[] = [];
	/** What to answer in place of the service; undefined passes the request on. */
	fault: (request: string) => Fault | undefined = () => undefined;
	/** What happens before a request is passed on. */
	before: (request: string) => Promise<unknown> = async () => undefined;
	/** The path and query that the service is asked in place of those that came. */
	rewrite: (url: string) => string = (url) => url;
	/** Changes what the service answered. */
	change: (request: string, body: string) => string = (_, body) => body;
	readonly #server = createServer((request, response) => void this.#pass(request, response));

	private constructor(private readonly target: string) {}

	static async before(target: string): Promise<Gate> {
		const gate = new Gate(target);
		gate.#server.listen(0, '127.0.0.1');
		await once(gate.#server, 'listening');
		return gate;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** Does something and tells what the service was asked meanwhile. */
	async during(work: () => Promise<unknown>): Promise<string[]> {
		const before = this.asked.length;
		await work();
		return this.asked.slice(before);
	}

	/** Everything passes again. */
	open(): void {
		this.fault = () => undefined;
		this.change = (_, body) => body;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const asked = `${request.method} ${request.url}`;
		this.asked.push(asked);
		await this.before(asked);
		// Time may stand still for the nodes: only the service knows it.
		response.sendDate = false;
		const fault = this.fault(asked);
		if (fault === 'hang') return;
		if (fault === 'drop') {
			response.destroy();
			return;
		}
		if (fault) {
			response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
			return;
		}
		const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
		const answer = await fetch(this.target + this.rewrite(request.url ?? ''), {
			method: request.method,
			headers: headers as Record<string, string>,
			redirect: 'manual',
			...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
		});
		const text = await answer.text();
		answer.headers.forEach((value, name) => {
			if (!['content-length', 'content-encoding', 'transfer-encoding', 'connection'].includes(name))
				response.setHeader(name, value);
		});
		response.writeHead(answer.status).end(this.change(asked, text));
	}
}
