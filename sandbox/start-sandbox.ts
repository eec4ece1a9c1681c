import { builtInFeedsService } from './feeds/builtin/index.ts';
import { linkService } from './links/index.ts';
import { readerService } from './reader/index.ts';
import type { SandboxOptions } from './shared/options.ts';
import type { Service } from './shared/service.ts';
import { startServer, type RunningServer } from './shared/start-server.ts';

/** The services of the sandbox. Routes, --help and the overview page are generated from this list. */
export const services: readonly Service[] = [linkService, readerService, builtInFeedsService];

/** A running sandbox; its URLs have no trailing slash. */
export interface Sandbox extends RunningServer {
	linksUrl: string;
	readerUrl: string;
}

/** Starts both services on one server. @throws DataFileError, or an error with code `EADDRINUSE` if the port is in use */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
	const server = await startServer(services, options);
	return {
		...server,
		linksUrl: server.url + linkService.prefix,
		readerUrl: server.url + readerService.prefix,
	};
}
