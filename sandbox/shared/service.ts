import type { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Html } from './html.ts';
import type { SandboxOptions, Variant } from './options.ts';

/** A difference of some hosts from the contract. */
export interface Difference {
	/** Name for `--wild NAME`. */
	name: string;
	description: string;
	/** Only one difference of a group can be enabled. A variant uses its newest one, or the first of several. */
	group?: string;
	/** The first variant with this difference. Default: `wild`. */
	since?: Exclude<Variant, 'contract'>;
	/** The last variant with this difference. Default: the newest. */
	until?: Exclude<Variant, 'contract'>;
	/** Whether the difference is part of no variant, because it was seen only on other hosts. */
	elsewhere?: true;
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
	/** Names of the enabled differences of the service. */
	differences: ReadonlySet<string>;
}

/** A running service. */
export interface RunningService {
	/** Its section of the overview page. */
	overview(): Html;
	/** The path below the prefix that serves a request to a host name of the service, such as a branded domain. */
	pathForHost?(host: string, path: string): string | undefined;
}

/** A service in `sandbox/services.ts`. The names of its tables begin with its name. */
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
