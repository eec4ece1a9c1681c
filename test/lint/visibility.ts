/** When parameters of a node are shown, and whether several can be shown at once. */
import type { INodeProperties, NodeParameterValue } from 'n8n-workflow';
import { choicesOf } from './walk';

/** For each parameter name the values it may have; a name that is absent may have any. */
type Constraints = Map<string, NodeParameterValue[]>;

/** The plain values a condition of `displayOptions` lists; undefined where it is more than a list (`_cnd`). */
export function listedValues(condition: unknown): NodeParameterValue[] | undefined {
	if (!Array.isArray(condition)) return undefined;
	return condition.some((value) => typeof value === 'object' && value !== null)
		? undefined
		: (condition as NodeParameterValue[]);
}

/** Every value a parameter can have, where that is a short list. */
export function possibleValues(property: INodeProperties): NodeParameterValue[] | undefined {
	if (property.type === 'boolean') return [true, false];
	if (property.type !== 'options' || property.typeOptions?.loadOptionsMethod) return undefined;
	return choicesOf(property).map(({ value }) => value);
}

/** Conditions on other parameters, without those on the node itself such as `@tool`. */
export function conditionsOf(property: INodeProperties, kind: 'show' | 'hide'): Array<[string, unknown]> {
	return Object.entries(property.displayOptions?.[kind] ?? {})
		.filter(([key]) => !key.startsWith('@'))
		.map(([key, condition]) => [key.replace(/^\//, ''), condition]);
}

/**
 * Whether all of `shown` can be visible at the same time: some assignment of values to the parameters they depend
 * on, where each of those is itself visible.
 *
 * @param all every parameter that conditions may name, more than one of a name included
 */
export function canBeShownTogether(shown: INodeProperties[], all: INodeProperties[]): boolean {
	const constraints: Constraints = new Map();
	const ofNode = new Set(['@tool']);
	return shown.every((property) => restrict(constraints, property)) && solvable(constraints, ofNode, all);
}

/** Gives every constrained parameter, one after another, a definition under which it can have such a value. */
function solvable(constraints: Constraints, settled: Set<string>, all: INodeProperties[]): boolean {
	const open = [...constraints.keys()].find((name) => !settled.has(name));
	if (open === undefined) return true;
	return all
		.filter(({ name }) => name === open)
		.some((definition) => {
			const next: Constraints = new Map(constraints);
			const possible = possibleValues(definition);
			if (possible && !allow(next, open, possible)) return false;
			return restrict(next, definition) && solvable(next, new Set([...settled, open]), all);
		});
}

/** Adds the conditions under which a property is shown; false when they contradict the ones already there. */
function restrict(constraints: Constraints, property: INodeProperties): boolean {
	const conditions = Object.entries(property.displayOptions?.show ?? {});
	return conditions.every(([path, condition]) => {
		const name = path.replace(/^\//, '');
		const values = listedValues(condition);
		return values === undefined || allow(constraints, name, values);
	});
}

function allow(constraints: Constraints, name: string, values: NodeParameterValue[]): boolean {
	const common = (constraints.get(name) ?? values).filter((value) => values.includes(value));
	constraints.set(name, common);
	return common.length > 0;
}
