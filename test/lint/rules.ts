/**
 * Lint rules for node descriptions. n8n's own lint reads the source and sees only literals; these rules read
 * the finished description, which also contains the computed parameters.
 */
import type { INodeProperties, INodePropertyRegexValidation, INodeTypeDescription } from 'n8n-workflow';
import {
	canBeShownTogether,
	conditionsOf,
	listedValues,
	possibleValues,
	choicesOf,
	fieldsOf,
	groupsOf,
	isText,
	type Parameter,
	parametersOf,
} from './walk';
import { explained, helpful, hasSeveralSentences, sentenceCaseFault, titleCaseFault } from './words';

/** Maximum length of the description of a parameter, option or operation, because AI agents read all of them. */
const MAX_DESCRIPTION_LENGTH = 120;
/** Maximum size of a node's description as JSON. */
const MAX_JSON_BYTES = 160 * 1024;

type ParameterRule = (parameter: Parameter, description: INodeTypeDescription) => Array<string | undefined>;
type NodeRule = (description: INodeTypeDescription) => Array<string | undefined>;

const titles: ParameterRule = ({ property }) => {
	if (isText(property)) return [];
	const modes = property.modes?.map(({ displayName }) => displayName) ?? [];
	const groups = groupsOf(property).map(({ displayName }) => displayName);
	const choices = choicesOf(property).map(({ name }) => name);
	return [property.displayName, ...modes, ...groups, ...choices].map(titleCaseFault);
};

/** Options are sorted by name, as n8n's lint requires, except resources and the first operation: n8n's actions panel shows the most used first. */
const sorted: ParameterRule = ({ property }) => {
	if (property.name === 'resource') return [];
	const all = [
		...choicesOf(property).map(({ name }) => name),
		...fieldsOf(property).map(({ displayName }) => displayName),
		...groupsOf(property).map(({ displayName }) => displayName),
	];
	const names = property.name === 'operation' ? all.slice(1) : all;
	const isDeprecated = (name: string) => Number(/deprecated/i.test(name));
	const order = [...names].sort(
		(a, b) =>
			isDeprecated(a) - isDeprecated(b) || a.localeCompare(b, 'en', { sensitivity: 'base', numeric: true }),
	);
	const first = names.findIndex((name, index) => name !== order[index]);
	return [
		first < 0 ? undefined : `options are not sorted: "${names[first]}" where "${order[first]}" belongs`,
	];
};

const validFromTheStart: ParameterRule = ({ property: { type, default: value } }) => {
	if (type !== 'json') return [];
	try {
		JSON.parse(String(value));
		return [];
	} catch {
		return [`starts with ${JSON.stringify(value)}, which is no JSON`];
	}
};

const addresses: ParameterRule = ({ property: { modes = [] } }) =>
	modes
		.filter(({ name }) => name === 'url')
		.map((mode) => {
			const [rule] = mode.validation ?? [];
			const regex =
				typeof rule === 'object' ? (rule as INodePropertyRegexValidation).properties.regex : undefined;
			const accepts = (text: string) => regex !== undefined && new RegExp(`^${regex}$`).test(text);
			return accepts('https://a.example/b') && !accepts('spring') && !accepts('a.example/b')
				? undefined
				: 'takes what is no URL by URL';
		});

const ids: ParameterRule = ({ property }) => {
	const { name, displayName, type, typeOptions, modes = [] } = property;
	const faults: string[] = [];
	const isId = /(?:^id|Ids?)$/.test(name) || /(?:^| )IDs?$/.test(displayName);
	const isChosen = type === 'resourceLocator' || typeOptions?.loadOptionsMethod !== undefined;
	if (isId && !isChosen) faults.push('is an id but neither a resource locator nor a loaded list');
	if (type === 'resourceLocator') {
		// The list is the first mode, if the service can list the records.
		const list = modes.find((mode) => mode.type === 'list');
		if (list && list !== modes[0]) faults.push('the first mode of a resource locator is the list');
		if (list && !(list.typeOptions?.searchListMethod && list.typeOptions.searchable)) {
			faults.push('the list of a resource locator can be searched');
		}
		if (!modes.some((mode) => mode.name === 'id')) faults.push('a resource locator has a mode "id"');
	}
	return faults;
};

const booleans: ParameterRule = ({ property }) => [
	property.type === 'boolean' && !property.description?.startsWith('Whether ')
		? 'the description of a boolean starts with "Whether"'
		: undefined,
];

const placeholders: ParameterRule = ({ property }) => {
	const { type, placeholder, modes = [] } = property;
	const expected = type === 'collection' || type === 'fixedCollection' ? 'Add ' : 'e.g. ';
	const fault = (text: string | undefined, start: string) =>
		text === undefined || text.startsWith(start)
			? undefined
			: `the placeholder "${text}" should start "${start}"`;
	return [
		fault(placeholder, expected),
		...modes.map((mode) => fault(mode.placeholder, mode.type === 'list' ? 'Select ' : 'e.g. ')),
	];
};

const defaults: ParameterRule = ({ property }) => {
	const { type, default: value } = property;
	if (value === undefined) return ['has no default'];
	const kind = { boolean: 'boolean', number: 'number', string: 'string' }[type as string];
	if (kind && typeof value !== kind) return [`the default is not a ${kind}`];
	if (type === 'multiOptions' && !Array.isArray(value)) return ['the default is not a list'];
	if (
		(type === 'collection' || type === 'fixedCollection') &&
		(typeof value !== 'object' || value === null)
	) {
		return ['the default is not an object'];
	}
	const first = { mode: property.modes?.[0]?.name, value: '' };
	if (type === 'resourceLocator' && JSON.stringify(value) !== JSON.stringify(first)) {
		return ['the default of a resource locator is its first mode, empty'];
	}
	const possible = possibleValues(property);
	const known = type !== 'options' || !possible || possible.some((choice) => choice === value);
	return [known ? undefined : `the default ${JSON.stringify(value)} is not one of the options`];
};

/** Descriptions have the wording that n8n's lint requires, and its format. */
const descriptions: ParameterRule = ({ property }) => {
	const { name, displayName, description, typeOptions } = property;
	const faults = [description, ...choicesOf(property).map((choice) => choice.description)].map(
		descriptionFault,
	);
	if (!description && !isText(property)) faults.push('has no description');
	if (description !== undefined && description.toLowerCase() === displayName.toLowerCase()) {
		faults.push('the description only repeats the display name');
	}
	if (name === 'returnAll' && description !== 'Whether to return all results or only up to a given limit') {
		faults.push('"Return All" has a fixed description');
	}
	if (name === 'limit') {
		if (description !== 'Max number of results to return') faults.push('"Limit" has a fixed description');
		if (property.default !== 50 || typeOptions?.minValue !== 1) faults.push('"Limit" is 50 and at least 1');
	}
	return faults;
};

function descriptionFault(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	if (text !== text.trim() || text.includes('  ')) return `"${text}" has stray spaces`;
	if (/^\p{Ll}/u.test(text)) return `"${text}" should start with a capital letter`;
	if (hasSeveralSentences(text) !== /[.!?]$/.test(text)) {
		return `"${text}" should end ${hasSeveralSentences(text) ? 'with' : 'without'} a period`;
	}
	const length = text.replace(/<[^>]+>/g, '').length;
	return length > MAX_DESCRIPTION_LENGTH
		? `"${text}" is longer than ${MAX_DESCRIPTION_LENGTH} characters`
		: undefined;
}

const secrets: ParameterRule = ({ property: { name, type, typeOptions } }) => [
	type === 'string' && /password|secret|token|apikey/i.test(name) && typeOptions?.password !== true
		? 'holds a secret but is not a password field'
		: undefined,
];

const colors: ParameterRule = ({ property: { name, displayName, type } }) => [
	/colou?r/i.test(`${name} ${displayName}`) && type === 'string'
		? "is a color but has not n8n's color picker"
		: undefined,
];

const reachable: ParameterRule = ({ property, siblings }, { properties }) => {
	const all = [...siblings, ...properties];
	const faults = (['show', 'hide'] as const).flatMap((kind) =>
		conditionsOf(property, kind).flatMap(([name, condition]) => {
			const definitions = all.filter((other) => other.name === name && other !== property);
			if (definitions.length === 0) return [`depends on "${name}", which does not exist`];
			const possible = definitions.flatMap((other) => possibleValues(other) ?? [undefined]);
			if (possible.includes(undefined)) return [];
			return (listedValues(condition) ?? [])
				.filter((value) => !possible.includes(value))
				.map((value) => `depends on "${name}" being ${JSON.stringify(value)}, which it cannot be`);
		}),
	);
	if (faults.length === 0 && !canBeShownTogether([property], all)) faults.push('can never be shown');
	return faults;
};

/** Parameters with the same name at the same level have the same display name and type. */
const oneMeaning: NodeRule = (description) => {
	const faults: string[] = [];
	const meanings = new Map<string, { meaning: string; path: string }>();
	for (const { property, path, depth } of parametersOf(description)) {
		const key = `${Math.min(depth, 1)} ${property.name}`;
		const meaning = `"${property.displayName}" (${property.type})`;
		const known = meanings.get(key);
		if (!known) meanings.set(key, { meaning, path });
		else if (known.meaning !== meaning) {
			faults.push(`${path}: is ${meaning}, but ${known.path} is ${known.meaning}`);
		}
	}
	const { properties } = description;
	properties.forEach((property, index) => {
		const duplicate = properties
			.slice(index + 1)
			.find((other) => other.name === property.name && canBeShownTogether([property, other], properties));
		if (duplicate) faults.push(`${property.name}: two parameters of this name are shown at once`);
	});
	return faults;
};

/** Every collection has options. */
const filled: NodeRule = ({ properties }) =>
	properties
		.filter(({ type, options = [] }) => type === 'collection' && options.length === 0)
		.map(({ name, displayOptions }) => `${name} is empty: ${JSON.stringify(displayOptions)}`);

/** Every resource has operations, and every operation has an action and a description. */
const operations: NodeRule = ({ properties }) => {
	const selectors = properties.filter(isSelector);
	const ofTools = properties.filter(({ displayOptions }) => displayOptions?.show?.['@tool']);
	const faults = [...selectors, ...ofTools]
		.filter(({ noDataExpression }) => !noDataExpression)
		.map(({ name }) => `${name}: takes expressions (noDataExpression)`);
	const offered = properties.filter(({ name }) => name === 'operation');
	for (const { value } of properties.filter(({ name }) => name === 'resource').flatMap(choicesOf)) {
		const has = offered.some(({ displayOptions }) => displayOptions?.show?.resource?.includes(value));
		if (!has) faults.push(`resource "${value}" has no operations`);
	}
	const actions = new Set<string>();
	for (const { action, description, value } of offered.flatMap(choicesOf)) {
		const place = `operation "${action ?? value}"`;
		if (!action) faults.push(`${place} has no action`);
		if (!description) faults.push(`${place} has no description`);
		if (!action) continue;
		const fault = sentenceCaseFault(action);
		if (fault) faults.push(`${place}: ${fault}`);
		if (/[.!?]$/.test(action)) faults.push(`${place}: an action does not end with a period`);
		if (actions.has(action)) faults.push(`${place}: another operation has the same action`);
		actions.add(action);
	}
	return faults;
};

const house: NodeRule = (description) => {
	const { displayName, subtitle, codex, iconUrl, usableAsTool, group, inputs, defaults } = description;
	const isTrigger = group.includes('trigger');
	const documentation = codex?.resources?.primaryDocumentation ?? [];
	const icons = typeof iconUrl === 'object' ? iconUrl : undefined;
	const size = Buffer.byteLength(JSON.stringify(description));
	return [
		titleCaseFault(displayName),
		descriptionFault(description.description),
		defaults.name === displayName ? undefined : 'the default name is not the display name',
		subtitle || isTrigger ? undefined : 'has no subtitle',
		isTrigger === (inputs.length === 0) ? undefined : 'a trigger, and only a trigger, has no inputs',
		isTrigger === displayName.endsWith('Trigger') ? undefined : 'a trigger is called one',
		Boolean(usableAsTool) === !isTrigger ? undefined : 'a node, but not a trigger, is usable as a tool',
		codex?.categories?.length ? undefined : 'the codex names no category',
		documentation.length ? undefined : 'the codex names no documentation',
		icons && icons.light !== icons.dark ? undefined : 'has no light and dark icon',
		size <= MAX_JSON_BYTES ? undefined : `is ${size} bytes of JSON, more than ${MAX_JSON_BYTES}`,
	];
};

/** In each operation, no required parameter follows an optional one that is shown at the same time. */
const requiredFirst: NodeRule = ({ properties }) =>
	properties.flatMap((required, index) => {
		if (!required.required) return [];
		const choosesIt = new Set(conditionsOf(required, 'show').map(([name]) => name));
		const before = properties
			.slice(0, index)
			.filter(
				(other) =>
					!other.required && !isText(other) && other.name !== 'pollTimes' && !choosesIt.has(other.name),
			)
			.find((other) => !isSelector(other) && canBeShownTogether([other, required], properties));
		return before ? [`${required.name}: is required but comes after the optional "${before.name}"`] : [];
	});

/** The shared parameters after an operation's own, in this order. Parameters that depend on Simplify follow it. */
const endOfForm = ['ifExists', 'returnAll', 'limit', 'simplify'];

/** In every form, the order is: record ids, the operation's own parameters, list parameters, collections, tool parameters. */
const sameOrder: NodeRule = ({ properties }) => {
	const dependsOn = (property: INodeProperties) =>
		conditionsOf(property, 'show')
			.map(([name]) => name)
			.filter((name) => !['resource', 'operation', 'event'].includes(name));
	const placeOf = (property: INodeProperties): number => {
		if (property.type === 'collection' || property.displayOptions?.show?.['@tool']) return 9;
		if (dependsOn(property).includes('simplify')) return 8;
		if (endOfForm.includes(property.name)) return 2 + endOfForm.indexOf(property.name);
		const isRecord = property.type === 'resourceLocator' && property.required;
		return isRecord && dependsOn(property).length === 0 ? 0 : 1;
	};
	const own = properties.filter(
		(property) => !isSelector(property) && !isPolling(property) && !isText(property),
	);
	return own.flatMap((property, index) => {
		const before = own
			.slice(0, index)
			.find(
				(other) => placeOf(other) > placeOf(property) && canBeShownTogether([other, property], properties),
			);
		return before ? [`${property.name}: is after "${before.name}"`] : [];
	});
};

/** Dependent parameters directly follow the parameter that they depend on. */
const dependentsFollow: NodeRule = ({ properties }) => {
	const chosenBy = (property: INodeProperties) =>
		conditionsOf(property, 'show')
			.map(([name]) => name)
			.filter((name) => !['resource', 'operation', 'event'].includes(name));
	return properties.flatMap((property, index) => {
		const choosers = chosenBy(property);
		const isChooser = ({ name }: INodeProperties) => choosers.includes(name);
		const unrelated = properties.slice(0, index).find(
			(other, index) =>
				![other.name, ...chosenBy(other)].some((name) => choosers.includes(name)) &&
				properties
					.slice(0, index)
					.filter(isChooser)
					.some((chooser) => canBeShownTogether([chooser, other, property], properties)),
		);
		return unrelated
			? [`${property.name}: is after "${unrelated.name}", but depends on "${choosers.join()}"`]
			: [];
	});
};

/** Two parameters have the same order in all forms that have both. */
const consistentOrder: NodeRule = ({ properties }) => {
	const orders = new Map<string, string>();
	return properties.flatMap((later, index) =>
		properties.slice(0, index).flatMap((earlier) => {
			if (earlier.name === later.name || isSelector(earlier) || isText(earlier)) return [];
			if (!canBeShownTogether([earlier, later], properties)) return [];
			orders.set(`${earlier.name} ${later.name}`, later.name);
			return orders.has(`${later.name} ${earlier.name}`)
				? [`${earlier.name}: is before "${later.name}", but after it in other forms`]
				: [];
		}),
	);
};

/** Whether a parameter is one that every trigger has after the settings of its events. */
const isPolling = ({ name }: INodeProperties): boolean =>
	['pollTimes', 'firstPoll', 'firstCount'].includes(name);

/** Whether n8n's editor shows a parameter first: account, resource and operation. */
function isSelector({ name }: INodeProperties): boolean {
	return ['authentication', 'resource', 'operation', 'event'].includes(name);
}

export const parameterRules: Record<string, ParameterRule> = {
	titles,
	sorted,
	ids,
	booleans,
	placeholders,
	defaults,
	validFromTheStart,
	addresses,
	descriptions,
	helpful,
	secrets,
	colors,
	reachable,
};

export const nodeRules: Record<string, NodeRule> = {
	requiredFirst,
	sameOrder,
	alike: consistentOrder,
	together: dependentsFollow,
	explained,
	oneMeaning,
	operations,
	filled,
	house,
};

/**
 * Returns all faults in a node type's description, one line each: `rule: path: fault`.
 *
 * @param description as n8n serves it to the editor: after loading, with codex and icon addresses
 */
export function lintDescription(description: INodeTypeDescription): string[] {
	const parameters = parametersOf(description);
	return [
		...Object.entries(parameterRules).flatMap(([rule, check]) =>
			parameters.flatMap((parameter) =>
				check(parameter, description)
					.filter((fault) => fault !== undefined)
					.map((fault) => `${rule}: ${parameter.path}: ${fault}`),
			),
		),
		...Object.entries(nodeRules).flatMap(([rule, check]) =>
			check(description)
				.filter((fault) => fault !== undefined)
				.map((fault) => `${rule}: ${fault}`),
		),
	];
}
