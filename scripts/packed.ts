import type { Packed, Reference } from '../nodes/description.ts';

/** What otherwise equal entries may have of their own. */
const OF_ITS_OWN = new Set<string>(['default', 'displayOptions', 'options'] satisfies Array<keyof Reference>);

/** What says in a packed description that something stands elsewhere: no description has such members itself. */
const NAMES: string[] = ['ref', 'shown'];

/** What is shorter, as JSON, costs less where it stands than in a place of its own. */
const WORTH_SHARING = 40;

/**
 * A description without its repetitions. Much in it stands in several places: what can be set when something is created
 * and when it is changed, the ways to choose a record; and much is alike but for when it is shown, or what it offers.
 */
export function packed(description: object): Packed {
	const repeated = repeatedIn(description);
	const shared: object[] = [];
	const references = new Map<string, Reference>();
	const withoutRepetitions = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return value;
		const text = JSON.stringify(value);
		if (NAMES.some((name) => name in value)) throw new Error(`It would be read as something else: ${text}`);
		const known = references.get(text);
		if (known) return known;
		const { own, rest } = parted(value);
		if (own.length > 0 && !repeated.has(text)) {
			return { ...(withoutRepetitions(rest) as object), ...mapped(own, withoutRepetitions) };
		}
		const written = Array.isArray(value)
			? value.map(withoutRepetitions)
			: mapped(Object.entries(value), withoutRepetitions);
		if (!repeated.has(text)) return written;
		const reference = { ref: shared.length };
		references.set(text, reference);
		shared.push(written);
		return reference;
	};
	const whole = { description: withoutRepetitions(description), shared };
	return shortened(whole) as Packed;
}

/** What an object may have of its own, and the rest, which others may have, too. */
function parted(value: object): { own: Array<[string, unknown]>; rest: object } {
	const isOwn = ([key]: [string, unknown]): boolean => !Array.isArray(value) && OF_ITS_OWN.has(key);
	const entries = Object.entries(value) as Array<[string, unknown]>;
	const own = entries.filter(isOwn);
	return { own, rest: Object.fromEntries(entries.filter((entry) => !isOwn(entry))) };
}

const mapped = (entries: Array<[string, unknown]>, change: (value: unknown) => unknown): object =>
	Object.fromEntries(entries.map(([key, member]) => [key, change(member)]));

/** Most that is shown only sometimes says nothing else of it: then `shown` stands for `displayOptions` and its `show`. */
function shortened(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(shortened);
	const members = Object.entries(value).map(([key, member]) => {
		const isShort = key === 'displayOptions' && Object.keys(member as object).join() === 'show';
		return isShort ? ['shown', shortened((member as { show: unknown }).show)] : [key, shortened(member)];
	});
	return Object.fromEntries(members);
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
		const { own, rest } = parted(value);
		if (own.length === 0) return Object.values(value).forEach(visit);
		[rest, ...own.map(([, member]) => member)].forEach(visit);
	};
	visit(description);
	return repeated;
}
