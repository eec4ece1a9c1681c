import type { IExecuteFunctions, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';
import { fixedLists, listSearches, optionLists, routesOf } from '../runtime/description/lists';
import { execute } from '../runtime/execute/execute';
import { poll } from '../runtime/poll/poll';
import { newsReader } from './service';
import { events } from './triggers';

/** The node's methods. n8n starts with the description alone and loads this when the node is first used. */
export const node = {
	methods: {
		listSearch: { ...listSearches(newsReader), ...fixedLists({ route: () => routesOf(newsReader) }) },
		loadOptions: optionLists(newsReader, ['feed', 'user']),
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, newsReader);
	},
} satisfies Partial<INodeType>;

/** The trigger's methods, loaded in the same way. */
export const trigger = {
	methods: { listSearch: listSearches(newsReader), loadOptions: optionLists(newsReader, ['feed']) },
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, newsReader, events);
	},
} satisfies Partial<INodeType>;
