/**
 * Tests that saved workflows keep their meaning: parameter names, the values of options, and defaults, which workflows
 * do not store. If this fails, see `frozen.ts`.
 */
import type { INodeProperties } from 'n8n-workflow';
import { isShown } from '../../engine/form.ts';
import { choicesOf, fieldsOf, groupsOf } from '../lint/walk';
import { readFrozen, writeFrozen, isFreezing, newEntryMessage } from './frozen';
import { engine } from '../support/nodes/suite-engine';

const FILE = 'parameters.json';
const nodes = ['linkManager', 'linkManagerTrigger', 'newsReader', 'newsReaderTrigger'];

/** By the path of a parameter: its defaults (several if it is declared more than once), and its options. */
type Form = Record<string, { default: unknown[]; choices?: unknown[] }>;
/** By node, then by operation or event. */
type Forms = Record<string, Record<string, Form>>;

beforeAll(async () => {
	if (isFreezing) writeFrozen(FILE, Object.fromEntries(nodes.map((node) => [node, formsOf(node)])), 3);
});

const unique = (values: unknown[]): unknown[] =>
	[...new Set(values.map((value) => JSON.stringify(value)))]
		.sort()
		.map((text) => JSON.parse(text) as unknown);

type Choice = Record<string, unknown>;

/** The parameters that are shown for an operation or event, with their paths, including nested ones. */
const walk = (properties: INodeProperties[], choice: Choice, prefix = ''): Array<[string, INodeProperties]> =>
	properties
		.filter((property) => isShown(property, choice))
		.flatMap((property) => {
			const path = `${prefix}${property.name}`;
			return [
				[path, property],
				...walk(fieldsOf(property), choice, `${path}.`),
				...groupsOf(property).flatMap(({ name, values }) => walk(values, choice, `${path}.${name}.`)),
			];
		});

function formOf(properties: INodeProperties[], choice: Choice): Form {
	const form: Form = {};
	for (const [path, property] of walk(properties, choice)) {
		const choices = choicesOf(property)
			.filter((option) => isShown(option, choice))
			.map(({ value }) => value);
		const previous = form[path] ?? { default: [] };
		form[path] = {
			default: unique([...previous.default, property.default]),
			...(choices.length > 0 && { choices: unique([...(previous.choices ?? []), ...choices]) }),
		};
	}
	return form;
}

function formsOf(node: string): Forms[string] {
	const { properties } = engine.nodeType(`n8n-nodes-newslink.${node}`).description;
	const valuesOf = (name: string, choice: Choice = {}): string[] =>
		properties
			.filter((property) => property.name === name && isShown(property, choice))
			.flatMap((property) => choicesOf(property).map(({ value }) => String(value)));
	const chosen = [
		...valuesOf('event').map((event) => ({ event })),
		...valuesOf('resource').flatMap((resource) =>
			valuesOf('operation', { resource }).map((operation) => ({ resource, operation })),
		),
	];
	return Object.fromEntries(
		chosen.map((choice) => [
			Object.values(choice).join('.'),
			formOf(
				properties.filter(({ name }) => !(name in choice)),
				choice,
			),
		]),
	);
}

/** All parameters, each with the name of its operation or event. */
const flatten = (forms: Forms[string]): Form =>
	Object.fromEntries(
		Object.entries(forms).flatMap(([name, form]) =>
			Object.entries(form).map(([path, parameter]) => [`${name}: ${path}`, parameter]),
		),
	);

it.each(nodes)('%s has the version that workflows save', (node) => {
	expect(engine.nodeType(`n8n-nodes-newslink.${node}`).description.version).toBe(1);
});

it.each(nodes)('%s', (node) => {
	const [actual, saved] = [formsOf(node), readFrozen<Forms>(FILE)[node]!];
	const [found, expected] = [flatten(actual), flatten(saved)];
	// A new option is no change for what is saved.
	for (const [path, { choices }] of Object.entries(expected)) {
		const parameter = found[path];
		if (parameter?.choices) parameter.choices = parameter.choices.filter((value) => choices?.includes(value));
	}
	expect(found).toMatchObject(expected);
	const added = Object.keys(actual).filter((name) => !(name in saved));
	expect(added.map(newEntryMessage)).toEqual([]);
});
