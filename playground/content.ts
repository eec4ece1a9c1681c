/** Adds the initial content to the playground's n8n: credentials for both sandbox services, and the example workflows. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { WorkflowJson } from '../engine/index.ts';
import type { Sandbox } from '../sandbox/start-sandbox.ts';
import { connectReader } from './consent.ts';
import type { CredentialRecord, N8nClient, WorkflowRecord } from './rest.ts';
import { root } from './settings.ts';

/** A credential to create. Example workflows refer to credentials by name. */
export interface NewCredential {
	name: string;
	type: string;
	data: Record<string, unknown>;
	/** The member of `data` with the URL of the service. */
	urlMember: string;
}

export type ServiceUrls = Pick<Sandbox, 'linksUrl' | 'readerUrl'>;

/** Credentials for the accounts of a new sandbox. */
export const sandboxCredentials = ({ linksUrl, readerUrl }: ServiceUrls): NewCredential[] => [
	{
		name: 'Link Manager Sandbox',
		type: 'linkManagerApi',
		data: { baseUrl: linksUrl, apiKey: 'sandbox-api-key' },
		urlMember: 'baseUrl',
	},
	{
		name: 'News Reader Sandbox',
		type: 'newsReaderSessionApi',
		data: { baseUrl: readerUrl, username: 'reader', password: 'sandbox-password' },
		urlMember: 'baseUrl',
	},
	{
		name: 'News Reader Sandbox OAuth2',
		type: 'newsReaderOAuth2Api',
		data: { baseUrl: readerUrl, clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
		urlMember: 'baseUrl',
	},
];

/** A credential for the fake chat model, which accepts any key. */
export const modelCredential = (url: string): NewCredential => ({
	name: 'Stand-In Model',
	type: 'openAiApi',
	data: { apiKey: 'none', url },
	urlMember: 'url',
});

/** A placeholder for the user's mail server: n8n runs no workflow without its credentials. */
export const mailCredential: NewCredential = {
	name: 'SMTP account',
	type: 'smtp',
	data: { host: '127.0.0.1', port: 25, secure: false, disableStartTls: true },
	urlMember: 'host',
};

/** Creates missing credentials, and updates the URLs of existing ones. */
export async function ensureCredentials(
	client: N8nClient,
	newCredentials: NewCredential[],
): Promise<CredentialRecord[]> {
	const existing = await client.credentials();
	const records: CredentialRecord[] = [];
	for (const newCredential of newCredentials) {
		const { urlMember, ...fields } = newCredential;
		const found = existing.find(
			({ name, type }) => name === newCredential.name && type === newCredential.type,
		);
		if (found && (await dataOf(client, found.id))[urlMember] === fields.data[urlMember]) {
			records.push(found);
			continue;
		}
		const record = found
			? await client.patch<CredentialRecord>(`/rest/credentials/${found.id}`, fields)
			: await client.post<CredentialRecord>('/rest/credentials', fields);
		if (newCredential.type === 'newsReaderOAuth2Api') {
			await connectReader(client, record.id, { username: 'reader', password: 'sandbox-password' });
		}
		records.push(record);
	}
	return records;
}

async function dataOf(client: N8nClient, id: string): Promise<Record<string, unknown>> {
	const { data } = await client.get<CredentialRecord>(`/rest/credentials/${id}?includeData=true`);
	return data ?? {};
}

/** An example workflow of the package. */
export interface Example {
	/** File name without `.json`. */
	file: string;
	workflow: WorkflowJson & { name: string };
}

const workflowFolder = join(root, 'workflows');

/** The workflows of the gallery, sorted by file. */
export async function exampleWorkflows(): Promise<Example[]> {
	const files = (await readdir(workflowFolder)).filter((file) => file.endsWith('.json')).sort();
	const read = await Promise.all(
		files.map(async (file) => ({
			file: file.replace(/\.json$/, ''),
			workflow: JSON.parse(await readFile(join(workflowFolder, file), 'utf8')) as Example['workflow'],
		})),
	);
	// Skips data files of workflows.
	return read.filter(({ workflow }) => Array.isArray(workflow.nodes));
}

/** Imports missing examples with their credentials. @returns the number of imported workflows */
export async function ensureWorkflows(client: N8nClient, credentials: CredentialRecord[]): Promise<number> {
	const existing = new Set((await client.workflows()).map(({ name }) => name));
	const missing = (await exampleWorkflows()).filter(({ workflow }) => !existing.has(workflow.name));
	for (const { workflow } of missing) await importWorkflow(client, workflow, credentials);
	return missing.length;
}

/** Imports a workflow like the editor; finds its credentials by name. */
export async function importWorkflow(
	client: N8nClient,
	workflow: WorkflowJson & { name: string },
	credentials: CredentialRecord[],
): Promise<WorkflowRecord> {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		credentials: matchingCredentials(node.credentials, credentials),
	}));
	return await client.post('/rest/workflows', {
		name: workflow.name,
		active: false,
		nodes,
		connections: workflow.connections,
		settings: { executionOrder: 'v1', ...workflow.settings },
		...(workflow.pinData && { pinData: workflow.pinData }),
	});
}

function matchingCredentials(
	named: INode['credentials'] = {},
	credentials: CredentialRecord[],
): INode['credentials'] {
	return Object.fromEntries(
		Object.entries(named).map(([type, reference]) => {
			const record = credentials.find(({ name, type: its }) => its === type && name === reference.name);
			return [type, { id: record?.id ?? null, name: reference.name }];
		}),
	);
}
