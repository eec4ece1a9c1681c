/**
 * Stand-ins for the core nodes of the example workflows, with n8n's type names.
 *
 * The real nodes are in n8n-nodes-base: 82 MB and about eighty dependencies for seven small nodes. Each stand-in does
 * the same as the real node for the parameters that it declares, and refuses all others, so that a workflow that runs
 * here does the same in n8n.
 */
import type { ICredentialType, IDataObject, INodeType } from 'n8n-workflow';
import { oAuth2Api } from './oauth2-api.ts';
import { set } from './set.ts';
import { manualTrigger, scheduleTrigger } from './triggers.ts';
import { n8n } from '../core.ts';

/** Sticky Note: text on the canvas, connected to nothing. */
const stickyNote: INodeType = {
	description: {
		displayName: 'Sticky Note',
		name: 'stickyNote',
		group: ['input'],
		version: 1,
		description: 'Make your workflow easier to understand',
		defaults: { name: 'Sticky Note' },
		inputs: [],
		outputs: [],
		properties: [
			{ displayName: 'Content', name: 'content', type: 'string', default: '' },
			{ displayName: 'Height', name: 'height', type: 'number', default: 160 },
			{ displayName: 'Width', name: 'width', type: 'number', default: 240 },
		],
	},
};

/** No Operation: returns its input items. */
const noOp: INodeType = {
	description: {
		displayName: 'No Operation, do nothing',
		name: 'noOp',
		group: ['organization'],
		version: 1,
		description: 'No Operation',
		defaults: { name: 'No Operation, do nothing' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

/** Filter 2.2: n8n evaluates the conditions; items that do not match are dropped. */
const filter: INodeType = {
	description: {
		displayName: 'Filter',
		name: 'filter',
		group: ['transform'],
		version: [2.2],
		description: 'Remove items matching a condition',
		defaults: { name: 'Filter' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{
				displayName: 'Conditions',
				name: 'conditions',
				type: 'filter',
				typeOptions: { filter: { version: 2 } },
				default: {},
			},
			{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
		],
	},
	async execute() {
		const matching = this.getInputData().flatMap((item, index) =>
			this.getNodeParameter('conditions', index, false, { extractValue: true })
				? [{ ...item, pairedItem: { item: index } }]
				: [],
		);
		return [matching];
	},
};

/** Split Out: returns a paired item for each entry of an array field, with all or none of the other fields. */
const splitOut: INodeType = {
	description: {
		displayName: 'Split Out',
		name: 'splitOut',
		group: ['transform'],
		version: 1,
		description: 'Turn a list inside item(s) into separate items',
		defaults: { name: 'Split Out' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{
				displayName: 'Fields To Split Out',
				name: 'fieldToSplitOut',
				type: 'string',
				required: true,
				default: '',
			},
			{
				displayName: 'Include',
				name: 'include',
				type: 'options',
				options: [
					{ name: 'No Other Fields', value: 'noOtherFields' },
					{ name: 'All Other Fields', value: 'allOtherFields' },
				],
				default: 'noOtherFields',
			},
			{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [] },
		],
	},
	async execute() {
		const items = this.getInputData().flatMap(({ json }, index) => {
			const field = this.getNodeParameter('fieldToSplitOut', index) as string;
			const { [field]: list, ...others } = json;
			if (!Array.isArray(list)) {
				throw new n8n.NodeOperationError(this.getNode(), `The field "${field}" is not a list`, {
					itemIndex: index,
				});
			}
			const includeOthers = this.getNodeParameter('include', index) === 'allOtherFields';
			return (list as Array<IDataObject[string]>).map((value) => ({
				json: includeOthers ? { ...others, [field]: value } : isObject(value) ? value : { [field]: value },
				pairedItem: { item: index },
			}));
		});
		return [items];
	},
};

function isObject(value: IDataObject[string]): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const standInNodes: Record<string, INodeType> = {
	'n8n-nodes-base.filter': filter,
	'n8n-nodes-base.manualTrigger': manualTrigger,
	'n8n-nodes-base.noOp': noOp,
	'n8n-nodes-base.scheduleTrigger': scheduleTrigger,
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.splitOut': splitOut,
	'n8n-nodes-base.stickyNote': stickyNote,
};

export const standInCredentials: ICredentialType[] = [oAuth2Api];
