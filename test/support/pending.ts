import type { SandboxOptions } from '../../sandbox/shared/options.ts';
import type { ReaderDifference } from '../../sandbox/reader/reader-differences.ts';

/**
 * Differences of the variant wild that the nodes do not cope with yet. They are off where nodes run against the
 * variant; who mends a node takes its name from here.
 */
const pending: readonly ReaderDifference[] = [];

/** Options of a sandbox that nodes run against. */
export function forNodes(options: Partial<SandboxOptions>): Partial<SandboxOptions> {
	return options.variant === 'wild' ? { without: pending, ...options } : options;
}
