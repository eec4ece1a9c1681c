import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

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
