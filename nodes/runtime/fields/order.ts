import type { INodeProperties } from 'n8n-workflow';

/** What chooses the form: conditions on these say nothing about its order. */
const CHOOSING = new Set(['resource', 'operation', 'event']);

/** What stands after the parameters of an operation's own, in this order. */
const LAST = ['ifExists', 'returnAll', 'limit', 'simplify'];

/** The parameters of the form on which it hangs whether another is shown. */
const choosersOf = ({ displayOptions }: Pick<INodeProperties, 'displayOptions'>): string[] =>
	Object.keys(displayOptions?.show ?? {}).filter((key) => !CHOOSING.has(key));

/**
 * The place of a parameter in its form: first the records that it is about, then what else is required, what is not,
 * how a list is cut, how its records come out, and the collections.
 */
function placeOf({ name, type, required, displayOptions }: INodeProperties): number {
	const conditions = choosersOf({ displayOptions });
	if (type === 'collection') return LAST.length + 4;
	if (conditions.includes('simplify')) return LAST.length + 3;
	if (LAST.includes(name)) return 3 + LAST.indexOf(name);
	if (!required) return 2;
	return type === 'resourceLocator' && conditions.length === 0 ? 0 : 1;
}

/** The parameters of forms in the order in which they stand in every one of them; what hangs on another right behind it. */
export function inFormOrder(properties: INodeProperties[]): INodeProperties[] {
	const ordered: INodeProperties[] = [];
	for (const property of [...properties].sort((a, b) => placeOf(a) - placeOf(b))) {
		const choosers = choosersOf(property);
		const last = ordered.findLastIndex((other) =>
			[other.name, ...choosersOf(other)].some((name) => choosers.includes(name)),
		);
		ordered.splice(last < 0 ? ordered.length : last + 1, 0, property);
	}
	return ordered;
}
