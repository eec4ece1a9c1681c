import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { execute } from '../runtime/execute/execute';
import { listSearches, optionLists } from '../runtime/description/listSearch';
import { propertiesOf } from '../runtime/description/properties';
import { linkManager } from './service';

export class LinkManager implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Manager',
		name: 'linkManager',
		icon: { light: 'file:linkManager.svg', dark: 'file:linkManager.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Create and manage short links, QR codes, campaigns, channels, pixels and branded domains',
		defaults: { name: 'Link Manager' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagerApi', required: true }],
		properties: propertiesOf(linkManager.table),
	};

	methods = {
		listSearch: listSearches(linkManager),
		loadOptions: optionLists(linkManager, ['pixel']),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, linkManager);
	}
}
