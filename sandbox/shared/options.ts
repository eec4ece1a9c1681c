import type { Clock } from './clock.ts';

export type Variant = 'contract' | 'wild';
export type Plan = 'free' | 'premium' | 'archive';

/** At most `count` requests per `seconds` (which may be a fraction) and account. */
export interface RateLimit {
	count: number;
	seconds: number;
}

/** What a sandbox can be started with; `defaultOptions` has the values of what is left out. */
export interface SandboxOptions {
	/** 0 takes a free port. */
	port: number;
	/** Path of the SQLite file; without one everything is kept in memory and gone at the end. */
	data?: string;
	variant: Variant;
	/** Names of single differences seen in the wild to switch on besides those of the variant. */
	wild: readonly string[];
	/** Names of single differences that the variant is to do without. */
	without: readonly string[];
	/** `null` for no limit. */
	rateLimit: RateLimit | null;
	/** Plan of the news reader's accounts. */
	plan: Plan;
	/** Whether feeds and logos may be fetched from private addresses other than the sandbox's own. */
	allowPrivate: boolean;
	clock: Clock;
}
