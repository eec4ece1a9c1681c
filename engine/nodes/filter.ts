import type { INodeType } from 'n8n-workflow';

/** Filter 2.2: n8n evaluates the conditions; items that do not match are dropped. */
export const filter: INodeType = {
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
