import type { IExecuteFunctions, INodeExecutionData, INodeType, IPollFunctions } from 'n8n-workflow';
import { listSearches, optionLists } from '../runtime/description/listSearch';
import { execute } from '../runtime/execute/execute';
import { poll } from '../runtime/poll/poll';
import { newsReader } from './service';
import { events } from './triggers';

/** What the node does. n8n starts with its description alone, and loads this when the node is first used. */
export const node = {
	methods: { listSearch: listSearches(newsReader), loadOptions: optionLists(newsReader, ['feed', 'user']) },
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, newsReader);
	},
} satisfies Partial<INodeType>;

/** What the trigger does; loaded in the same way. */
export const trigger = {
	methods: { listSearch: listSearches(newsReader), loadOptions: optionLists(newsReader, ['feed']) },
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, newsReader, events);
	},
} satisfies Partial<INodeType>;
