import { isSince, type Variant } from './options.ts';
import type { Difference } from './service.ts';

/**
 * The names of the enabled differences: those of the variant, plus `names`, minus `without`.
 * A name in `names` replaces the variant's difference of the same group.
 */
export function switchedOn(
	differences: readonly Difference[],
	variant: Variant,
	names: readonly string[],
	without: readonly string[],
): ReadonlySet<string> {
	const on = new Set<string>();
	const taken = new Set<string>();
	const switchOn = ({ name, group }: Difference) => {
		if (group !== undefined && taken.has(group)) return;
		if (group !== undefined) taken.add(group);
		on.add(name);
	};
	differences.filter(({ name }) => names.includes(name)).forEach(switchOn);
	const ofVariant = differences.filter((each) => belongsTo(each, variant) && !without.includes(each.name));
	newestFirst(ofVariant).forEach(switchOn);
	return on;
}

const firstOf = ({ since = 'wild' }: Difference): Variant => since;

function belongsTo(difference: Difference, variant: Variant): boolean {
	const { elsewhere = false, until = variant } = difference;
	return !elsewhere && isSince(variant, firstOf(difference)) && isSince(until, variant);
}

function newestFirst(differences: readonly Difference[]): Difference[] {
	return differences.toSorted(
		(a, b) => Number(isSince(firstOf(b), firstOf(a))) - Number(isSince(firstOf(a), firstOf(b))),
	);
}
