import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { operationProperties } from '../runtime/description/properties';
import { subtitleOf } from '../runtime/description/form';
import { ABOUT, authentication, credentials } from './about';
import { newsReader as implementation } from './implementation';
import { newsReader } from './service';

export class NewsReader implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'News Reader',
		name: 'newsReader',
		icon: { light: 'file:newsReader.svg', dark: 'file:newsReader.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(newsReader.table),
		description: ABOUT,
		builderHint: { searchHint: 'Pass many stories or feeds to one node as items; it sends them in batches' },
		defaults: { name: 'News Reader' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authentication, ...operationProperties(newsReader.table)],
	};

	methods = implementation.methods;

	execute = implementation.execute;
}
