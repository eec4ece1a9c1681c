/** Both nodes as tools of an AI agent on n8n's engine: every operation with the values that models send or omit. */
import nock from 'nock';
import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { isShown } from '../../engine/form.ts';
import type { Engine, NodeJson } from '../../engine/index.ts';
import type { Table } from '../../nodes/runtime/table/operation';
import { linkTable, readerTable } from '../../nodes/tables';
import { callTool, startEngineWithAgent, toolCallModes } from '../support/clients/agent';
import { makeFast } from '../support/clock';
import { clock } from '../support/nodes/built';
import { credentialsFor, linkManager, NODE } from '../support/nodes/link-node';
import { newsReader, NODE as READER, SESSION, sessionCredential } from '../support/nodes/reader-node';

const HOST = 'https://service.example.com';
const credentials = {
	...credentialsFor({ baseUrl: HOST }),
	...sessionCredential(HOST, { sessionToken: SESSION }),
};

let engine: Engine;
let fast: ReturnType<typeof makeFast>;

beforeAll(async () => {
	fast = makeFast(clock, 2000);
	nock.disableNetConnect();
	engine = await startEngineWithAgent();
});

afterEach(() => nock.cleanAll());
afterAll(() => fast.restore());

const operations = [
	...Object.entries(linkTable).map((entry) => [NODE, ...entry] as const),
	...Object.entries(readerTable).map((entry) => [READER, ...entry] as const),
].flatMap(([type, resource, { operations: rows }]) =>
	Object.keys(rows).map((operation): [string, string, string] => [type, resource, operation]),
);

/** The parameters in the form of an operation. */
const formOf = (type: string, resource: string, operation: string): INodeProperties[] => {
	const { properties } = engine.nodeType(type).description;
	return properties.filter(
		(property) =>
			isShown(property, { resource, operation }) &&
			!['resource', 'operation', 'authentication', 'readOnly'].includes(property.name),
	);
};

/** A parameter whose value the model sets, including nested parameters. */
function fromModel({ name, type, options = [] }: INodeProperties): unknown {
	const members = options as INodeProperties[];
	if (type === 'collection') return Object.fromEntries(members.map((each) => [each.name, fromModel(each)]));
	if (type === 'fixedCollection') {
		const [group] = options as INodePropertyCollection[];
		const values = group!.values.map((each) => [each.name, fromModel(each)]);
		return { [group!.name]: [Object.fromEntries(values)] };
	}
	const value = `={{ $fromAI('${name}') }}`;
	return type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
}

const nodeOf = (type: string, parameters: object): NodeJson =>
	type === NODE ? linkManager(parameters) : newsReader(parameters);

/** The values that models send for an omitted parameter. */
const omittedValues = [undefined, null, '', 'undefined', 'null'];

/** Sample values; every required parameter accepts at least one. */
const samples = [
	'42',
	'https://example.com/a',
	'7:0123ab',
	'{ "7": ["a"] }',
	'{ "7": { "8": ["a"] } }',
	'[7]',
];

/** Whether a parameter has no default, so that the model must set it. */
const isBlank = ({ default: initial }: INodeProperties): boolean =>
	/^(""|0|\[\]|\{\}|"\[\]"|"\{\}"|.*"value":"".*)$/.test(JSON.stringify(initial));

/** Flattens parameters, including those in collections. */
const leavesOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) =>
		property.type === 'collection' ? leavesOf(property.options as INodeProperties[]) : [property],
	);

describe.each(operations)('%s %s.%s', (type, resource, operation) => {
	it.each(omittedValues)(
		'uses defaults for parameters that the model omits as %j, and reports required ones',
		async (omitted) => {
			nock(HOST).persist().get(/.*/).reply(200, { error: 0 }).post(/.*/).reply(200, { error: 0 });
			const form = formOf(type, resource, operation);
			const leaves = leavesOf(form);
			const parameters = Object.fromEntries(form.map((property) => [property.name, fromModel(property)]));
			const args = Object.fromEntries(leaves.map(({ name }) => [name, omitted])) as IDataObject;
			const node = nodeOf(type, { resource, operation, ...parameters });
			for (;;) {
				const [[response] = []] = await callTool(engine, node, [args], { credentials });
				const error = String(response?.error ?? '');
				const reportedParameters = leaves.filter(({ displayName }) => error.startsWith(`${displayName}: `));
				const sampleIndex = samples.indexOf(String(args[reportedParameters[0]?.name ?? '']));
				// The sample value does not exist in the account.
				if (reportedParameters.length === 0 || sampleIndex === samples.length - 1) break;
				// An omitted parameter is only reported as missing.
				if (sampleIndex < 0) {
					expect(error).toMatch(/^.* is empty.* \[item 0\]\n./);
					expect(reportedParameters.some((property) => isBlank(property))).toBe(true);
				}
				for (const { name } of reportedParameters) args[name] = samples[sampleIndex + 1];
			}
		},
	);
});

it.each(toolCallModes)('says what to do about an option of the run (%s)', async (mode) => {
	const options = { maximumWait: "={{ $fromAI('wait') }}" };
	const node = nodeOf(NODE, { resource: 'account', operation: 'get', options });
	const [[reply] = []] = await callTool(engine, node, [{ wait: 'soon' }], { credentials, mode });
	expect(reply?.error).toMatch(/^Maximum Wait \(Seconds\) "soon" is not a whole number\nCorrect it/);
});

it.each(toolCallModes)('says that it gets no files (%s)', async (mode) => {
	const node = nodeOf(READER, { resource: 'subscriptionList', operation: 'upload', listSource: 'binary' });
	const [[reply] = []] = await callTool(engine, node, [{}], { credentials, mode });
	expect(reply?.error).toMatch(/^A tool gets no files \[item 0\]\nChoose a source other/);
});

describe('Read Only', () => {
	it.each(operations)('sends no write of %s %s.%s', async (...of) => {
		const [type, resource, operation] = of;
		nock(HOST).persist().get(/.*/).reply(200, { error: 0 });
		const table = type === NODE ? linkTable : readerTable;
		const { method } = (table as Table)[resource]!.operations[operation]!;
		for (const mode of toolCallModes) {
			const node = nodeOf(type, { resource, operation, readOnly: true });
			const [[response] = []] = await callTool(engine, node, [{}], { credentials, mode });
			const refusal = 'it changes something, and this tool is read only';
			if (method === 'GET') expect(response?.error).not.toEqual(expect.stringContaining(refusal));
			// A model that leaves parameters out hears of these first. A write would fail with "No response".
			else expect(response?.error).toMatch(/^(?!No response)/);
		}
	});

	it('cannot be turned off by the model', async () => {
		const domain = { resource: 'domain', operation: 'create', domain: 'https://go.example.com' };
		for (const mode of toolCallModes) {
			const node = nodeOf(NODE, { ...domain, readOnly: "={{ $fromAI('off', '', 'boolean') }}" });
			const [[reply] = []] = await callTool(engine, node, [{ off: false }], { credentials, mode });
			expect(reply?.error).toMatch(/this tool is read only/);
		}
	});

	it.each([
		['GET', true],
		[' get ', true],
		[null, true],
		['POST', false],
		['DELETE', false],
	])('allows API requests with %j: %p', async (method, expected) => {
		nock(HOST).get('/api/plans').reply(200, { error: 0, plans: [] });
		const send = { resource: 'apiRequest', operation: 'send', apiPath: '/api/plans', readOnly: true };
		const node = linkManager({ ...send, apiMethod: "={{ $fromAI('method') }}" });
		const [[reply] = []] = await callTool(engine, node, [{ method }], { credentials });
		const refusal = expect.stringContaining('it changes something') as string;
		expect(reply).toEqual(expected ? { error: 0, plans: [] } : { error: refusal });
	});
});
