/**
 * Tests credentials as the `n8n` package does: n8n-core's RoutingNode sends the test request as the only routing of a
 * temporary node, then the rules of the test are applied to the response.
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	INode,
	INodeCredentialTestResult,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { additionalDataFor } from './additional-data.ts';
import { core, n8n } from './core.ts';
import type { CredentialStore, CredentialsHelper } from './credentials-helper.ts';
import type { CredentialTypes, NodeTypes } from './types.ts';

interface Types {
	nodeTypes: NodeTypes;
	credentialTypes: CredentialTypes;
}

export async function testCredential(
	{ nodeTypes, credentialTypes }: Types,
	helper: CredentialsHelper,
	store: CredentialStore,
	id: string,
): Promise<INodeCredentialTestResult> {
	const type = store.type(id);
	const data = await helper.applyDefaults(additionalDataFor(helper, '0'), store.data(id), type, 'internal');
	const request = credentialTypes.getByName(type).test;
	if (request)
		return await testByRequest(nodeTypes, helper, { id, name: store.name(id), type, data }, request);

	const isOAuth2 = credentialTypes.getParentTypes(type).includes('oAuth2Api');
	if (isOAuth2) {
		const connected = Object.hasOwn(Object(data.oauthTokenData), 'access_token');
		return connected
			? { status: 'OK', message: 'Account is connected.' }
			: { status: 'Error', message: 'Account is not connected.' };
	}
	return await testByNode(nodeTypes, helper, credentialTypes.getSupportedNodes(type), {
		id,
		name: store.name(id),
		type,
		data,
	});
}

interface Decrypted {
	id: string;
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** Tests a credential without its own test by the first of its nodes that declares one. */
async function testByNode(
	nodeTypes: NodeTypes,
	helper: CredentialsHelper,
	nodes: string[],
	credential: Decrypted,
): Promise<INodeCredentialTestResult> {
	for (const name of nodes) {
		const { description, methods } = nodeTypes.getByNameAndVersion(name);
		const testedBy = description.credentials?.find((entry) => entry.name === credential.type)?.testedBy;
		if (typeof testedBy === 'object') return await testByRequest(nodeTypes, helper, credential, testedBy);
		const test = testedBy === undefined ? undefined : methods?.credentialTest?.[testedBy];
		if (test)
			return await test.call(new core.CredentialTestContext(additionalDataFor(helper, '0')), credential);
	}
	return { status: 'Error', message: 'No testing function found for this credential.' };
}

async function testByRequest(
	nodeTypes: NodeTypes,
	helper: CredentialsHelper,
	credential: Decrypted,
	{ request, rules = [] }: ICredentialTestRequest,
): Promise<INodeCredentialTestResult> {
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'noOp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	};
	const tester: INodeType = {
		description: {
			...nodeTypes.getByNameAndVersion('n8n-nodes-base.noOp').description,
			credentials: [{ name: credential.type, required: true }],
			properties: [{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing: { request } }],
		},
	};
	const workflow = new n8n.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: onlyType(tester),
	});
	const context = new core.ExecuteContext(
		workflow,
		node,
		additionalDataFor(helper, '0', { currentNodeParameters: node.parameters }),
		'internal',
		n8n.createRunExecutionData({}),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	try {
		const output = await workflow.expression.withIsolate(() =>
			new core.RoutingNode(context, tester, credential).runNode(),
		);
		const body: unknown = output?.[0]?.[0]?.json;
		for (const rule of rules) {
			if (rule.type !== 'responseSuccessBody') continue;
			if (valueAt(body, rule.properties.key) === rule.properties.value)
				return failed(rule.properties.message);
		}
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return failed(messageOf(error, rules));
	}
}

/** n8n's message about a failed test request. */
function messageOf(error: unknown, rules: NonNullable<ICredentialTestRequest['rules']>): string {
	const { message, cause } = error as Error & {
		cause?: { code?: string; response?: { status: number; statusText?: string } };
	};
	if (cause?.response) {
		const { status, statusText } = cause.response;
		for (const rule of rules) {
			if (rule.type === 'responseCode' && rule.properties.value === status) return rule.properties.message;
		}
		if (status < 200 || status > 299) return statusText || `Received HTTP status code: ${status}`;
	}
	return cause?.code ?? message;
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

/** The value at a dotted path of keys. */
function valueAt(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((current, key) => (current as Record<string, unknown> | null | undefined)?.[key], value);
}

function onlyType(type: INodeType): INodeTypes {
	return { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) };
}
