/** Calls a single node outside an execution, as n8n's server does: list searches, option lists, polls. */
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeListSearchResult,
	INodePropertyOptions,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataFor, hooksFor } from './additional-data.ts';
import { core, n8n } from './core.ts';
import type { CredentialsHelper } from './credentials-helper.ts';
import type { NodeTypes } from './types.ts';
import { buildWorkflow, type NodeJson } from './workflow.ts';

export interface ListSearchOptions {
	/** The node in the editor: type, credentials and current parameters. */
	node: NodeJson;
	/** A key of the node's `methods.listSearch`. */
	method: string;
	filter?: string;
	paginationToken?: string;
}

export interface LoadOptions {
	node: NodeJson;
	/** A key of the node's `methods.loadOptions`. */
	method: string;
}

export interface PollOptions {
	node: NodeJson;
	/** The node's static data after the previous poll. */
	staticData?: IDataObject;
	/** `trigger` (default): the workflow is active; `manual`: "Fetch test event". */
	mode?: Extract<WorkflowExecuteMode, 'manual' | 'trigger'>;
	/** Why the workflow was activated; the same for all polls of one activation. */
	activation?: WorkflowActivateMode;
	/** n8n's time limit for a poll, in milliseconds. Default: n8n's own. */
	budgetMs?: number;
}

export interface PollResult {
	/** The items of the poll; `null` if nothing is new. */
	items: INodeExecutionData[] | null;
	/** The node's static data after the poll. n8n writes it to its database only together with items. */
	staticData: IDataObject;
}

interface SingleNode {
	workflow: Workflow;
	node: INode;
}

function singleNode(nodeTypes: NodeTypes, json: NodeJson, staticData: IDataObject = {}): SingleNode {
	const workflow = buildWorkflow(
		{ nodes: [json], connections: {}, staticData: { [`node:${json.name}`]: staticData } },
		nodeTypes,
		false,
	);
	return { workflow, node: workflow.getNode(json.name)! };
}

export async function listSearch(
	nodeTypes: NodeTypes,
	credentialsHelper: CredentialsHelper,
	{ node: json, method, filter, paginationToken }: ListSearchOptions,
): Promise<INodeListSearchResult> {
	const { workflow, node } = singleNode(nodeTypes, json);
	const search = nodeTypes.getByNameAndVersion(node.type, node.typeVersion).methods?.listSearch?.[method];
	if (!search) throw new n8n.UserError(`${node.type} has no list search "${method}"`);
	const context = loadOptionsContext(workflow, node, credentialsHelper);
	return await workflow.expression.withIsolate(() => search.call(context, filter, paginationToken));
}

export async function loadOptions(
	nodeTypes: NodeTypes,
	credentialsHelper: CredentialsHelper,
	{ node: json, method }: LoadOptions,
): Promise<INodePropertyOptions[]> {
	const { workflow, node } = singleNode(nodeTypes, json);
	const load = nodeTypes.getByNameAndVersion(node.type, node.typeVersion).methods?.loadOptions?.[method];
	if (!load) throw new n8n.UserError(`${node.type} has no option list "${method}"`);
	const context = loadOptionsContext(workflow, node, credentialsHelper);
	return await workflow.expression.withIsolate(() => load.call(context));
}

function loadOptionsContext(workflow: Workflow, node: INode, credentialsHelper: CredentialsHelper) {
	const additionalData = additionalDataFor(credentialsHelper, '0', {
		currentNodeParameters: node.parameters,
	});
	return new core.LoadOptionsContext(workflow, node, additionalData, 'parameters');
}

/** Polls a trigger once. @throws the errors of the trigger */
export async function poll(
	nodeTypes: NodeTypes,
	credentialsHelper: CredentialsHelper,
	{
		node: json,
		staticData,
		mode = 'trigger',
		activation = mode === 'manual' ? 'manual' : 'update',
		budgetMs,
	}: PollOptions,
): Promise<PollResult> {
	const { workflow, node } = singleNode(nodeTypes, json, staticData);
	const additionalData = additionalDataFor(credentialsHelper, '0', { hooks: hooksFor(workflow, mode, '0') });
	const context = new core.PollContext(workflow, node, additionalData, mode, activation);
	if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
	const output = await workflow.expression.withIsolate(() =>
		new core.TriggersAndPollers().runPollFunction(workflow, node, context),
	);
	return {
		items: output?.[0] ?? null,
		staticData: JSON.parse(JSON.stringify(workflow.getStaticData('node', node))) as IDataObject,
	};
}
