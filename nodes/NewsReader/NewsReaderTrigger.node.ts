import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { listSearches, optionLists } from '../runtime/description/listSearch';
import { triggerProperties } from '../runtime/poll/event';
import { poll } from '../runtime/poll/poll';
import { newsReader } from './service';
import { events } from './triggers';
import { authentication } from './properties';

export class NewsReaderTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'News Reader Trigger',
		name: 'newsReaderTrigger',
		icon: { light: 'file:newsReader.svg', dark: 'file:newsReader.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["event"]}}',
		description:
			'Starts the workflow when there are stories to read, or something else happens in the reader',
		defaults: { name: 'News Reader Trigger' },
		polling: true,
		inputs: [],
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
		properties: [authentication, ...triggerProperties(events)],
	};

	methods = {
		listSearch: listSearches(newsReader),
		loadOptions: optionLists(newsReader, ['feed']),
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, newsReader, events);
	}
}
