/** An agent node without a model. It calls the given tools in either of n8n's two ways. */
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

/** How n8n runs a tool: the AI Agent returns an engine request, the MCP trigger invokes the tool itself. */
export const toolCallModes = ['engine request', 'direct call'] as const;
export type ToolCallMode = (typeof toolCallModes)[number];

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
			{ displayName: 'Mode', name: 'mode', type: 'string', default: '' },
			{ displayName: 'Calls', name: 'calls', type: 'json', default: '' },
		],
	},
	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		const calls = JSON.parse(this.getNodeParameter('calls', 0) as string) as Call[];
		if (this.getNodeParameter('mode', 0) === 'direct call') return [await invokeTools(this, calls)];
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

async function invokeTools(context: IExecuteFunctions, calls: Call[]): Promise<INodeExecutionData[]> {
	const tools = (await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
	const items: INodeExecutionData[] = [];
	for (const { tool, args } of calls) {
		const invoked = tools.find(({ name }) => name === tool.replaceAll(' ', '_'))!;
		const response = await invoked.invoke(args).then(
			(text) => JSON.parse(text) as IDataObject[],
			(error: Error) => [{ error: error.message }],
		);
		items.push({ json: { reply: response } });
	}
	return items;
}

/** Starts n8n's engine with the built package and the agent. */
export const startEngineWithAgent = (): Promise<Engine> =>
	createEngine({ packageDirs: [root], extraNodes: { 'test.agent': agent } });

/** Runs the agent with these calls of one tool. @returns the items that each call returned to the model */
export async function callTool(
	engine: Engine,
	node: NodeJson,
	calls: IDataObject[],
	{
		mode = 'engine request',
		credentials,
	}: { mode?: ToolCallMode; credentials?: Record<string, CredentialRecord> } = {},
): Promise<IDataObject[][]> {
	const start: NodeJson = { name: 'Items', type: 'n8n-nodes-base.manualTrigger' };
	const tool: NodeJson = { ...node, type: `${node.type}Tool` };
	const parameters = {
		mode,
		calls: JSON.stringify(calls.map((args) => ({ tool: tool.name, args }))),
	};
	const connections = { [tool.name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] } };
	connect(connections, 'Items', 0, 'Agent');
	const nodes = [start, { name: 'Agent', type: 'test.agent', parameters }, tool];
	const result = await engine.run({ workflow: { nodes, connections }, input: [{}], credentials });
	if (result.error) throw result.error;
	return result.json('Agent').map(({ reply }) => reply as IDataObject[]);
}
