/**
 * Handles credentials as n8n 2.40's own helper does, which is in the `n8n` package, not in n8n-core: defaults,
 * expressions, generic and functional `authenticate`, `preAuthentication` for expirable tokens, and the storage of these
 *  * tokens.
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	IDataObject,
	IExecuteData,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowDataProxyAdditionalKeys,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { core, n8n } from './core.ts';
import type { CredentialTypes, NodeTypes } from './types.ts';

type Data = ICredentialDataDecryptedObject;

export class CredentialsHelper implements ICredentialsHelper {
	readonly #types: CredentialTypes;
	readonly #nodeTypes: NodeTypes;
	readonly #store: CredentialStore;

	constructor(types: CredentialTypes, nodeTypes: NodeTypes, store: CredentialStore) {
		this.#types = types;
		this.#nodeTypes = nodeTypes;
		this.#store = store;
	}

	getParentTypes(name: string): string[] {
		return this.#types.getParentTypes(name);
	}

	isCredentialUsableByNode(credentialType: string, nodeType: string): boolean {
		if (!this.#types.recognizes(credentialType)) return true;
		if (!this.#types.getByName(credentialType).restrictToSupportedNodes) return true;
		return this.#types.getSupportedNodes(credentialType).includes(nodeType);
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		const type = this.#types.getByName(name);
		const properties: INodeProperties[] = [];
		for (const parent of type.extends ?? []) {
			n8n.NodeHelpers.mergeNodeProperties(properties, this.getCredentialsProperties(parent));
		}
		n8n.NodeHelpers.mergeNodeProperties(properties, type.properties);
		return properties;
	}

	async authenticate(
		credentials: Data,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		// Like n8n, passes all options of the node to the HTTP helper.
		const options = requestOptions as IHttpRequestOptions;
		const { authenticate } = this.#types.getByName(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		if (authenticate?.type !== 'generic') return options;
		if (!workflow || !node)
			throw new n8n.UnexpectedError('Generic authentication needs a workflow and a node');
		const resolve = (value: string) => resolveValue(value, credentials, workflow, node);
		const target = options as unknown as Record<string, Record<string, string> | undefined>;
		target.headers ??= {};
		for (const [section, values] of Object.entries(authenticate.properties)) {
			target[section] ||= {};
			for (const [key, value] of Object.entries(values))
				target[section][resolve(key)] = resolve(String(value));
		}
		return options;
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: Data,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<Data | undefined> {
		const type = this.#types.getByName(typeName);
		const expirable = type.properties.find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		)?.name;
		if (expirable === undefined || !type.preAuthentication) return undefined;
		if (credentials[expirable] !== '' && !credentialsExpired) return undefined;

		const output: IDataObject = await type.preAuthentication.call(
			withinCredentialDomains(helpers, credentials),
			credentials,
		);
		const details = node.credentials?.[typeName];
		if (output[expirable] === undefined || !details) return undefined;

		// The token is always stored; another field only if its stored value is not an expression.
		const stored = this.#store.data(this.#store.resolve(details, typeName));
		for (const [key, value] of Object.entries(output as Data)) {
			if (key === expirable || !n8n.isExpression(stored[key])) stored[key] = value;
		}
		await this.updateCredentials(details, typeName, stored);
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: Data,
		typeName: string,
	): Promise<Data | undefined> {
		const { preAuthentication } = this.#types.getByName(typeName);
		if (!preAuthentication) return undefined;
		return (await preAuthentication.call(withinCredentialDomains(helpers, credentials), credentials)) as Data;
	}

	async getCredentials(details: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		const id = this.#store.resolve(details, type);
		const credentials = new core.Credentials({ id, name: this.#store.name(id) }, type);
		await credentials.setData(this.#store.data(id));
		return credentials;
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolveValues?: ICredentialsExpressionResolveValues,
	): Promise<Data> {
		const stored = this.#store.data(this.#store.resolve(details, type));
		if (raw) return stored;
		return await this.applyDefaults(additionalData, stored, type, mode, executeData, resolveValues);
	}

	/** Adds defaults and resolves expressions, on the given item if a node is running. */
	async applyDefaults(
		additionalData: IWorkflowExecuteAdditionalData,
		stored: Data,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		resolveValues?: ICredentialsExpressionResolveValues,
	): Promise<Data> {
		const properties = this.getCredentialsProperties(type);
		const data = n8n.NodeHelpers.getNodeParameters(
			properties,
			stored as Parameters<typeof n8n.NodeHelpers.getNodeParameters>[1],
			true,
			false,
			null,
			null,
		) as Data;
		// n8n keeps these although they are not properties of the form, or hidden by another field.
		for (const key of ['oauthTokenData', 'allowedHttpRequestDomains', 'allowedDomains']) {
			const value = stored[key];
			if (data[key] === undefined && value !== undefined) data[key] = value;
		}
		const keys = core.getAdditionalKeys(additionalData, mode, null, { isCredential: true });
		if (resolveValues) {
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolveValues;
			return workflow.expression.getParameterValue(
				data as Parameters<Workflow['expression']['getParameterValue']>[0],
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				keys,
				executeData,
				false,
				data as Parameters<Workflow['expression']['getParameterValue']>[10],
			) as Data;
		}
		return await this.resolveAlone(data, mode, keys);
	}

	/** Resolves expressions while no node is running, in a workflow with only a placeholder node. */
	private async resolveAlone(
		data: Data,
		mode: WorkflowExecuteMode,
		keys: IWorkflowDataProxyAdditionalKeys,
	): Promise<Data> {
		const node: INode = {
			id: 'credential',
			name: 'Credential',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		};
		const workflow = new n8n.Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: this.#nodeTypes,
		});
		return await workflow.expression.withIsolate(
			async () =>
				workflow.expression.getComplexParameterValue(
					node,
					data as Parameters<Workflow['expression']['getComplexParameterValue']>[1],
					mode,
					keys,
					undefined,
					undefined,
					data as Parameters<Workflow['expression']['getComplexParameterValue']>[6],
				) as Data,
		);
	}

	async updateCredentials(details: INodeCredentialsDetails, type: string, data: Data): Promise<void> {
		const id = this.#store.resolve(details, type);
		this.#store.set(id, { type, name: this.#store.name(id), data });
	}

	async updateCredentialsOauthTokenData(
		details: INodeCredentialsDetails,
		type: string,
		{ oauthTokenData }: Data,
	): Promise<void> {
		const stored = this.#store.data(this.#store.resolve(details, type));
		await this.updateCredentials(details, type, { ...stored, oauthTokenData: oauthTokenData ?? {} });
	}
}

/** An expression of a generic `authenticate`; like n8n, anything falsy becomes the empty string. */
function resolveValue(value: string, credentials: Data, workflow: Workflow, node: INode): string {
	if (!n8n.isExpression(value)) return value;
	const resolved = workflow.expression.getSimpleParameterValue(
		node,
		value,
		'internal',
		{ $credentials: credentials },
		undefined,
		'',
	);
	return resolved ? String(resolved) : '';
}

/** Restricts the requests of a `preAuthentication` to the credential's allowed domains. */
function withinCredentialDomains({ helpers }: IHttpRequestHelper, credentials: Data): IHttpRequestHelper {
	return {
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				const allowedDomains = n8n.getCredentialOwnRequestAllowedDomains(credentials);
				if (allowedDomains && options.allowedDomains !== undefined) {
					throw new n8n.UserError("A login request cannot add domains to its credential's list");
				}
				return await helpers.httpRequest(allowedDomains ? { ...options, allowedDomains } : options);
			},
		},
	};
}

export interface CredentialRecord {
	type: string;
	data: ICredentialDataDecryptedObject;
	/** Shown in the editor. Default: the id. */
	name?: string;
}

/** Credentials by id, in memory. Nodes also save their session cookies and OAuth tokens here. */
export class CredentialStore {
	readonly #records = new Map<string, Required<CredentialRecord>>();

	/** Adds or replaces the credential with this id. */
	set(id: string, { type, data, name = id }: CredentialRecord): void {
		this.#records.set(id, { type, name, data: structuredClone(data) });
	}

	/** Adds or replaces several, keyed by id. */
	setAll(records: Record<string, CredentialRecord> = {}): void {
		for (const [id, record] of Object.entries(records)) this.set(id, record);
	}

	/** A copy of the stored data. */
	data(id: string): ICredentialDataDecryptedObject {
		return structuredClone(this.#get(id).data);
	}

	/** The id of the credential that a node refers to by id, or by name if it has no id. */
	resolve(details: INodeCredentialsDetails, type: string): string {
		for (const [id, record] of this.#records) {
			if (record.type === type && (id === details.id || (!details.id && record.name === details.name))) {
				return id;
			}
		}
		throw new n8n.UserError(
			`Credential "${details.id ?? details.name}" of type "${type}" was not given to the engine.`,
		);
	}

	name(id: string): string {
		return this.#get(id).name;
	}

	type(id: string): string {
		return this.#get(id).type;
	}

	#get(id: string): Required<CredentialRecord> {
		const record = this.#records.get(id);
		if (!record) throw new n8n.UserError(`Credential "${id}" was not given to the engine.`);
		return record;
	}
}
