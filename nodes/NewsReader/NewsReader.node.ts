import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { propertiesOf } from '../runtime/description/properties';
import { subtitleOf } from '../runtime/description/subtitle';
import { ABOUT } from './about';
import { node } from './code';
import { authentication } from './properties';
import { newsReader } from './service';

export class NewsReader implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'News Reader',
		name: 'newsReader',
		icon: { light: 'file:newsReader.svg', dark: 'file:newsReader.dark.svg' },
		group: ['transform'],
		// 1.1: marks of feeds have no choice of feeds made beforehand; records have all members, under one kind of names.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: subtitleOf(newsReader.table),
		description: ABOUT,
		defaults: { name: 'News Reader' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'newsReaderSessionApi',
				required: true,
				displayOptions: { show: { authentication: ['session'] } },
			},
			{
				name: 'newsReaderOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		properties: [authentication, ...propertiesOf(newsReader)],
	};

	methods = node.methods;

	execute = node.execute;
}
