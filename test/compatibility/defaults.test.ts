/** n8n saves no parameter that has its default: in workflows of version 0.1 those mean what they meant then. */
import type { INodeProperties } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { startEngine } from '../support/node';
import { shownIn } from '../support/parameters';
import saved from './0.1/defaults.json';

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
});

/** The parameters that version 1 of a node has in the form of an event, or of an operation. */
function formOf(node: string, form: string): INodeProperties[] {
	const [first = '', operation] = form.split('.');
	const chosen = operation ? { resource: first, operation } : { event: first };
	const { properties } = engine.nodeType(`n8n-nodes-newslink.${node}`).description;
	return properties.filter(shownIn({ version: 1, ...chosen }));
}

const forms = Object.entries(saved).flatMap(([node, ofNode]) =>
	Object.entries(ofNode).map(
		([form, defaults]) => [node, form, defaults as Record<string, unknown>] as const,
	),
);

it.each(forms)('%s, %s has every default that it had', (node, form, defaults) => {
	const now = formOf(node, form);
	const found = Object.keys(defaults).map((name) => {
		const values = now
			.filter((property) => property.name === name)
			// A required one that was blank was refused: no workflow can rely on that.
			.map((property) => (defaults[name] === '' && property.required ? '' : property.default));
		return [name, [...new Set(values)]];
	});
	expect(Object.fromEntries(found)).toEqual(
		Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, [value]])),
	);
});
