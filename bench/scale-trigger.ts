/** Polls the built triggers without n8n's engine, whose cost does not depend on the size of the account. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, IHttpRequestOptions, INode, INodeParameters, IPollFunctions } from 'n8n-workflow';
import type { LinkManagerTrigger } from '../nodes/LinkManager/LinkManagerTrigger.node.ts';
import type { Service } from './scale-services.ts';

const load = createRequire(import.meta.url);
const dist = join(import.meta.dirname, '../dist/nodes');
const { NodeHelpers } = load('n8n-workflow') as typeof import('n8n-workflow');

/** The code that n8n loads when a node is first used. */
export const runtime = load(join(dist, 'newslink.js')) as typeof import('../nodes/newslink.ts');

export interface Trigger {
	/** The data of the items that a poll emits. */
	poll(): Promise<IDataObject[]>;
	/** The state that n8n stores for the trigger. */
	saved(): IDataObject;
}

export function triggerOf(service: Service, event: string, name = 'Trigger'): Trigger {
	const kind = event.includes('Story') ? 'NewsReader' : 'LinkManager';
	const [Type] = Object.values(load(join(dist, kind, `${kind}Trigger.node.js`)) as object) as Array<
		typeof LinkManagerTrigger
	>;
	const { description, poll } = new Type!();
	const node: INode = {
		id: name,
		name,
		type: kind,
		typeVersion: 1,
		position: [0, 0],
		parameters: { event },
	};
	const parameters: INodeParameters =
		NodeHelpers.getNodeParameters(description.properties, node.parameters, true, false, node, description) ??
		{};
	const staticData: IDataObject = {};
	const credential = { baseUrl: 'https://scale.example', apiKey: 'key', sessionToken: 'sessionid=one' };
	const context = {
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow' }),
		getMode: () => 'trigger',
		getActivationMode: () => 'activate',
		getTimezone: () => 'UTC',
		getNodeParameter: (parameter: string, fallback: unknown) => parameters[parameter] ?? fallback,
		getCredentials: async () => ({ ...credential }),
		getWorkflowStaticData: () => staticData,
		logger: { info: () => undefined, warn: () => undefined },
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				service.respond(options),
		},
	} as unknown as IPollFunctions;
	return {
		poll: async () => ((await poll.call(context)) ?? []).flat().map(({ json }) => json),
		saved: () => staticData,
	};
}
