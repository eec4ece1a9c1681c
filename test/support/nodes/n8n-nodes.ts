/**
 * Stand-ins for n8n's own nodes in the example workflows. They evaluate conditions and drop duplicates; all others
 * return their input items.
 */
import type { IDataObject, INodeProperties, INodeType } from 'n8n-workflow';
import type { WorkflowJson } from '../../../engine/index.ts';
import { n8n } from '../../../engine/core.ts';
import { standInNodes } from '../../../engine/nodes/index.ts';

const base = standInNodes['n8n-nodes-base.noOp']!;

/** A node type with these parameters, for any version. */
const nodeType = (
	{ description }: INodeType,
	properties: INodeProperties[],
	more: Partial<INodeType>,
	outputs: INodeType['description']['outputs'] = ['main'],
): INodeType => ({
	description: {
		...description,
		version: Array.from({ length: 60 }, (_, tenths) => tenths / 10),
		properties,
		outputs,
	},
	...more,
});

const parameter = (name: string, type: INodeProperties['type'] = 'string'): INodeProperties => ({
	displayName: name,
	name,
	type,
	default: '',
});

/** Remove Duplicates: drops items whose value an earlier execution of the same workflow and node had. */
function removeDuplicates(): INodeType {
	const seen = new Set<string>();
	const properties = ['operation', 'logic', 'dedupeValue', 'options'].map((name) => parameter(name));
	return nodeType(
		base,
		properties,
		{
			async execute() {
				const isNew = (_: unknown, item: number): boolean => {
					const value = `${this.getWorkflow().name} ${this.getNode().name} ${String(this.getNodeParameter('dedupeValue', item))}`;
					return !seen.has(value) && Boolean(seen.add(value));
				};
				return [this.getInputData().filter(isNew), []];
			},
		},
		['main', 'main'],
	);
}

const conditions: INodeProperties[] = [
	{ ...parameter('conditions', 'filter'), default: {} },
	parameter('options'),
	parameter('looseTypeValidation'),
];

/** If, and Filter with one output. */
const condition = (outputs: ['main'] | ['main', 'main']): INodeType =>
	nodeType(
		base,
		conditions,
		{
			async execute() {
				const items = this.getInputData();
				const matches = items.map((_, item) =>
					Boolean(this.getNodeParameter('conditions', item, false, { extractValue: true })),
				);
				const itemsThat = (match: boolean) => items.filter((_, item) => matches[item] === match);
				return outputs.length === 1 ? [itemsThat(true)] : [itemsThat(true), itemsThat(false)];
			},
		},
		outputs,
	);

/** A form page in which every option is selected. */
const form = (): INodeType =>
	nodeType(
		base,
		['defineForm', 'jsonOutput', 'options'].map((name) => parameter(name)),
		{
			async execute() {
				// n8n inserts the text like this, so that `$` in it can have a meaning; it trims what is selected.
				const text = '{}'.replace('{}', this.getNodeParameter('jsonOutput', 0) as string);
				const fields =
					n8n.jsonParse<Array<{ fieldLabel?: string; fieldOptions?: { values: Array<{ option: string }> } }>>(
						text,
					);
				const selected = fields.flatMap(({ fieldLabel, fieldOptions }) =>
					fieldLabel && fieldOptions
						? [[fieldLabel, fieldOptions.values.map(({ option }) => option.trim())]]
						: [],
				);
				return [[{ json: Object.fromEntries(selected) as IDataObject }]];
			},
		},
	);

/** The node types of n8n that the workflows use and the engine does not have. */
export function nodesOfN8n(workflows: WorkflowJson[]): Record<string, INodeType> {
	const types: Record<string, INodeType> = {
		'n8n-nodes-base.filter': condition(['main']),
		'n8n-nodes-base.form': form(),
		'n8n-nodes-base.if': condition(['main', 'main']),
		'n8n-nodes-base.removeDuplicates': removeDuplicates(),
	};
	const set = standInNodes['n8n-nodes-base.set']!;
	const included = ['include', 'includeFields'].map((name) => parameter(name));
	const properties = set.description.properties.filter(({ name }) => name !== 'options');
	types['n8n-nodes-base.set'] = nodeType(set, [...properties, ...included, parameter('options')], {
		execute: set.execute,
	});
	const schedule = standInNodes['n8n-nodes-base.scheduleTrigger']!;
	types['n8n-nodes-base.scheduleTrigger'] = nodeType(schedule, [parameter('rule')], {
		trigger: schedule.trigger,
	});
	for (const { type } of workflows.flatMap(({ nodes }) => nodes)) {
		if (types[type] ?? standInNodes[type] ?? type.startsWith('n8n-nodes-newslink.')) continue;
		const names = workflows
			.flatMap(({ nodes }) => nodes.filter((node) => node.type === type))
			.flatMap(({ parameters = {} }) => Object.keys(parameters));
		types[type] = nodeType(
			base,
			[...new Set(names)].map((name) => parameter(name)),
			{ execute: base.execute },
		);
	}
	return types;
}
