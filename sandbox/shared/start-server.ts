import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import { systemClock, type SandboxOptions } from './options.ts';
import { openDatabase } from './database.ts';
import { html, type Html, page, sendPage } from './html.ts';
import type { RunningService, Service } from './service.ts';

/** A running server; its URL has no trailing slash. */
export interface RunningServer {
	url: string;
	close(): Promise<void>;
}

const host = '127.0.0.1';
/** How long pending requests may delay the shutdown. */
const graceMilliseconds = 1000;

export const defaultOptions: SandboxOptions = {
	port: 8787,
	variant: 'contract',
	wild: [],
	rateLimit: { count: 30, seconds: 60 },
	plan: 'premium',
	allowPrivate: false,
	clock: systemClock,
};

/** Starts services on one server with one database. @throws DataFileError, or an error with code `EADDRINUSE` if the port is in use */
export async function startServer(
	services: readonly Service[],
	given: Partial<SandboxOptions>,
): Promise<RunningServer> {
	const options = { ...defaultOptions, ...given };
	const names = services.flatMap(({ differences }) => differences.map(({ name }) => name));
	const unknown = options.wild.find((name) => !names.includes(name));
	if (unknown !== undefined) throw new Error(`No difference is called ${unknown}.`);
	const db = openDatabase(options.data);
	const running: RunningService[] = [];
	const { app, server } = createApp();
	// The Date header uses the same clock as times in responses, such as the reset of a rate limit.
	app.addHook('onRequest', async (_request, reply) => {
		reply.header('date', new Date(options.clock.now()).toUTCString());
	});
	leadToOverview(app, services);
	const close = async () => {
		await stopListening(server);
		await app.close();
		db.close();
	};
	try {
		const origin = `http://${host}:${await listen(server, options.port)}`;
		for (const service of services) {
			await app.register(
				async (scope) => {
					const baseUrl = origin + service.prefix;
					running.push(await service.start(scope, { db, clock: options.clock, options, origin, baseUrl }));
				},
				{ prefix: service.prefix },
			);
		}
		app.get('/', (_request, reply) => sendPage(reply, overviewPage(running)));
		await app.ready();
		return { url: origin, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** The page at `/`: the services' accounts. */
function overviewPage(services: readonly RunningService[]): Html {
	return page(
		'Sandbox',
		html`<h1>Sandbox</h1>
			<p class="quiet">
				Both services run on this machine. Of the short links and QR codes, the newest ten are listed.
			</p>

			${services.map((service) => service.overview())}`,
	);
}

/** Creates the server before Fastify, so that it listens before the services start: they need their URL. */
function createApp(): { app: FastifyInstance; server: Server } {
	const server = createServer();
	const app = fastify({
		serverFactory: (handler) => server.on('request', handler),
		frameworkErrors: rejectInvalidUrl,
		logger: { level: 'error', stream: process.stderr },
	});
	return { app, server };
}

/** Redirects browsers from a service's base URL to the overview; other clients get the service's response. */
function leadToOverview(app: FastifyInstance, services: readonly Service[]): void {
	const bases = services
		.filter(({ prefix }) => prefix !== '')
		.flatMap(({ prefix }) => [prefix, `${prefix}/`]);
	app.addHook('onRequest', async (request, reply) => {
		const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html');
		if (isPerson && bases.includes(request.url)) return reply.redirect('/');
		return undefined;
	});
}

/** Responds to an invalid URL, such as one with an invalid percent-encoding. */
function rejectInvalidUrl(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
	reply.status(error.statusCode ?? 400).send({ error: 1, message: error.message });
}

/** Stops accepting requests, and waits a limited time for pending ones. */
async function stopListening(server: Server): Promise<void> {
	if (!server.listening) return;
	// Node closes only connections that are idle now, not those that become idle later.
	const sweep = setInterval(() => server.closeIdleConnections(), 10);
	const impatience = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
	await new Promise((resolve) => server.close(resolve));
	clearInterval(sweep);
	clearTimeout(impatience);
}

async function listen(server: Server, port: number): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			server.off('error', reject);
			resolve();
		});
	});
	return (server.address() as AddressInfo).port;
}
