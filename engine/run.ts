/** Runs a workflow with n8n's WorkflowExecute, and converts its result. */
import type {
	ExecutionError,
	ExecutionStatus,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IRunData,
	NodeExecutionHint,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataFor, hooksFor } from './additional-data.ts';
import { core, n8n } from './core.ts';
import type { CredentialsHelper } from './credentials-helper.ts';
import type { NodeTypes } from './types.ts';
import { buildWorkflow, type WorkflowJson } from './workflow.ts';

export interface RunOptions {
	workflow: WorkflowJson;
	/** Name of the start node. Default: the first trigger, or the first node without a predecessor. */
	startNode?: string;
	/**
	 * The items that a start trigger emits, or that any other start node gets as input. Plain objects are converted to
	 * items. Default: a trigger in `manual` mode runs; everything else gets one empty item.
	 */
	input?: Array<INodeExecutionData | IDataObject>;
	/** `manual` (default) is "Execute workflow" in the editor, `trigger` a production execution. */
	mode?: Extract<WorkflowExecuteMode, 'manual' | 'trigger'>;
	/** Cancels the execution, like the stop button. */
	signal?: AbortSignal;
	/** Called after each node with its name and its outputs. */
	onNodeFinished?: (node: string, outputs: INodeExecutionData[][]) => void;
}

export interface RunResult {
	status: ExecutionStatus;
	/** The error that ended the execution, if any. */
	error?: ExecutionError;
	/** n8n's run data: the runs of each node, with outputs, errors and timing. */
	runData: IRunData;
	/** The items that a node returned on one of its outputs, in all its runs. With `continueErrorOutput`, output 1 is the error branch. */
	items(node: string, output?: number): INodeExecutionData[];
	/** The JSON of `items`. */
	json(node: string, output?: number): IDataObject[];
	/** The hints of a node for the user. */
	hints(node: string): NodeExecutionHint[];
	/** Static data of the workflow after the run; n8n saves it in `trigger` mode only. */
	staticData: IDataObject;
	/** Milliseconds. */
	executionTime: number;
}

let executions = 0;

export async function runWorkflow(
	nodeTypes: NodeTypes,
	credentialsHelper: CredentialsHelper,
	{ workflow: json, startNode, input, mode = 'manual', signal, onNodeFinished }: RunOptions,
): Promise<RunResult> {
	const workflow = buildWorkflow(json, nodeTypes, mode === 'trigger');
	const start = findStartNode(workflow, startNode);
	const items = (input ?? [{}]).map(toItem);
	const pinData = { ...json.pinData };
	// In the editor, a trigger with given data has pinned data, and does not run.
	if (input && mode === 'manual' && isTrigger(workflow, start)) pinData[start.name] ??= items;

	const executionId = String(++executions);
	const hooks = hooksFor(workflow, mode, executionId);
	hooks.addHandler('nodeExecuteAfter', (node, { data }) =>
		onNodeFinished?.(
			node,
			(data?.main ?? []).map((items) => items ?? []),
		),
	);
	const startedAt = performance.now();
	const execution = new core.WorkflowExecute(
		additionalDataFor(credentialsHelper, executionId, { hooks }),
		mode,
		n8n.createRunExecutionData({
			resultData: { pinData },
			executionData: { nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }] },
		}),
	).processRunExecutionData(workflow);

	const cancel = () => execution.cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	if (signal?.aborted) cancel();
	try {
		const run = await execution;
		return resultOf(run, workflow, performance.now() - startedAt);
	} finally {
		signal?.removeEventListener('abort', cancel);
	}
}

function resultOf(run: IRun, workflow: Workflow, executionTime: number): RunResult {
	const { runData, error } = run.data.resultData;
	const runsOf = (node: string) => {
		if (!workflow.getNode(node)) throw new n8n.UserError(`The workflow has no node "${node}"`);
		return runData[node] ?? [];
	};
	const items = (node: string, output = 0) => runsOf(node).flatMap(({ data }) => data?.main?.[output] ?? []);
	return {
		status: run.status,
		error,
		runData,
		items,
		json: (node, output) => items(node, output).map((item) => item.json),
		hints: (node) => runsOf(node).flatMap(({ hints }) => hints ?? []),
		staticData: n8n.deepCopy(workflow.staticData),
		executionTime,
	};
}

function findStartNode(workflow: Workflow, name?: string): INode {
	const nodes = Object.values(workflow.nodes);
	const start =
		name === undefined
			? (nodes.find((node) => isTrigger(workflow, node)) ??
				nodes.find((node) => !workflow.connectionsByDestinationNode[node.name]))
			: workflow.getNode(name);
	if (!start) throw new n8n.UserError(`The workflow has no node ${name ? `"${name}"` : 'to start at'}`);
	return start;
}

function isTrigger(workflow: Workflow, { type, typeVersion }: INode): boolean {
	const { trigger, poll, webhook } = workflow.nodeTypes.getByNameAndVersion(type, typeVersion);
	return Boolean(trigger ?? poll ?? webhook);
}

function toItem(value: INodeExecutionData | IDataObject): INodeExecutionData {
	const isItem = typeof value.json === 'object' && value.json !== null;
	return isItem ? (value as INodeExecutionData) : { json: value as IDataObject };
}
