import type { IExecuteFunctions, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';
import { fixedLists, listSearches, optionLists, routesOf } from '../runtime/description/lists';
import { execute } from '../runtime/execute/execute';
import { poll } from '../runtime/poll/poll';
import { newsReader as service } from './service';
import { events } from './triggers';

/** n8n starts with the description alone, and loads this when the node is first used. */
export const newsReader = {
	methods: {
		listSearch: { ...listSearches(service), ...fixedLists({ route: () => routesOf(service) }) },
		loadOptions: optionLists(service, ['feed', 'user']),
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, service);
	},
} satisfies Partial<INodeType>;

export const newsReaderTrigger = {
	methods: { listSearch: listSearches(service), loadOptions: optionLists(service, ['feed']) },
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, service, events);
	},
} satisfies Partial<INodeType>;
