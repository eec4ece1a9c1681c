/**
 * The variants of both services, oldest first; each extends the previous one. `contract`: the interface documents.
 * `wild`: real hosts, and the reader's public code of July 2024. `2026`: the reader's public code of autumn 2026.
 */
export const variants = ['contract', 'wild', '2026'] as const;
export type Variant = (typeof variants)[number];
export const newestVariant: Variant = variants.at(-1)!;

/** Whether a variant is this one or a later one. */
export const isSince = (variant: Variant, first: Variant): boolean =>
	variants.indexOf(variant) >= variants.indexOf(first);

export type Plan = 'free' | 'premium' | 'archive';

/** At most `count` requests per `seconds` (which may be a fraction) and account. */
export interface RateLimit {
	count: number;
	seconds: number;
}

/** The options of a sandbox; `defaultOptions` has the defaults. */
export interface SandboxOptions {
	/** 0 selects a free port. */
	port: number;
	/** Path of the SQLite file; without a file, the data is only in memory. */
	data?: string;
	variant: Variant;
	/** Names of differences to switch on in addition to the variant's. */
	wild: readonly string[];
	/** `null` for no limit. */
	rateLimit: RateLimit | null;
	/** Plan of the news reader's accounts. */
	plan: Plan;
	/** Whether to allow private addresses other than the sandbox for feeds and logos. */
	allowPrivate: boolean;
	clock: Clock;
}

/** Returns the current time in epoch milliseconds; tests replace it. */
export interface Clock {
	now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
