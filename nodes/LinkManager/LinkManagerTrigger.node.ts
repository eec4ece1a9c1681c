import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { eventSubtitle } from '../runtime/description/form';
import { triggerProperties } from '../runtime/description/properties';
import { ABOUT } from './about';
import { linkManagerTrigger as implementation } from './implementation';
import { events } from './triggers';

export class LinkManagerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Manager Trigger',
		name: 'linkManagerTrigger',
		icon: { light: 'file:linkManager.svg', dark: 'file:linkManager.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle(events),
		description: ABOUT,
		builderHint: { searchHint: 'Set repeatMinutes to 0 if a restart must not repeat the last events' },
		defaults: { name: 'Link Manager Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagerApi', required: true }],
		properties: triggerProperties(events),
	};

	methods = implementation.methods;

	poll = implementation.poll;
}
