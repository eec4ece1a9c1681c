import type { Packed, Reference } from '../nodes/description.ts';

/** What is shorter, as JSON, costs less where it stands than in a place of its own. */
const WORTH_SHARING = 40;

/**
 * A description without its repetitions. Much in it stands in several places: what can be set when something is created
 * and when it is changed, the ways to choose a record; and much is alike but for when it is shown.
 */
export function packed(description: object): Packed {
	const repeated = repeatedIn(description);
	const shared: object[] = [];
	const references = new Map<string, Reference>();
	const withoutRepetitions = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return value;
		const text = JSON.stringify(value);
		const known = references.get(text);
		if (known) return known;
		if ('displayOptions' in value && !repeated.has(text)) {
			const { displayOptions, ...rest } = value;
			return {
				...(withoutRepetitions(rest) as object),
				displayOptions: withoutRepetitions(displayOptions),
			};
		}
		const rest = Array.isArray(value)
			? value.map(withoutRepetitions)
			: Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutRepetitions(member)]));
		if (!repeated.has(text)) return rest;
		const reference = { shared: shared.length };
		references.set(text, reference);
		shared.push(rest);
		return reference;
	};
	return { shared, description: withoutRepetitions(description) as object };
}

/** The lists and objects, as JSON, that stand in several places; not those that do so only inside of such a one. */
function repeatedIn(description: object): Set<string> {
	const seen = new Set<string>();
	const repeated = new Set<string>();
	const visit = (value: unknown): void => {
		if (typeof value !== 'object' || value === null) return;
		const text = JSON.stringify(value);
		if (text.length < WORTH_SHARING) return;
		if (seen.has(text)) return void repeated.add(text);
		seen.add(text);
		if (!('displayOptions' in value)) return Object.values(value).forEach(visit);
		const { displayOptions, ...rest } = value;
		[rest, displayOptions].forEach(visit);
	};
	visit(description);
	return repeated;
}
