import type { IExecuteFunctions, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';
import { fixedLists, listSearches, optionLists, routesOf, searchOf } from '../runtime/description/lists';
import { execute } from '../runtime/execute/execute';
import { poll } from '../runtime/poll/poll';
import { audienceLists } from './model/audiences';
import { domainNames } from './resources/domain';
import { linkManager as service } from './service';
import { events } from './triggers';

/** The node's methods. n8n starts with the description alone and loads this when the node is first used. */
export const linkManager = {
	methods: {
		listSearch: {
			...listSearches(service),
			domainName: searchOf(service, domainNames),
			...fixedLists({ ...audienceLists, route: () => routesOf(service) }),
		},
		loadOptions: optionLists(service, ['pixel']),
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, service);
	},
} satisfies Partial<INodeType>;

export const linkManagerTrigger = {
	methods: {
		listSearch: listSearches(service),
		loadOptions: optionLists(service, ['qrCode', 'shortLink']),
	},
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, service, events);
	},
} satisfies Partial<INodeType>;
