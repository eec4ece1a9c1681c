import type { IExecuteFunctions, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';
import { fixedLists, listSearches, optionLists, routesOf, searchOf } from '../runtime/description/lists';
import { execute } from '../runtime/execute/execute';
import { poll } from '../runtime/poll/poll';
import { audienceLists } from './model/audiences';
import { domainNames } from './resources/domain';
import { linkManager } from './service';
import { events } from './triggers';

/** The node's methods. n8n starts with the description alone and loads this when the node is first used. */
export const node = {
	methods: {
		listSearch: {
			...listSearches(linkManager),
			domainName: searchOf(linkManager, domainNames),
			...fixedLists({ ...audienceLists, route: () => routesOf(linkManager) }),
		},
		loadOptions: optionLists(linkManager, ['pixel']),
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, linkManager);
	},
} satisfies Partial<INodeType>;

/** The trigger's methods, loaded in the same way. */
export const trigger = {
	methods: {
		listSearch: listSearches(linkManager),
		loadOptions: optionLists(linkManager, ['qrCode', 'shortLink']),
	},
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, linkManager, events);
	},
} satisfies Partial<INodeType>;
