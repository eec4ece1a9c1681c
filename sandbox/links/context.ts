import type { Clock } from '../shared/clock.ts';
import { isSince, type SandboxOptions } from '../shared/options.ts';
import type { LinkDifference } from './link-differences.ts';
import type { Store } from './link-store.ts';
import { timestamp } from './timestamps.ts';

/** The state and options that all parts of the link service share. */
export class LinkContext {
	readonly store: Store;
	readonly clock: Clock;
	/** Base URL of the service, without trailing slash. */
	readonly baseUrl: string;
	/** Whether the service behaves like hosts in use, and not like the interface document. */
	readonly isReal: boolean;
	readonly #wild: readonly string[];

	constructor(store: Store, baseUrl: string, { clock, variant, wild }: SandboxOptions) {
		this.store = store;
		this.clock = clock;
		this.baseUrl = baseUrl;
		this.isReal = isSince(variant, 'wild');
		this.#wild = wild;
	}

	/** Whether a difference of single hosts is switched on. */
	differs(name: LinkDifference): boolean {
		return this.#wild.includes(name);
	}

	/** The current time in the format of records. */
	now(): string {
		return timestamp(this.clock.now());
	}
}
