import type { IExecuteFunctions, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';
import { fixedLists, listSearches, optionLists } from '../runtime/description/listSearch';
import { execute } from '../runtime/execute/execute';
import { poll } from '../runtime/poll/poll';
import { targetLists } from './model/targets';
import { linkManager } from './service';
import { events } from './triggers';

/** What the node does. n8n starts with its description alone, and loads this when the node is first used. */
export const node = {
	methods: {
		listSearch: { ...listSearches(linkManager), ...fixedLists(targetLists) },
		loadOptions: optionLists(linkManager, ['pixel']),
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, linkManager);
	},
} satisfies Partial<INodeType>;

/** What the trigger does; loaded in the same way. */
export const trigger = {
	methods: {
		listSearch: listSearches(linkManager),
		loadOptions: optionLists(linkManager, ['qrCode', 'shortLink']),
	},
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, linkManager, events);
	},
} satisfies Partial<INodeType>;
