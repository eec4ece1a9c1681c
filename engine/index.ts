/**
 * Runs workflows on n8n's own engine (n8n-core) without an n8n server. n8n-core loads the nodes of built packages;
 * credentials are stored in memory; expressions, pairing, errors, retries, cancellation and HTTP are n8n's. Used by the
 *  * demo, the tests, the check and the benchmarks.
 */
import type {
	ICredentialType,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeType,
	IVersionedNodeType,
} from 'n8n-workflow';
import { n8n, startExpressionEngine } from './core.ts';
import { CredentialStore, type CredentialRecord, CredentialsHelper } from './credentials-helper.ts';
import { testCredential } from './credential-test.ts';
import { runWorkflow, type RunOptions, type RunResult } from './run.ts';
import {
	listSearch,
	loadOptions,
	poll,
	type ListSearchOptions,
	type LoadOptions,
	type PollOptions,
	type PollResult,
} from './single-node.ts';
import { CredentialTypes, loadPackage, NodeTypes } from './types.ts';
import { standInCredentials, standInNodes } from './nodes/index.ts';

export { n8n } from './core.ts';
export { chain, connect, type NodeJson, type WorkflowJson } from './workflow.ts';
export type {
	CredentialRecord,
	ListSearchOptions,
	LoadOptions,
	PollOptions,
	PollResult,
	RunOptions,
	RunResult,
};

/** Credentials to add to the engine's store first, keyed by id. */
export interface WithCredentials {
	credentials?: Record<string, CredentialRecord>;
}

export interface EngineOptions extends WithCredentials {
	/** Folders of built packages: each with a package.json that has an `n8n` block. */
	packageDirs?: string[];
	/** More node types, keyed by their full name, e.g. `test.failing`. */
	extraNodes?: Record<string, INodeType | IVersionedNodeType>;
	extraCredentials?: ICredentialType[];
}

export interface Engine {
	/** The stored credentials, including the sessions and tokens that nodes have saved. */
	credentials: CredentialStore;
	/** Full names of the packages' node types, e.g. `n8n-nodes-newslink.linkManager`. */
	nodeNames: string[];
	/** The credential types of the packages, with n8n's additions. */
	credentialTypes: ICredentialType[];
	/** A loaded node type; by default its newest version. */
	nodeType(type: string, version?: number): INodeType;
	run(options: RunOptions & WithCredentials): Promise<RunResult>;
	listSearch(options: ListSearchOptions & WithCredentials): Promise<INodeListSearchResult>;
	loadOptions(options: LoadOptions & WithCredentials): Promise<INodePropertyOptions[]>;
	poll(options: PollOptions & WithCredentials): Promise<PollResult>;
	/** The "Test" of the credential with this id. */
	testCredential(id: string): Promise<INodeCredentialTestResult>;
	/** Ends the expression engine's isolate; otherwise the process may crash when it exits. */
	close(): Promise<void>;
}

export async function createEngine({
	packageDirs = [],
	extraNodes = {},
	extraCredentials = [],
	credentials: initial,
}: EngineOptions = {}): Promise<Engine> {
	await startExpressionEngine();
	const loaders = await Promise.all(packageDirs.map(loadPackage));
	const nodeTypes = new NodeTypes(loaders, { ...standInNodes, ...extraNodes });
	const credentialTypes = new CredentialTypes(loaders, [...standInCredentials, ...extraCredentials]);
	const store = new CredentialStore();
	const helper = new CredentialsHelper(credentialTypes, nodeTypes, store);
	store.setAll(initial);

	return {
		credentials: store,
		nodeNames: loaders.flatMap(({ packageName, nodeTypes }) =>
			Object.keys(nodeTypes).map((name) => `${packageName}.${name}`),
		),
		credentialTypes: loaders.flatMap(({ credentialTypes }) =>
			Object.values(credentialTypes).map(({ type }) => type),
		),
		nodeType: (type, version) => nodeTypes.getByNameAndVersion(type, version),
		run: async ({ credentials, ...options }) => {
			store.setAll(credentials);
			return await runWorkflow(nodeTypes, helper, options);
		},
		listSearch: async ({ credentials, ...options }) => {
			store.setAll(credentials);
			return await listSearch(nodeTypes, helper, options);
		},
		loadOptions: async ({ credentials, ...options }) => {
			store.setAll(credentials);
			return await loadOptions(nodeTypes, helper, options);
		},
		poll: async ({ credentials, ...options }) => {
			store.setAll(credentials);
			return await poll(nodeTypes, helper, options);
		},
		testCredential: async (id) => await testCredential({ nodeTypes, credentialTypes }, helper, store, id),
		close: async () => await n8n.Expression.disposeExpressionEngine(),
	};
}
