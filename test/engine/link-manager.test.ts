/**
 * Runs every operation of the Link Manager on n8n's engine and compares its requests and output with the interface
 * document. Expected requests and output are in test/support/cases; the table only lists the operations.
 */
import nock from 'nock';
import type { NodeJson, RunResult } from '../../engine/index.ts';
import { variants, type Variant } from '../../cases/endpoint.ts';
import { sortRequests, createFakeService, type Exchange, type FakeService } from '../support/hosts/exchanges';
import { from, KEY, NODE, runNode } from '../support/nodes/link-node';
import {
	cases,
	idsOf,
	parametersFrom,
	pathOf,
	sample,
	type Case,
	type Sample,
} from '../support/cases/link-samples';
import { engine } from '../support/nodes/suite-engine';

const SUB_PATH = '/tools/links';
const limitFromItem = { returnAll: false, limit: '={{ $json.limit }}' };

beforeAll(() => nock.disableNetConnect());

afterEach(() => nock.cleanAll());

/** Runs an operation whose parameters come from the input items. */
async function run(
	service: FakeService,
	testCase: Case,
	wanted: Sample[],
	{ parameters = {}, onError }: { parameters?: { options?: object }; onError?: NodeJson['onError'] } = {},
): Promise<RunResult> {
	const names = [...new Set(wanted.flatMap(({ form }) => Object.keys(form)))];
	const fromItems = parametersFrom(engine.nodeType(NODE).description, testCase, names);
	return await runNode(
		engine,
		{ baseUrl: `${service.baseUrl}/` },
		{
			...fromItems,
			...(testCase.row.paging && limitFromItem),
			...parameters,
			options: { ...Object(fromItems.options), ...parameters.options } as object,
		},
		wanted.map(({ form }, n) => ({ limit: n + 1, form })),
		{ onError },
	);
}

interface Expected extends Exchange {
	/** The record in the response. */
	output: object;
}

/** The expected request of an item with these values, and its response. */
function expected({ endpoint }: Case, n: number, wanted: Sample, variant: Variant = 'contract'): Expected {
	const { path, body } = wanted;
	const { response, record: output } = endpoint.example({ n, ids: idsOf(endpoint, path), body })[variant];
	return {
		request: {
			method: endpoint.method,
			path: `${SUB_PATH}${pathOf(endpoint, wanted.path)}`,
			query: wanted.query,
			...(endpoint.body && { body: wanted.body }),
			authorization: `Bearer ${KEY}`,
			contentType: 'application/json',
		},
		response,
		output,
	};
}

/** A response as an item: n8n takes an item with only `error` and `message` for a failure. */
const asItem = (response: object): object =>
	Object.keys(response).every((key) => ['error', 'message'].includes(key)) &&
	'error' in response &&
	response.error
		? { ...response, success: true }
		: response;

const requested = (exchanges: Exchange[]) => sortRequests(exchanges.map((exchange) => exchange.request));

describe.each(
	cases.map((testCase): [string, Case] => [`${testCase.resource}.${testCase.operation}`, testCase]),
)('%s', (_, testCase) => {
	const filled = [0, 1, 2].map((n) => sample(testCase, n, 'filled'));

	it.each(variants)('sends the values of each item and pairs the output (%s)', async (variant) => {
		const exchanges = filled.map((wanted, n) => expected(testCase, n, wanted, variant));
		const service = createFakeService(exchanges, SUB_PATH);
		const result = await run(service, testCase, filled);
		expect(sortRequests(service.requests)).toEqual(requested(exchanges));
		expect(result.error).toBeUndefined();
		expect(result.json('After')).toEqual(exchanges.map(({ output }, n) => from(output, n)));
	});

	it('omits blank fields', async () => {
		const blank = [0, 1, 2].map((n) => sample(testCase, n, 'blank'));
		const exchanges = blank.map((wanted, n) => expected(testCase, n, wanted));
		const service = createFakeService(exchanges, SUB_PATH);
		const result = await run(service, testCase, blank, { onError: 'continueRegularOutput' });
		const isEmptyUpdate =
			testCase.endpoint.method === 'PUT' && blank.every(({ body }) => Object.keys(body).length === 0);
		if (isEmptyUpdate) {
			expect(service.requests).toEqual([]);
			expect(result.json('Link Manager').map(({ error }) => error)).toEqual(
				[0, 1, 2].map((n) => `There is nothing to update [item ${n}]`),
			);
		} else {
			expect(sortRequests(service.requests)).toEqual(requested(exchanges));
			expect(result.json('After')).toEqual(exchanges.map(({ output }, n) => from(output, n)));
		}
	});

	describe('if the service rejects the second item', () => {
		const exchanges = filled.map((wanted, n) => expected(testCase, n, wanted));
		// Hosts report rejections with either status.
		const status = testCase.endpoint.method === 'GET' ? 200 : 400;
		const refused = { ...exchanges[1]!, status, response: { error: 1, message: 'Not for you' } };
		const { request } = refused;
		// A short URL is looked up with both schemes.
		const short = String(request.query.short).replace('https:', 'http:');
		const again = { ...refused, request: { ...request, query: { ...request.query, short } } };
		const refusals = 'short' in request.query ? [refused, again] : [refused];
		const exchangesWithRejection = [exchanges[0]!, ...refusals, exchanges[2]!];
		// The three requests are equal, so only the order identifies the second item.
		const parameters = { options: { concurrency: 1 } };
		// What was refused, the service's own words, and the item.
		const refusal = expect.stringMatching(
			/^The link management service refused to [a-z].*\. It says: “Not for you” \[item 1\]$/,
		) as string;
		const error = {
			error: refusal,
			details: expect.stringContaining(
				`${testCase.endpoint.method} ${pathOf(testCase.endpoint, filled[1]!.path)} (status ${status})`,
			) as string,
		};

		it('returns the other items, and the error instead of the second item', async () => {
			const service = createFakeService(exchangesWithRejection, SUB_PATH);
			const result = await run(service, testCase, filled, { parameters, onError: 'continueRegularOutput' });
			expect(result.json('After')).toEqual([
				from(exchanges[0]!.output, 0),
				from(error, 1),
				from(exchanges[2]!.output, 2),
			]);
		});

		it('sends the error with the input item to the error output', async () => {
			const service = createFakeService(exchangesWithRejection, SUB_PATH);
			const result = await run(service, testCase, filled, { parameters, onError: 'continueErrorOutput' });
			expect(result.json('After')).toEqual([from(exchanges[0]!.output, 0), from(exchanges[2]!.output, 2)]);
			expect(result.items('Link Manager', 1)).toMatchObject([
				{ json: { key: 'item 1', ...error }, pairedItem: { item: 1 } },
			]);
		});

		it('stops, and reports the failed item and the completed ones', async () => {
			const service = createFakeService(exchangesWithRejection, SUB_PATH);
			const result = await run(service, testCase, filled, { parameters });
			expect(result.status).toBe('error');
			expect(result.error).toMatchObject({
				name: 'NodeApiError',
				message: refusal,
				description: expect.stringContaining(
					'Item 0 was done. Item 1 was not done. Item 2 was not begun.',
				) as string,
				context: { itemIndex: 1 },
			});
			expect(sortRequests(service.requests)).toEqual(requested([exchanges[0]!, ...refusals]));
			expect(result.items('After')).toEqual([]);
		});
	});

	it('returns the service’s response unchanged with Raw Response', async () => {
		const exchanges = filled.map((wanted, n) => expected(testCase, n, wanted, 'wild'));
		const service = createFakeService(exchanges, SUB_PATH);
		const parameters = { options: { rawResponse: true, concurrency: 1 } };
		const result = await run(service, testCase, filled, { parameters });
		expect(result.json('After')).toEqual(
			exchanges.map(({ response }, n) => from(asItem(Object(response)), n)),
		);
	});
});
