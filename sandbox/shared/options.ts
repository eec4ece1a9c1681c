import type { Clock } from './clock.ts';

/**
 * The variants of both services, oldest first; each builds on the one before. `contract`: the interface documents.
 * `wild`: hosts in use, and the reader's public code of July 2024. `2026`: the reader's public code of autumn 2026.
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
	/** 0 takes a free port. */
	port: number;
	/** Path of the SQLite file; without one everything is kept in memory and gone at the end. */
	data?: string;
	variant: Variant;
	/** Names of single differences to switch on in addition to the variant's. */
	wild: readonly string[];
	/** Names of the variant's differences to leave off. */
	without: readonly string[];
	/** `null` for no limit. */
	rateLimit: RateLimit | null;
	/** Plan of the news reader's accounts. */
	plan: Plan;
	/** Whether feeds and logos may be fetched from private addresses other than the sandbox's own. */
	allowPrivate: boolean;
	clock: Clock;
}
