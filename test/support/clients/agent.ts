/** An agent without a model: it calls the given tools in both ways that n8n's nodes do. */
import {
	NodeConnectionTypes,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import {
	connect,
	createEngine,
	type CredentialRecord,
	type Engine,
	type NodeJson,
} from '../../../engine/index.ts';
import { root } from '../nodes/built';

/** How n8n runs a tool: the AI Agent asks the engine for it, the MCP trigger calls it. */
export const ways = ['asked for', 'called'] as const;
export type Way = (typeof ways)[number];

type Call = { tool: string; args: IDataObject };

const agent: INodeType = {
	description: {
		displayName: 'Agent',
		name: 'agent',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
		outputs: [NodeConnectionTypes.Main],
		properties: [
			{ displayName: 'Way', name: 'way', type: 'string', default: '' },
			{ displayName: 'Calls', name: 'calls', type: 'json', default: '' },
		],
	},
	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		const calls = JSON.parse(this.getNodeParameter('calls', 0) as string) as Call[];
		if (this.getNodeParameter('way', 0) === 'called') return [await called(this, calls)];
		if (!response?.actionResponses.length) return { actions: calls.map(actionOf), metadata: {} };
		return [
			response.actionResponses.map(({ data }) => ({
				json: { reply: (data.data?.ai_tool?.[0] ?? []).map(({ json }) => json) },
			})),
		];
	},
};

const actionOf = ({ tool, args }: Call, index: number): EngineRequest['actions'][number] => ({
	actionType: 'ExecutionNodeAction',
	nodeName: tool,
	input: args,
	type: NodeConnectionTypes.AiTool,
	id: `call ${index}`,
	metadata: {},
});

interface Tool {
	name: string;
	invoke(args: object): Promise<string>;
}

async function called(context: IExecuteFunctions, calls: Call[]): Promise<INodeExecutionData[]> {
	const tools = (await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
	const items: INodeExecutionData[] = [];
	for (const { tool, args } of calls) {
		const found = tools.find(({ name }) => name === tool.replaceAll(' ', '_'))!;
		const response = await found.invoke(args).then(
			(text) => JSON.parse(text) as IDataObject[],
			(error: Error) => [{ error: error.message }],
		);
		items.push({ json: { reply: response } });
	}
	return items;
}

/** n8n's engine with the package as it is built, and the agent. */
export const startEngineWithAgent = (): Promise<Engine> =>
	createEngine({ packageDirs: [root], extraNodes: { 'test.agent': agent } });

/** The reply of each call of a tool to the model. */
export async function repliesOf(
	engine: Engine,
	node: NodeJson,
	calls: IDataObject[],
	{ way = 'asked for', credentials }: { way?: Way; credentials?: Record<string, CredentialRecord> } = {},
): Promise<IDataObject[][]> {
	const start: NodeJson = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
	const tool: NodeJson = { ...node, type: `${node.type}Tool` };
	const parameters = {
		way,
		calls: JSON.stringify(calls.map((args) => ({ tool: tool.name, args }))),
	};
	const connections = { [tool.name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] } };
	connect(connections, 'Items', 0, 'Agent');
	const nodes = [start, { name: 'Agent', type: 'test.agent', parameters }, tool];
	const result = await engine.run({ workflow: { nodes, connections }, input: [{}], credentials });
	if (result.error) throw result.error;
	return result.json('Agent').map(({ reply }) => reply as IDataObject[]);
}
