import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { createEngine, type Engine } from '../../engine/index.ts';
import { lintDescription } from './rules';
import { parametersOf } from './walk';

const root = resolve(__dirname, '../..');
const { n8n: registered } = jest.requireActual<{ n8n: { nodes: string[]; credentials: string[] } }>(
	join(root, 'package.json'),
);

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine({ packageDirs: [root] });
});

it('loads every node and credential that package.json registers', () => {
	const nameOf = (file: string) => file.replace(/^.*\/|\..*$/g, '').toLowerCase();
	const named = (name: string) => name.replace(/^.*\./, '').toLowerCase();
	expect(engine.nodeNames.map(named).sort()).toEqual(registered.nodes.map(nameOf).sort());
	expect(engine.credentialTypes.map(({ name }) => named(name)).sort()).toEqual(
		registered.credentials.map(nameOf).sort(),
	);
});

/** Removes the properties that n8n adds to every polling trigger. */
const withoutPolling = (description: INodeTypeDescription): INodeTypeDescription => ({
	...description,
	properties: description.properties.filter(({ name }) => name !== 'pollTimes'),
});

it('finds no fault in any node', () => {
	expect(engine.nodeNames).not.toEqual([]);
	const faults = engine.nodeNames.map((name) => [
		name,
		lintDescription(withoutPolling(engine.nodeType(name).description)),
	]);
	expect(Object.fromEntries(faults)).toEqual(Object.fromEntries(engine.nodeNames.map((name) => [name, []])));
});

it('requires a credential for every node', () => {
	for (const name of engine.nodeNames) {
		const { credentials = [] } = engine.nodeType(name).description;
		expect([name, credentials.map(({ required }) => required)]).toEqual([name, credentials.map(() => true)]);
		expect(credentials).not.toEqual([]);
	}
});

it('finds the files, methods and credentials that the nodes name', () => {
	for (const name of engine.nodeNames) {
		const { description, methods } = engine.nodeType(name);
		const icons = Object.values(description.iconUrl ?? {}) as string[];
		for (const icon of icons) {
			expect([icon, existsSync(join(root, icon.replace(/^icons\/[^/]+\//, '')))]).toEqual([icon, true]);
		}
		const credentials = new Set(engine.credentialTypes.map((type) => type.name));
		expect(description.credentials?.filter((credential) => !credentials.has(credential.name)) ?? []).toEqual(
			[],
		);

		for (const { property, path } of parametersOf(description)) {
			const search = property.modes?.find(({ type }) => type === 'list')?.typeOptions?.searchListMethod;
			if (search)
				expect([path, Object.keys(methods?.listSearch ?? {})]).toEqual([
					path,
					expect.arrayContaining([search]),
				]);
			const load = property.typeOptions?.loadOptionsMethod;
			if (load)
				expect([path, Object.keys(methods?.loadOptions ?? {})]).toEqual([
					path,
					expect.arrayContaining([load]),
				]);
		}
	}
});
