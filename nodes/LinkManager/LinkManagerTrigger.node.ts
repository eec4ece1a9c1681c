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
import { linkManager } from './service';
import { events } from './triggers';

export class LinkManagerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Manager Trigger',
		name: 'linkManagerTrigger',
		icon: { light: 'file:linkManager.svg', dark: 'file:linkManager.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["event"]}}',
		description: 'Starts the workflow when QR codes are scanned, links are clicked, or something is created',
		defaults: { name: 'Link Manager Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagerApi', required: true }],
		properties: triggerProperties(events),
	};

	methods = {
		listSearch: listSearches(linkManager),
		loadOptions: optionLists(linkManager, ['qrCode', 'shortLink']),
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, linkManager, events);
	}
}
