import type { Clock } from '../shared/clock.ts';
import type { LinkDifference } from './link-differences.ts';
import type { Store } from './link-store.ts';
import { timestamp } from './timestamps.ts';

/** The state and options that all parts of the link service share. */
export class LinkContext {
	readonly store: Store;
	readonly clock: Clock;
	/** Base URL of the service, without trailing slash. */
	readonly baseUrl: string;
	readonly allowPrivate: boolean;
	readonly #differences: ReadonlySet<string>;

	constructor(given: {
		store: Store;
		clock: Clock;
		baseUrl: string;
		allowPrivate: boolean;
		differences: ReadonlySet<string>;
	}) {
		this.store = given.store;
		this.clock = given.clock;
		this.baseUrl = given.baseUrl;
		this.allowPrivate = given.allowPrivate;
		this.#differences = given.differences;
	}

	/** Whether a difference of real hosts is enabled. */
	differs(name: LinkDifference): boolean {
		return this.#differences.has(name);
	}

	/** The current time in the format of records. */
	now(): string {
		return timestamp(this.clock.now());
	}
}
