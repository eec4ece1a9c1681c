import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { operationProperties } from '../runtime/description/properties';
import { subtitleOf } from '../runtime/description/form';
import { ABOUT } from './about';
import { linkManager as implementation } from './implementation';
import { linkManager } from './service';

export class LinkManager implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Manager',
		name: 'linkManager',
		icon: { light: 'file:linkManager.svg', dark: 'file:linkManager.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(linkManager.table),
		description: ABOUT,
		builderHint: {
			searchHint: 'Pass many links to one node as items; it respects the rate limit of the host',
		},
		defaults: { name: 'Link Manager' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagerApi', required: true }],
		hints: [
			{
				message:
					'At 30 requests a minute, the usual limit, this many items can take several minutes. The node waits as needed.',
				displayCondition: '={{ $input.all().length > 60 }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		properties: operationProperties(linkManager.table),
	};

	methods = implementation.methods;

	execute = implementation.execute;
}
