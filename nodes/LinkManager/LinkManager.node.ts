import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { propertiesOf } from '../runtime/description/properties';
import { subtitleOf } from '../runtime/description/subtitle';
import { ABOUT } from './about';
import { node } from './code';
import { linkManager } from './service';

export class LinkManager implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Manager',
		name: 'linkManager',
		icon: { light: 'file:linkManager.svg', dark: 'file:linkManager.dark.svg' },
		group: ['transform'],
		// 1.1: what is written comes out as the record that it is, dates are ISO 8601, and the type of a QR code can change.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: subtitleOf(linkManager.table),
		description: ABOUT,
		defaults: { name: 'Link Manager' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagerApi', required: true }],
		hints: [
			{
				message:
					'So many items take minutes where the service allows 30 requests a minute, as most hosts do. The node waits as long as it has to.',
				displayCondition: '={{ $input.all().length > 60 }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		properties: propertiesOf(linkManager),
	};

	methods = node.methods;

	execute = node.execute;
}
