import { type Clock, isSince, type SandboxOptions } from '../shared/options.ts';
import type { Store } from './link-store.ts';
import { timestamp } from './fields.ts';
import type { Difference } from '../shared/service.ts';

/** The state and options that all parts of the link service share. */
export class LinkContext {
	readonly store: Store;
	readonly clock: Clock;
	/** Base URL of the service, without trailing slash. */
	readonly baseUrl: string;
	/** Whether the service behaves like real hosts, and not like the interface document. */
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

	/** The name of a campaign or channel as the service stores it: real hosts store it In Title Case. */
	storedName(name: string): string {
		const trimmed = name.trim();
		if (!this.isReal) return trimmed;
		return trimmed.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
	}

	/** The current time in the format of records. */
	now(): string {
		return timestamp(this.clock.now());
	}
}

/** Differences of single link service hosts from their variant. */
export const linkDifferences = [
	{ name: 'number-error', description: '`error` is a number everywhere' },
	{
		name: 'string-listed-ids',
		description: 'ids are decimal strings in the entries of lists, numbers elsewhere',
	},
	{
		name: 'string-listed-counts',
		description: 'counts are decimal strings in the entries of lists; page numbers are numbers',
	},
	{
		name: 'link-details',
		description: 'a single link also has `location`, `device`, `expiry`, `cta` and `overlay`',
	},
	{ name: 'reset-seconds-left', description: '`X-RateLimit-Reset` is the number of seconds left' },
	{
		name: 'image-link',
		description:
			'the link of a QR code is its image, scanners open another address, and there is no `/download`',
	},
	{ name: 'token-scheme', description: 'the API key is sent as `Authorization: Token …`, not as `Bearer`' },
] as const satisfies readonly Difference[];

export type LinkDifference = (typeof linkDifferences)[number]['name'];
