import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site on this machine, for as long as `run` takes. */
export async function withSite(answer: RequestListener, run: (url: string) => Promise<void>): Promise<void> {
	const server = createServer(answer);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	try {
		await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
	}
}
