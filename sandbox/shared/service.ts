import type { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import type { Clock, SandboxOptions } from './options.ts';
import type { Html } from './html.ts';

/** A difference of single hosts from their variant. */
export interface Difference {
	/** Name for `--wild NAME`. */
	name: string;
	description: string;
}

/** What the server provides to a service. */
interface ServiceContext {
	db: DatabaseSync;
	clock: Clock;
	options: SandboxOptions;
	/** URL of the sandbox, without trailing slash: `http://127.0.0.1:8787`. */
	origin: string;
	/** URL of the service, without trailing slash: `http://127.0.0.1:8787/links`. */
	baseUrl: string;
}

/** A running service. */
export interface RunningService {
	/** Its section of the overview page. */
	overview(): Html;
}

/** A service in `sandbox/start-sandbox.ts`. The names of its tables begin with its name. */
export interface Service {
	name: string;
	title: string;
	/** Prefix of the routes, with leading and without trailing slash. */
	prefix: string;
	differences: readonly Difference[];
	/** Lines for --help, such as the accounts. */
	help: readonly string[];
	/** Creates its tables and default accounts where missing and registers its routes on `app`, which already has the prefix.
	 * Timers and the like are ended in an `onClose` hook. */
	start(app: FastifyInstance, context: ServiceContext): Promise<RunningService> | RunningService;
}
