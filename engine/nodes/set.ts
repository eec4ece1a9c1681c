import type { FieldType, IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { n8n } from '../core.ts';

interface Assignment {
	name: string;
	type: FieldType;
	value: unknown;
}

/** Edit Fields (Set) 3.4: both modes, with or without the input's fields; plain field names only. */
export const set: INodeType = {
	description: {
		displayName: 'Edit Fields (Set)',
		name: 'set',
		group: ['input'],
		version: [3.4],
		description: 'Modify, add, or remove item fields',
		defaults: { name: 'Edit Fields' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{
				displayName: 'Mode',
				name: 'mode',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Manual Mapping', value: 'manual' },
					{ name: 'JSON', value: 'raw' },
				],
				default: 'manual',
			},
			{
				displayName: 'JSON',
				name: 'jsonOutput',
				type: 'json',
				default: '{}',
				displayOptions: { show: { mode: ['raw'] } },
			},
			{
				displayName: 'Fields to Set',
				name: 'assignments',
				type: 'assignmentCollection',
				default: {},
				displayOptions: { show: { mode: ['manual'] } },
			},
			{
				displayName: 'Include Other Input Fields',
				name: 'includeOtherFields',
				type: 'boolean',
				default: false,
			},
			{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
		],
	},
	async execute() {
		return [this.getInputData().map((item, index) => edit.call(this, item, index))];
	},
};

function edit(this: IExecuteFunctions, item: INodeExecutionData, index: number): INodeExecutionData {
	const base = this.getNodeParameter('includeOtherFields', index) === true ? item : { json: {} };
	const isJson = this.getNodeParameter('mode', index) === 'raw';
	const fields = isJson ? fromJson.call(this, index) : assigned.call(this, index);
	return { ...base, json: { ...base.json, ...fields }, pairedItem: { item: index } };
}

function fromJson(this: IExecuteFunctions, index: number): IDataObject {
	const value = this.getNodeParameter('jsonOutput', index) as string | IDataObject;
	return typeof value === 'string' ? n8n.jsonParse<IDataObject>(value) : value;
}

function assigned(this: IExecuteFunctions, index: number): IDataObject {
	const assignments = this.getNodeParameter('assignments.assignments', index, []) as Assignment[];
	return Object.fromEntries(
		assignments.map((assignment) => [assignment.name, convert.call(this, assignment, index)]),
	);
}

/** Converts a value to its type as n8n does; undefined becomes `null`. @throws if it is invalid */
function convert(
	this: IExecuteFunctions,
	{ name, type, value }: Assignment,
	index: number,
): IDataObject[string] {
	if (/[.[\]]/.test(name)) {
		throw new n8n.NodeOperationError(this.getNode(), `The stand-in sets no nested field such as "${name}"`, {
			itemIndex: index,
		});
	}
	if (value === undefined || value === null) return null;
	if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
	const result = n8n.validateFieldType(name, value, type);
	if (!result.valid)
		throw new n8n.NodeOperationError(this.getNode(), result.errorMessage, { itemIndex: index });
	return result.newValue as IDataObject[string];
}
