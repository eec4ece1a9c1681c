import type { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Html } from './html.ts';
import type { SandboxOptions, Variant } from './options.ts';

/** One way in which hosts differ from the contract. */
export interface Difference {
	/** Name for `--wild NAME`. */
	name: string;
	description: string;
	/** Only one difference of a group can be on. A variant takes its newest one, and among equals the first. */
	group?: string;
	/** The first variant that has it. Default: `wild`. */
	since?: Exclude<Variant, 'contract'>;
	/** The last variant that has it. Default: the newest. */
	until?: Exclude<Variant, 'contract'>;
	/** Part of no variant: seen only on other hosts. Switched on by name. */
	elsewhere?: true;
}

/** Everything that a service gets from the server. */
export interface ServiceContext {
	db: DatabaseSync;
	clock: Clock;
	options: SandboxOptions;
	/** Address of the whole sandbox, without trailing slash: `http://127.0.0.1:8787`. */
	origin: string;
	/** Address of the service, without trailing slash: `http://127.0.0.1:8787/links`. */
	baseUrl: string;
	/** Names of the service's differences that are switched on. */
	differences: ReadonlySet<string>;
}

/** A running service. */
export interface RunningService {
	/** Its section of the overview page. */
	overview(): Html;
	/** The path below its prefix that serves a request to another host name than the sandbox's, if that is one of its own. */
	pathForHost?(host: string, path: string): string | undefined;
}

/** A service of the sandbox: a row in `sandbox/services.ts`. Its tables carry its name as prefix. */
export interface Service {
	name: string;
	title: string;
	/** Path under which its routes are registered, with leading and without trailing slash. */
	prefix: string;
	differences: readonly Difference[];
	/** Lines for --help: its accounts and other facts for people. */
	help: readonly string[];
	/** Creates its tables and default accounts where missing and registers its routes on `app`, which already has the prefix.
	 * Timers and the like are ended in an `onClose` hook. */
	start(app: FastifyInstance, context: ServiceContext): Promise<RunningService> | RunningService;
}
