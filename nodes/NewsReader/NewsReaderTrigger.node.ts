import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { eventSubtitle } from '../runtime/description/form';
import { triggerProperties } from '../runtime/description/properties';
import { ABOUT } from './about';
import { trigger } from './implementation';
import { events } from './triggers';
import { authentication } from './properties';

export class NewsReaderTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'News Reader Trigger',
		name: 'newsReaderTrigger',
		icon: { light: 'file:newsReader.svg', dark: 'file:newsReader.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle(events),
		description: ABOUT,
		builderHint: { searchHint: 'Add Remove Duplicates by eventId after it to process each event only once' },
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

	methods = trigger.methods;

	poll = trigger.poll;
}
