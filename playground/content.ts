/** The first contents of the playground's n8n: credentials for both services of the sandbox, and the example workflows. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { WorkflowJson } from '../engine/index.ts';
import type { Sandbox } from '../sandbox/start-sandbox.ts';
import { connectReader } from './consent.ts';
import type { CredentialRecord, N8nClient, WorkflowRecord } from './rest.ts';
import { root } from './settings.ts';

/** A credential to make, by its name; example workflows refer to credentials by name. */
export interface WantedCredential {
	name: string;
	type: string;
	data: Record<string, unknown>;
	/** The member of `data` that says where the service is. */
	address: string;
}

export type Addresses = Pick<Sandbox, 'linksUrl' | 'readerUrl'>;

/** The accounts that a fresh sandbox has. */
export const sandboxCredentials = ({ linksUrl, readerUrl }: Addresses): WantedCredential[] => [
	{
		name: 'Link Manager Sandbox',
		type: 'linkManagerApi',
		data: { baseUrl: linksUrl, apiKey: 'sandbox-api-key' },
		address: 'baseUrl',
	},
	{
		name: 'News Reader Sandbox',
		type: 'newsReaderSessionApi',
		data: { baseUrl: readerUrl, username: 'reader', password: 'sandbox-password' },
		address: 'baseUrl',
	},
	{
		name: 'News Reader Sandbox OAuth2',
		type: 'newsReaderOAuth2Api',
		data: { baseUrl: readerUrl, clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
		address: 'baseUrl',
	},
];

/** For the stand-in model, which accepts any key. */
export const modelCredential = (url: string): WantedCredential => ({
	name: 'Stand-In Model',
	type: 'openAiApi',
	data: { apiKey: 'none', url },
	address: 'url',
});

/** A mail server on this machine, to be replaced by the user's own: n8n runs no workflow whose credentials are missing. */
export const mailCredential: WantedCredential = {
	name: 'SMTP account',
	type: 'smtp',
	data: { host: '127.0.0.1', port: 25, secure: false, disableStartTls: true },
	address: 'host',
};

/** Creates missing credentials, and updates the addresses of the others. */
export async function ensureCredentials(
	client: N8nClient,
	wantedCredentials: WantedCredential[],
): Promise<CredentialRecord[]> {
	const existing = await client.credentials();
	const records: CredentialRecord[] = [];
	for (const wanted of wantedCredentials) {
		const { address, ...given } = wanted;
		const found = existing.find(({ name, type }) => name === wanted.name && type === wanted.type);
		if (found && (await dataOf(client, found.id))[address] === given.data[address]) {
			records.push(found);
			continue;
		}
		const record = found
			? await client.patch<CredentialRecord>(`/rest/credentials/${found.id}`, given)
			: await client.post<CredentialRecord>('/rest/credentials', given);
		if (wanted.type === 'newsReaderOAuth2Api') {
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
	/** Without `.json`. */
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
	// The folder also has lists that a workflow reads.
	return read.filter(({ workflow }) => Array.isArray(workflow.nodes));
}

/** Imports the examples that are missing, each with the credentials it names. Says how many were new. */
export async function ensureWorkflows(client: N8nClient, credentials: CredentialRecord[]): Promise<number> {
	const existing = new Set((await client.workflows()).map(({ name }) => name));
	const missing = (await exampleWorkflows()).filter(({ workflow }) => !existing.has(workflow.name));
	for (const { workflow } of missing) await importWorkflow(client, workflow, credentials);
	return missing.length;
}

/** Imports a workflow as the editor does; credentials are found by name. */
export async function importWorkflow(
	client: N8nClient,
	workflow: WorkflowJson & { name: string },
	credentials: CredentialRecord[],
): Promise<WorkflowRecord> {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		credentials: chosen(node.credentials, credentials),
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

function chosen(named: INode['credentials'] = {}, credentials: CredentialRecord[]): INode['credentials'] {
	return Object.fromEntries(
		Object.entries(named).map(([type, reference]) => {
			const record = credentials.find(({ name, type: its }) => its === type && name === reference.name);
			return [type, { id: record?.id ?? null, name: reference.name }];
		}),
	);
}
