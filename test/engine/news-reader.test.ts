/**
 * Runs every operation of the News Reader on n8n's engine and compares its requests and output with the interface
 * document. Expected requests and records are written by hand in cases/reader; the table only lists the operations.
 */
import nock from 'nock';
import type { NodeJson, RunResult } from '../../engine/index.ts';
import { resultSchema } from '../../nodes/runtime/table/operation';
import { clock } from '../support/nodes/built';
import { variants, type Variant } from '../../cases/endpoint.ts';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { sortRequests, createFakeService, type Exchange, type FakeService } from '../support/hosts/exchanges';
import { parametersFrom } from '../support/cases/parameters';
import { cases, type Case } from '../support/cases/reader-rows';
import {
	fixedResponses,
	HOST_PLACEHOLDER,
	type ExpectedCall,
	type Item,
} from '../../cases/reader/vocabulary.ts';
import { from, NODE, runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

const SUB_PATH = '/tools/reader';

let time: VirtualClock;

beforeAll(async () => {
	nock.disableNetConnect();
	// Tests must not wait for requests that the node sends at most once a minute.
	time = makeVirtual(clock);
});

afterEach(() => nock.cleanAll());
afterAll(() => time.restore());

/** Runs an operation whose parameters come from the input items, one request at a time. */
async function run(
	service: FakeService,
	{ fixed, resource, operation }: Case,
	items: Item[],
	{ options = {}, onError }: { options?: object; onError?: NodeJson['onError'] } = {},
): Promise<RunResult> {
	const names = [...new Set(items.flatMap(({ form }) => Object.keys(form)))];
	const { description } = engine.nodeType(NODE);
	const { options: written, ...parameters } = parametersFrom(description, { resource, operation }, names);
	return await runReader(
		engine,
		{
			...parameters,
			...fixed,
			options: { concurrency: 1, batchSize: 1, ...(written as object), ...options },
		},
		items.map(({ form }) => ({ form })),
		{ onError, credentials: sessionCredential(`${service.baseUrl}/`, { sessionToken: SESSION }) },
	);
}

const exchange = ({ endpoint: { method, path, body }, isAnonymous }: Case, call: ExpectedCall): Exchange => {
	const values = [...(call.path ?? [])];
	const isFile = Object.values(body ?? {}).some(({ type }) => type === 'file');
	const form = isFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
	return {
		request: {
			method,
			path: `${SUB_PATH}${path.replace(/:\w+/g, () => String(values.shift()))}`,
			query: call.query ?? {},
			...(call.body && { body: call.body }),
			authorization: null,
			...(!isAnonymous && { cookie: SESSION }),
			contentType: call.body ? form : null,
		},
		response: call.response,
		headers: call.headers,
	};
};

const requested = (exchanges: Exchange[]) => exchanges.map((each) => each.request);
/** The members of every record, with null for members that the case omits. */
const blankFor = ({ row }: Case, record: object): object => {
	const { members, instead = {} } = resultSchema(row.output);
	const isOther = Object.keys(record).some((name) => name in instead);
	return Object.fromEntries(Object.keys(isOther ? instead : members).map((name) => [name, null]));
};
const expectedItems = (
	testCase: Case,
	{ baseUrl }: FakeService,
	items: Item[],
	only = [0, 1, 2],
): object[] => {
	const records = only.flatMap((n) =>
		items[n]!.records.map((record) => from({ ...blankFor(testCase, record), ...record }, n)),
	);
	return JSON.parse(JSON.stringify(records).replaceAll(HOST_PLACEHOLDER, new URL(baseUrl).host)) as object[];
};
/** Serves the responses in the hosts' envelope. HTML responses have no envelope. */
const rejection = { code: -1, message: 'Not for you', result: 'ok', authenticated: true, user_id: 7 };

function serviceFor(testCase: Case, exchanges: Exchange[]): FakeService {
	const fixedReads = Object.entries(fixedResponses).filter(([path]) =>
		testCase.alsoReads?.includes(path as keyof typeof fixedResponses),
	);
	return createFakeService(exchanges, SUB_PATH, Object.fromEntries(fixedReads));
}

const isRecord = (response: object | string) => typeof response === 'object' && !Array.isArray(response);

/** Blank values of a parameter. */
const blankValues = ['', null, undefined];
/** Looked up if missing, read from the account, or rejected if blank: other tests cover these. */
const filledByNode = [
	...['in_folder', 'location', 'bio', 'website', 'photo_service'],
	...['days', 'cutoff_timestamp', 'direction'],
];

/** The optional parameters whose form names are not those of other fields. */
const omittedIfBlank = ({ endpoint, row }: Case, form: Item['form']): string[] =>
	Object.entries({ ...endpoint.query, ...endpoint.body })
		.filter(([name, { required }]) => {
			const field = { ...row.query, ...row.body }[name];
			const isInForm = field && (field.paramName ?? name) in form;
			return isInForm && !required && !field.required && !filledByNode.includes(name) && !endpoint.by;
		})
		.map(([name]) => name);

/** An item in which these parameters are blank. */
function withBlank({ row }: Case, { form, calls, records }: Item, names: string[], n: number): Item {
	const fields = { ...row.query, ...row.body };
	const blankParameters = names.map((name) => [fields[name]!.paramName ?? name, blankValues[n]] as const);
	const without = (values: ExpectedCall['query']): ExpectedCall['query'] =>
		values && Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
	return {
		form: { ...form, ...Object.fromEntries(blankParameters) },
		calls: calls.map((call) => ({ ...call, query: without(call.query), body: without(call.body) })),
		records,
	};
}

describe.each(
	cases.map((testCase): [string, Case] => [`${testCase.resource}.${testCase.operation}`, testCase]),
)('%s', (_, testCase) => {
	const itemsOf = (variant: Variant) => [0, 1, 2].map((n) => testCase.item(n, variant));
	const exchangesOf = (items: Item[]) =>
		items.map(({ calls }) => calls.map((call) => exchange(testCase, call)));

	it.each(variants)('sends the values of each item and pairs the output (%s)', async (variant) => {
		const items = itemsOf(variant);
		const exchanges = exchangesOf(items).flat();
		const service = serviceFor(testCase, exchanges);
		const result = await run(service, testCase, items);
		expect(sortRequests(service.requests)).toEqual(sortRequests(requested(exchanges)));
		expect(result.error).toBeUndefined();
		expect(result.json('After')).toEqual(expectedItems(testCase, service, items));
		for (const [n, { files = {} }] of items.entries()) {
			const found = result.items('News Reader').find(({ pairedItem }) => Object(pairedItem).item === n);
			const texts = Object.entries(found?.binary ?? {}).map(([name, { data }]) => [
				name,
				Buffer.from(data, 'base64').toString(),
			]);
			expect(Object.fromEntries(texts)).toEqual(files);
		}
	});

	const optional = omittedIfBlank(testCase, testCase.item(0, 'contract').form);
	if (optional.length > 0) {
		it('omits blank fields', async () => {
			const items = itemsOf('contract').map((item, n) => withBlank(testCase, item, optional, n));
			const exchanges = exchangesOf(items).flat();
			const service = serviceFor(testCase, exchanges);
			await run(service, testCase, items, { onError: 'continueRegularOutput' });
			expect(sortRequests(service.requests)).toEqual(sortRequests(requested(exchanges)));
		});
	}

	// Operations that join or split responses have no single raw response.
	const isOneToOne = !testCase.row.batch && !testCase.row.run;
	if (isOneToOne) {
		it('returns the service’s response unchanged with Raw Response', async () => {
			const items = itemsOf('wild');
			const service = serviceFor(testCase, exchangesOf(items).flat());
			const result = await run(service, testCase, items, { options: { rawResponse: true } });
			for (const [n, { calls }] of items.entries()) {
				const output = result.json('After').filter(({ from: item }) => item === `item ${n}`);
				const raw = calls.map(({ response }): object =>
					isRecord(response) ? Object(response) : { data: response },
				);
				expect(output).toEqual(raw.map((reply) => from(reply, n)));
			}
		});
	}

	describe('if the service rejects the second item', () => {
		const items = itemsOf('wild');
		const exchanges = exchangesOf(items);
		const path = exchanges[1]![0]!.request.path.slice(SUB_PATH.length);
		const exchangesWithRejection = [
			...exchanges[0]!,
			{ ...exchanges[1]![0]!, response: rejection },
			...exchanges[2]!,
		];
		// What was refused, the service's own words, and the item.
		const refusal = expect.stringMatching(
			/^The news reader service refused to [a-z].*\. It says: “Not for you” \[item 1\]$/,
		) as string;
		const error = { error: refusal, details: expect.stringContaining(path) as string };

		it('returns the other items, and the error instead of the second item', async () => {
			const service = serviceFor(testCase, exchangesWithRejection);
			const result = await run(service, testCase, items, { onError: 'continueRegularOutput' });
			const [first, last] = [
				expectedItems(testCase, service, items, [0]),
				expectedItems(testCase, service, items, [2]),
			];
			expect(result.json('After')).toEqual([...first, from(error, 1), ...last]);
		});

		it('sends the error with the input item to the error output', async () => {
			const service = serviceFor(testCase, exchangesWithRejection);
			const result = await run(service, testCase, items, { onError: 'continueErrorOutput' });
			expect(result.json('After')).toEqual(expectedItems(testCase, service, items, [0, 2]));
			expect(result.items('News Reader', 1)).toMatchObject([
				{ json: { key: 'item 1', ...error }, pairedItem: { item: 1 } },
			]);
		});

		it('stops, and reports the failed item and the completed ones', async () => {
			const service = serviceFor(testCase, exchangesWithRejection);
			const result = await run(service, testCase, items);
			expect(result.status).toBe('error');
			expect(result.error).toMatchObject({
				name: 'NodeApiError',
				message: refusal,
				description: expect.stringContaining(
					'Item 0 was done. Item 1 was not done. Item 2 was not begun.',
				) as string,
				context: { itemIndex: 1 },
			});
			expect(service.requests).toEqual(requested(exchangesWithRejection.slice(0, exchanges[0]!.length + 1)));
			expect(result.items('After')).toEqual([]);
		});
	});
});
