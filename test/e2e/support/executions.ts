/** Runs workflows on a real n8n, and reads their executions. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, IExecuteData, IRunData, ITaskDataConnections } from 'n8n-workflow';
import { separateConnection, type N8nClient } from '../../../playground/rest.ts';

export interface Execution {
	id: string;
	status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';
	mode: string;
	workflowId: string;
	/** Missing if n8n stored no data. */
	data?: {
		resultData: { runData: IRunData; error?: { message: string; description?: string } };
		executionData?: { nodeExecutionStack: IExecuteData[] };
	};
}

const TIMEOUT_MS = 180_000;

/** The executions of an n8n, through its public API. */
export class Executions {
	private readonly client: N8nClient;
	private readonly key: string;

	private constructor(client: N8nClient, key: string) {
		this.client = client;
		this.key = key;
	}

	static async of(client: N8nClient): Promise<Executions> {
		const { rawApiKey } = await client.post<{ rawApiKey: string }>('/rest/api-keys', {
			label: `tests ${Date.now()}`,
			scopes: ['execution:read', 'execution:list', 'execution:delete'],
			expiresAt: null,
		});
		return new Executions(client, rawApiKey);
	}

	/** Runs a workflow from one of its triggers, as "Execute workflow" does. @returns the finished execution */
	async run(workflowId: string, trigger: string): Promise<Execution> {
		const path = `/rest/workflows/${workflowId}`;
		const { executionId } = await this.client.post<{ executionId: string }>(`${path}/run`, {
			triggerToStartFrom: { name: trigger },
			// n8n 1 runs the workflow of the editor, later versions the saved one.
			workflowData: await this.client.get<object>(path),
		});
		return await this.finished(executionId);
	}

	async finished(id: string, timeoutMs = TIMEOUT_MS): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.get(id);
			const { status, data } = execution;
			// n8n reports a success a moment before its result.
			if (!['new', 'running', 'waiting'].includes(status) && (data || status !== 'success')) return execution;
			if (Date.now() > deadline) throw new Error(`Execution ${id} is still ${execution.status}`);
			await sleep(50);
		}
	}

	async get(id: string): Promise<Execution> {
		return await this.request<Execution>(`/executions/${id}?includeData=true`);
	}

	/** All executions of a workflow, oldest first, without the running ones, which n8n leaves out. */
	async of(workflowId: string): Promise<Execution[]> {
		const executions: Execution[] = [];
		let cursor: string | null = '';
		while (cursor !== null) {
			const page: { data: Execution[]; nextCursor: string | null } = await this.request(
				`/executions?workflowId=${workflowId}&includeData=true&limit=100${cursor && `&cursor=${cursor}`}`,
			);
			executions.push(...page.data);
			cursor = page.nextCursor;
		}
		return executions.sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** The output of a node in all successful executions of a workflow, oldest first. */
	async outputsOf(workflowId: string, node: string): Promise<IDataObject[]> {
		const executions = await this.of(workflowId);
		return executions
			.filter(({ status }) => status === 'success')
			.flatMap((execution) => jsonOf(execution, node));
	}

	private async request<T>(path: string): Promise<T> {
		const response = await fetch(`${this.client.url}/api/v1${path}`, {
			headers: { ...separateConnection, 'x-n8n-api-key': this.key },
		});
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return (await response.json()) as T;
	}
}

/** The runs of each node. */
export const runsOf = ({ data }: Execution): IRunData => data?.resultData.runData ?? {};

/** The records that a node returned, in all its runs and outputs. */
export const jsonOf = (execution: Execution, node: string): IDataObject[] =>
	(runsOf(execution)[node] ?? []).flatMap(({ data }) => recordsOf(data));

/** The records with which a crashed execution began. */
export const emittedBefore = ({ data }: Execution): IDataObject[] =>
	(data?.executionData?.nodeExecutionStack ?? []).flatMap((entry) => recordsOf(entry.data));

const recordsOf = (connections: ITaskDataConnections | undefined): IDataObject[] =>
	(connections?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json));

/** The status and the error of an execution, for messages. */
export function failureOf({ status, data }: Execution): string {
	const error = data?.resultData.error;
	return error ? `${status}: ${error.message} ${error.description ?? ''}`.trim() : status;
}
