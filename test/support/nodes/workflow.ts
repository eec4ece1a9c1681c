/** Workflows for tests: three input items, one operation, and a node that reads the paired input item of each result. */
import { randomUUID } from 'node:crypto';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { isShown, operationParameters } from '../../../engine/form.ts';
import type { NodeJson, WorkflowJson } from '../../../engine/index.ts';
import type { Fixtures, Values } from '../../../cases/fixture.ts';
import type { Operation } from '../../../nodes/runtime/table/operation.ts';

/** One operation of a node. */
export interface Case {
	/** `linkManager` or `newsReader`. */
	node: string;
	resource: string;
	operation: string;
	row: Operation;
}

type NamedWorkflow = WorkflowJson & { name: string };

/** A workflow of nodes in a row, in the format of the editor. */
export function linearWorkflow(name: string, nodes: NodeJson[], pinned: object[] = []): NamedWorkflow {
	return {
		name,
		nodes: nodes.map((node, n) => ({
			id: randomUUID(),
			typeVersion: 1,
			position: [n * 220, 0],
			parameters: {},
			...node,
		})),
		connections: Object.fromEntries(
			nodes
				.slice(1)
				.map(({ name }, n) => [
					nodes[n]!.name,
					{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
				]),
		),
		...(pinned.length > 0 && {
			pinData: { [nodes[0]!.name]: pinned.map((json) => ({ json })) as never },
		}),
	};
}

/** The manual trigger; it returns its pinned data, if it has any. */
export const items: NodeJson = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };

/** Copies the key of the paired input item into each item. */
export const after: NodeJson = {
	name: 'After',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [{ id: '1', name: 'from', type: 'string', value: "={{ $('Items').item.json.key }}" }],
		},
		includeOtherFields: true,
		options: {},
	},
};

export const keys = ['item 0', 'item 1', 'item 2'];

/** A workflow that runs an operation for three items. Values that differ between the items are expressions. */
export async function workflowFor(
	{ node, resource, operation }: Case,
	description: INodeTypeDescription,
	{ makers, values }: Fixtures,
	credentials: NodeJson['credentials'],
): Promise<NamedWorkflow> {
	const operationValues = values[`${resource}.${operation}`] ?? {};
	const given: Values = typeof operationValues === 'function' ? await operationValues() : operationValues;
	const needed = operationParameters(description, { resource, operation }).filter(
		({ name, required }) => required || name in given,
	);
	// Options decide which other parameters are shown, so they must be equal for all items.
	const options: Values = Object.fromEntries(
		needed
			.filter(({ type }) => type === 'options')
			.map((property) => [property.name, given[property.name] ?? property.default]),
	);
	const parameters: Record<string, unknown> = { resource, operation, ...options };
	const forms: Values[] = [{}, {}, {}];
	for (const property of needed.filter((other) => isShown(other, options))) {
		const { name } = property;
		if (name in parameters) continue;
		const value = given[name] ?? (await makers[name]?.()) ?? samplesOf(property);
		if (!Array.isArray(value)) {
			parameters[name] = value;
			continue;
		}
		forms.forEach((form, n) => Object.assign(form, { [name]: value[n] as unknown }));
		parameters[name] = fromItem(property);
	}
	const name = `${node} ${resource}.${operation}`;
	const type = `n8n-nodes-newslink.${node}`;
	const typeVersion = [description.version].flat().at(-1)!;
	return linearWorkflow(
		name,
		[items, { name: 'Node', type, typeVersion, parameters, credentials }, after],
		keys.map((key, n) => ({ key, form: forms[n] })),
	);
}

function fromItem({ name, type }: INodeProperties): unknown {
	const value = `={{ $json.form.${name} }}`;
	return type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
}

/** Three texts made from the placeholder of a parameter. */
function samplesOf({ name, type, displayName, placeholder = displayName }: INodeProperties): string[] {
	if (type !== 'string') throw new Error(`The fixtures have no value for ${name}`);
	const example = placeholder.replace(/^e\.g\. /, '');
	return [1, 2, 3].map((n) => (n === 1 ? example : `${example}${n}`));
}
