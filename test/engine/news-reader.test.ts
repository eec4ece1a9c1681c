/**
 * Every operation of the News Reader on n8n's own engine, against what the interface document says it sends and
 * gets. The table only says which operations there are; the expected requests and records are written by hand in reader-cases.
 */
import nock from 'nock';
import type { Engine, NodeJson, RunResult } from '../../engine/index.ts';
import { resultSchema } from '../../nodes/runtime/table/operation';
import { clock } from '../support/nodes/built';
import { missingFrom, variants, type Variant } from '../support/cases/endpoint';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { sortRequests, createFakeService, type Exchange, type FakeService } from '../support/hosts/exchanges';
import { parametersFrom } from '../support/cases/parameters';
import { cases, handwritten, rows, type Case } from '../support/cases/reader-cases';
import {
	fixedResponses,
	HOST_PLACEHOLDER,
	type ExpectedCall,
	type Item,
} from '../support/cases/reader-cases/vocabulary';
import { from, NODE, runReader, SESSION, sessionCredential, startEngine } from '../support/nodes/reader-node';

const SUB_PATH = '/tools/reader';

let engine: Engine;
let time: VirtualClock;

beforeAll(async () => {
	nock.disableNetConnect();
	engine = await startEngine();
	// Once a minute is often enough for a service, not for a test.
	time = makeVirtual(clock);
});

afterEach(() => nock.cleanAll());
afterAll(() => time.restore());

it('has a case for every operation that is an endpoint', () => {
	const written = cases.map(({ name }) => name);
	const wanted = rows.map(({ name }) => name);
	expect(
		missingFrom(written, wanted, 'test/support/cases/reader-cases, from the interface document'),
	).toEqual([]);
	expect(written.sort()).toEqual(wanted.sort());
});

it('has an operation for every case', () => {
	expect(cases.map(({ call }) => call)).toEqual(handwritten.map(({ call }) => call));
});

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

const exchange = ({ endpoint: { method, path, body }, isAnonymous }: Case, ask: ExpectedCall): Exchange => {
	const values = [...(ask.path ?? [])];
	const isFile = Object.values(body ?? {}).some(({ type }) => type === 'file');
	const form = isFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
	return {
		request: {
			method,
			path: `${SUB_PATH}${path.replace(/:\w+/g, () => String(values.shift()))}`,
			query: ask.query ?? {},
			...(ask.body && { body: ask.body }),
			authorization: null,
			...(!isAnonymous && { cookie: SESSION }),
			contentType: ask.body ? form : null,
		},
		response: ask.response,
		headers: ask.headers,
	};
};

const requested = (exchanges: Exchange[]) => exchanges.map((each) => each.request);
/** The members that every record has; null if the case does not mention them. */
const blankFor = ({ row }: Case, record: object): object => {
	const { members, instead = {} } = resultSchema(row.output);
	const isOther = Object.keys(record).some((name) => name in instead);
	return Object.fromEntries(Object.keys(isOther ? instead : members).map((name) => [name, null]));
};
const given = (of: Case, { baseUrl }: FakeService, items: Item[], only = [0, 1, 2]): object[] => {
	const records = only.flatMap((n) =>
		items[n]!.records.map((record) => from({ ...blankFor(of, record), ...record }, n)),
	);
	return JSON.parse(JSON.stringify(records).replaceAll(HOST_PLACEHOLDER, new URL(baseUrl).host)) as object[];
};
/** Hosts put what they answer in an envelope; a case may be asked for HTML, which has none. */
const refusal = { code: -1, message: 'Not for you', result: 'ok', authenticated: true, user_id: 7 };

function serviceFor(of: Case, exchanges: Exchange[]): FakeService {
	const looks = Object.entries(fixedResponses).filter(([path]) =>
		of.alsoReads?.includes(path as keyof typeof fixedResponses),
	);
	return createFakeService(exchanges, SUB_PATH, Object.fromEntries(looks));
}

const isPlain = (response: object | string) => typeof response === 'object' && !Array.isArray(response);

/** Ways to leave a parameter blank. */
const blank = ['', null, undefined];
/** Looked up if missing, read from the account, or refused if blank: these have tests of their own. */
const filledIn = [
	...['in_folder', 'location', 'bio', 'website', 'photo_service'],
	...['days', 'cutoff_timestamp', 'direction'],
];

/** The optional parameters that the form has under a name of their own. */
const leftOutWhenBlank = ({ endpoint, row }: Case, form: Item['form']): string[] =>
	Object.entries({ ...endpoint.query, ...endpoint.body })
		.filter(([name, { required }]) => {
			const field = { ...row.query, ...row.body }[name];
			const isInForm = field && (field.paramName ?? name) in form;
			return isInForm && !required && !field.required && !filledIn.includes(name) && !endpoint.by;
		})
		.map(([name]) => name);

/** An item that says nothing of these parameters. */
function blanked({ row }: Case, { form, calls, records }: Item, names: string[], n: number): Item {
	const fields = { ...row.query, ...row.body };
	const unsaid = names.map((name) => [fields[name]!.paramName ?? name, blank[n]] as const);
	const without = (values: ExpectedCall['query']): ExpectedCall['query'] =>
		values && Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
	return {
		form: { ...form, ...Object.fromEntries(unsaid) },
		calls: calls.map((ask) => ({ ...ask, query: without(ask.query), body: without(ask.body) })),
		records,
	};
}

describe.each(cases.map((of): [string, Case] => [`${of.resource}.${of.operation}`, of]))('%s', (_, of) => {
	const itemsOf = (variant: Variant) => [0, 1, 2].map((n) => of.item(n, variant));
	const exchangesOf = (items: Item[]) => items.map(({ calls }) => calls.map((ask) => exchange(of, ask)));

	it.each(variants)('sends each item’s values and pairs the output (%s)', async (variant) => {
		const items = itemsOf(variant);
		const exchanges = exchangesOf(items).flat();
		const service = serviceFor(of, exchanges);
		const result = await run(service, of, items);
		expect(sortRequests(service.requests)).toEqual(sortRequests(requested(exchanges)));
		expect(result.error).toBeUndefined();
		expect(result.json('After')).toEqual(given(of, service, items));
		for (const [n, { files = {} }] of items.entries()) {
			const found = result.items('News Reader').find(({ pairedItem }) => Object(pairedItem).item === n);
			const texts = Object.entries(found?.binary ?? {}).map(([name, { data }]) => [
				name,
				Buffer.from(data, 'base64').toString(),
			]);
			expect(Object.fromEntries(texts)).toEqual(files);
		}
	});

	const optional = leftOutWhenBlank(of, of.item(0, 'contract').form);
	if (optional.length > 0) {
		it('does not send blank fields', async () => {
			const items = itemsOf('contract').map((item, n) => blanked(of, item, optional, n));
			const exchanges = exchangesOf(items).flat();
			const service = serviceFor(of, exchanges);
			await run(service, of, items, { onError: 'continueRegularOutput' });
			expect(sortRequests(service.requests)).toEqual(sortRequests(requested(exchanges)));
		});
	}

	// Operations that join or split responses have no single one to return.
	const isOneToOne = !of.row.batch && !of.row.run;
	if (isOneToOne) {
		it('returns the service’s response unchanged with Raw Response', async () => {
			const items = itemsOf('wild');
			const service = serviceFor(of, exchangesOf(items).flat());
			const result = await run(service, of, items, { options: { rawResponse: true } });
			for (const [n, { calls }] of items.entries()) {
				const came = result.json('After').filter(({ from: item }) => item === `item ${n}`);
				const raw = calls.map(({ response }): object =>
					isPlain(response) ? Object(response) : { data: response },
				);
				expect(came).toEqual(raw.map((reply) => from(reply, n)));
			}
		});
	}

	describe('when the service refuses the item in the middle', () => {
		const items = itemsOf('wild');
		const exchanges = exchangesOf(items);
		const path = exchanges[1]![0]!.request.path.slice(SUB_PATH.length);
		const refused = [...exchanges[0]!, { ...exchanges[1]![0]!, response: refusal }, ...exchanges[2]!];
		const error = { error: 'Not for you', details: expect.stringContaining(path) as string };

		it('returns the other items, and the error in its place', async () => {
			const service = serviceFor(of, refused);
			const result = await run(service, of, items, { onError: 'continueRegularOutput' });
			const [first, last] = [given(of, service, items, [0]), given(of, service, items, [2])];
			expect(result.json('After')).toEqual([...first, from(error, 1), ...last]);
		});

		it('hands the error to the error output, with the input item', async () => {
			const service = serviceFor(of, refused);
			const result = await run(service, of, items, { onError: 'continueErrorOutput' });
			expect(result.json('After')).toEqual(given(of, service, items, [0, 2]));
			expect(result.items('News Reader', 1)).toMatchObject([
				{ json: { key: 'item 1', ...error }, pairedItem: { item: 1 } },
			]);
		});

		it('stops, and names the failed item and those that are done', async () => {
			const service = serviceFor(of, refused);
			const result = await run(service, of, items);
			expect(result.status).toBe('error');
			expect(result.error).toMatchObject({
				name: 'NodeApiError',
				message: 'Not for you',
				description: expect.stringContaining('Done: 0. In doubt: none. Not done: 1. Not begun: 2.') as string,
				context: { itemIndex: 1 },
			});
			expect(service.requests).toEqual(requested(refused.slice(0, exchanges[0]!.length + 1)));
			expect(result.items('After')).toEqual([]);
		});
	});
});
