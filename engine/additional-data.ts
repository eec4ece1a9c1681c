import type { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	INodeParameters,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { core, n8n } from './core.ts';
import type { CredentialsHelper } from './credentials-helper.ts';

const BASE_URL = 'http://localhost:5678';

/** The data about n8n's server that an execution receives. Features of the server (sub-workflows, task runners) throw an error. */
export function additionalDataFor(
	credentialsHelper: CredentialsHelper,
	executionId: string,
	extra: { hooks?: ExecutionLifecycleHooks; currentNodeParameters?: INodeParameters } = {},
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		executionId,
		currentNodeExecutionIndex: 0,
		restApiUrl: `${BASE_URL}/rest`,
		instanceBaseUrl: `${BASE_URL}/`,
		formBaseUrl: `${BASE_URL}/form`,
		formWaitingBaseUrl: `${BASE_URL}/form-waiting`,
		formTestBaseUrl: `${BASE_URL}/form-test`,
		webhookBaseUrl: `${BASE_URL}/webhook`,
		webhookWaitingBaseUrl: `${BASE_URL}/webhook-waiting`,
		webhookTestBaseUrl: `${BASE_URL}/webhook-test`,
		mcpBaseUrl: `${BASE_URL}/mcp`,
		mcpTestBaseUrl: `${BASE_URL}/mcp-test`,
		variables: {},
		externalSecretsProxy: new core.ExternalSecretsProxy(),
		executeWorkflow: async () => refuse('sub-workflows'),
		getRunExecutionData: async () => refuse('other executions'),
		getRuntimeCredential: async () => undefined,
		startRunnerTask: async () => refuse('task runners'),
		logAiEvent: () => undefined,
		...extra,
	};
}

export function hooksFor(
	workflow: Workflow,
	mode: WorkflowExecuteMode,
	executionId: string,
): ExecutionLifecycleHooks {
	const { id, name, nodes, active } = workflow;
	const data: IWorkflowBase = {
		id: id ?? 'workflow',
		name: name ?? 'Workflow',
		active,
		isArchived: false,
		activeVersionId: null,
		nodes: Object.values(nodes),
		connections: workflow.connectionsBySourceNode,
		createdAt: new Date(),
		updatedAt: new Date(),
	};
	return new core.ExecutionLifecycleHooks(mode, executionId, data);
}

function refuse(feature: string): never {
	throw new n8n.UnexpectedError(`This engine runs a single workflow; it has no ${feature}`);
}
