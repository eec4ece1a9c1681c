import type { IDataObject, INodeType } from 'n8n-workflow';
import { n8n } from '../core.ts';

/** Split Out: returns a paired item for each entry of an array field, with all or none of the other fields. */
export const splitOut: INodeType = {
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
