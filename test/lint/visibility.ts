/** Computes when parameters of a node are shown, and whether several can be shown at the same time. */
import type { INodeProperties, NodeParameterValue } from 'n8n-workflow';
import { choicesOf } from './walk';

/** Allowed values by parameter name; parameters without an entry may have any value. */
type Constraints = Map<string, NodeParameterValue[]>;

/** The values that a condition of `displayOptions` lists; undefined if it uses an operator (`_cnd`). */
export function listedValues(condition: unknown): NodeParameterValue[] | undefined {
	if (!Array.isArray(condition)) return undefined;
	return condition.some((value) => typeof value === 'object' && value !== null)
		? undefined
		: (condition as NodeParameterValue[]);
}

/** All values of a parameter with options; undefined for other parameters. */
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
	return shown.every((property) => restrict(constraints, property)) && isSolvable(constraints, ofNode, all);
}

/** Finds, for one constrained parameter after another, a definition that allows one of the values. */
function isSolvable(constraints: Constraints, resolved: Set<string>, all: INodeProperties[]): boolean {
	const unresolved = [...constraints.keys()].find((name) => !resolved.has(name));
	if (unresolved === undefined) return true;
	return all
		.filter(({ name }) => name === unresolved)
		.some((definition) => {
			const next: Constraints = new Map(constraints);
			const possible = possibleValues(definition);
			if (possible && !allow(next, unresolved, possible)) return false;
			return restrict(next, definition) && isSolvable(next, new Set([...resolved, unresolved]), all);
		});
}

/** Adds the conditions under which a property is shown. @returns false if they contradict the constraints */
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
