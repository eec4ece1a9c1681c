import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { eventSubtitle } from '../runtime/description/form';
import { triggerProperties } from '../runtime/description/properties';
import { ABOUT, authentication, credentials } from './about';
import { newsReaderTrigger as implementation } from './implementation';
import { events } from './triggers';

export class NewsReaderTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'News Reader Trigger',
		name: 'newsReaderTrigger',
		icon: { light: 'file:newsReader.svg', dark: 'file:newsReader.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle(events),
		description: ABOUT,
		builderHint: { searchHint: 'Set repeatMinutes to 0 if a restart must not repeat the last events' },
		defaults: { name: 'News Reader Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authentication, ...triggerProperties(events)],
	};

	methods = implementation.methods;

	poll = implementation.poll;
}
