import type { Variant } from './options.ts';
import type { Difference } from './service.ts';

/**
 * The names that hold for a variant plus names given one by one, less those of `without`; a name given takes the place
 * of its group's first.
 */
export function switchedOn(
	differences: readonly Difference[],
	variant: Variant,
	names: readonly string[],
	without: readonly string[],
): ReadonlySet<string> {
	const named = differences.filter((difference) => names.includes(difference.name));
	const taken = new Set(named.map((difference) => difference.group).filter((group) => group !== undefined));
	const on = new Set(named.map((difference) => difference.name));
	if (variant === 'contract') return on;
	for (const { name, group, elsewhere } of differences) {
		if (elsewhere || without.includes(name)) continue;
		if (group !== undefined && taken.has(group)) continue;
		if (group !== undefined) taken.add(group);
		on.add(name);
	}
	return on;
}
