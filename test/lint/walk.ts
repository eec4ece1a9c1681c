/** Computes when parameters of a node are shown, and whether several can be shown at the same time. */
import type {
	INodeProperties,
	NodeParameterValue,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

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

/** A parameter at the top, in a collection or in a group of a fixed collection. */
export interface Parameter {
	property: INodeProperties;
	/** Path for messages, such as `shortLink.create > additionalFields > domain`. */
	path: string;
	/** All parameters at the same level, which its `displayOptions` may name. */
	siblings: INodeProperties[];
	depth: number;
}

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** The choices of an `options` or `multiOptions` parameter. */
export function choicesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' || type === 'multiOptions' ? options.filter(isChoice) : [];
}

/** The fields of a `collection`. */
export function fieldsOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? options.filter(isParameter) : [];
}

/** The groups of a `fixedCollection`. */
export function groupsOf({ type, options = [] }: INodeProperties): INodePropertyCollection[] {
	return type === 'fixedCollection' ? options.filter(isGroup) : [];
}

/** Whether the display name is a sentence, to which the rules for names do not apply. */
export function isText({ type }: INodeProperties): boolean {
	return type === 'notice' || type === 'callout';
}

/** All parameters of a node type, outer ones first. */
export function parametersOf({ properties }: Pick<INodeTypeDescription, 'properties'>): Parameter[] {
	return properties.flatMap((property) => descend(property, placeOf(property), properties, 0));
}

function descend(
	property: INodeProperties,
	path: string,
	siblings: INodeProperties[],
	depth: number,
): Parameter[] {
	const inner = [fieldsOf(property), ...groupsOf(property).map(({ values }) => values)];
	return [
		{ property, path, siblings, depth },
		...inner.flatMap((beside) =>
			beside.flatMap((child) => descend(child, `${path} > ${child.name}`, beside, depth + 1)),
		),
	];
}

function placeOf({ name, displayOptions }: INodeProperties): string {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	const place = [resource.join('|'), operation.join('|')].filter(Boolean).join('.');
	return place ? `${place} > ${name}` : name;
}

function isChoice(entry: Entry): entry is INodePropertyOptions {
	return 'value' in entry;
}

function isGroup(entry: Entry): entry is INodePropertyCollection {
	return 'values' in entry;
}

function isParameter(entry: Entry): entry is INodeProperties {
	return 'type' in entry;
}
