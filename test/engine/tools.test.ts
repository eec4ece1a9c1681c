/** Both nodes as tools of an agent, on n8n's own engine: every operation with what models send, and leave out. */
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

/** The parameters of an operation as its form contains them. */
const formOf = (type: string, resource: string, operation: string): INodeProperties[] => {
	const { properties } = engine.nodeType(type).description;
	return properties.filter(
		(property) =>
			isShown(property, { resource, operation }) &&
			!['resource', 'operation', 'authentication', 'readOnly'].includes(property.name),
	);
};

/** A parameter that is left to the model, with all that is in it. */
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

/** The values that models send for a parameter that they leave out. */
const leftOut = [undefined, null, '', 'undefined', 'null'];

/** Values: one of them is valid for any required parameter. */
const samples = [
	'42',
	'https://example.com/a',
	'7:0123ab',
	'{ "7": ["a"] }',
	'{ "7": { "8": ["a"] } }',
	'[7]',
];

/** A parameter without a default: only the model can give it a value. */
const isBlank = ({ default: initial }: INodeProperties): boolean =>
	/^(""|0|\[\]|\{\}|"\[\]"|"\{\}"|.*"value":"".*)$/.test(JSON.stringify(initial));

/** The parameters with those inside collections. */
const leavesOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) =>
		property.type === 'collection' ? leavesOf(property.options as INodeProperties[]) : [property],
	);

describe.each(operations)('%s %s.%s', (type, resource, operation) => {
	it.each(leftOut)(
		'takes its defaults for what the model leaves out as %j, and names what it needs',
		async (none) => {
			nock(HOST).persist().get(/.*/).reply(200, { error: 0 }).post(/.*/).reply(200, { error: 0 });
			const form = formOf(type, resource, operation);
			const leaves = leavesOf(form);
			const parameters = Object.fromEntries(form.map((property) => [property.name, fromModel(property)]));
			const args = Object.fromEntries(leaves.map(({ name }) => [name, none])) as IDataObject;
			const node = nodeOf(type, { resource, operation, ...parameters });
			for (;;) {
				const [[response] = []] = await callTool(engine, node, [args], { credentials });
				const error = String(response?.error ?? '');
				const named = leaves.filter(({ displayName }) => error.startsWith(`${displayName}: `));
				const given = samples.indexOf(String(args[named[0]?.name ?? '']));
				// A sample value does not exist in the account.
				if (named.length === 0 || given === samples.length - 1) break;
				// A parameter that is left out is only reported as missing.
				if (given < 0) {
					expect(error).toMatch(/^.* is empty.* \[item 0\]\n./);
					expect(named.some((property) => isBlank(property))).toBe(true);
				}
				for (const { name } of named) args[name] = samples[given + 1];
			}
		},
	);
});

describe('Read Only', () => {
	it.each(operations)('refuses %s %s.%s if it changes something, before any request', async (...of) => {
		const [type, resource, operation] = of;
		let requests = 0;
		nock(HOST)
			.persist()
			.intercept(/.*/, 'GET')
			.reply(() => (requests++, [200, { error: 0 }]));
		const table = type === NODE ? linkTable : readerTable;
		const { method, changes } = (table as Table)[resource]!.operations[operation]!;
		for (const mode of toolCallModes) {
			const node = nodeOf(type, { resource, operation, readOnly: true });
			const [[response] = []] = await callTool(engine, node, [{}], { credentials, mode });
			const refusal = expect.stringContaining('it changes something, and this tool is read only');
			if (method === 'GET' || changes) expect(response?.error).not.toEqual(refusal);
			else expect([response?.error, requests]).toEqual([refusal, 0]);
		}
	});

	it.each([
		['GET', true],
		[' get ', true],
		[null, true],
		['POST', false],
		['DELETE', false],
	])('lets API requests by %j through: %p', async (method, expected) => {
		nock(HOST).get('/api/plans').reply(200, { error: 0, plans: [] });
		const send = { resource: 'apiRequest', operation: 'send', apiPath: '/api/plans', readOnly: true };
		const node = linkManager({ ...send, apiMethod: "={{ $fromAI('method') }}" });
		const [[reply] = []] = await callTool(engine, node, [{ method }], { credentials });
		const refusal = expect.stringContaining('it changes something') as string;
		expect(reply).toEqual(expected ? { error: 0, plans: [] } : { error: refusal });
	});
});
