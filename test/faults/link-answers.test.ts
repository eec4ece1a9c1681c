/** Any answer whatsoever: the node never breaks, and hands on nothing that was not in the answer. */
import fc from 'fast-check';
import type { Engine } from '../../demo/engine.ts';
import { clock } from '../built';
import { cases, parametersFrom, wholeSample, type Case } from '../engine/link-samples';
import { KEY, NODE, runNode, startEngine } from '../engine/link-node';
import { makeVirtual, type VirtualClock } from '../unit/virtual-clock';
import { Host, type Reply } from './host';

const RUNS = 12;

let engine: Engine;
let host: Host;
let time: VirtualClock;

beforeAll(async () => {
	engine = await startEngine();
	host = await Host.start(() => undefined);
	time = makeVirtual(clock);
});
afterAll(async () => {
	time.restore();
	await host.stop();
});

const anyNumber = fc.oneof(
	fc.integer(),
	fc.double(),
	fc.integer().map(String),
	fc.constantFrom('', '0', '-1', 'x', null, true),
);
const anyError = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(0, '0') },
	{ weight: 2, arbitrary: fc.constantFrom(1, '1', true, null, 'no', {}) },
	{ weight: 1, arbitrary: fc.jsonValue() },
);
const anyRecord = fc.dictionary(
	fc.constantFrom(
		'id',
		'name',
		'domain',
		'campaign',
		'public',
		'rotator',
		'link',
		'short',
		'shorturl',
		'clicks',
		'channel',
		'__proto__',
		'constructor',
		'toString',
	),
	fc.oneof(anyNumber, fc.jsonValue()),
);

/** Bodies that look like the service's own, with anything where something else is expected. */
const likeTheService = (collection: string): fc.Arbitrary<object> =>
	fc
		.record(
			{
				error: anyError,
				message: fc.oneof(fc.string(), fc.jsonValue()),
				id: anyNumber,
				details: fc.oneof(anyRecord, fc.jsonValue()),
				data: fc.oneof(
					fc.record(
						{
							result: anyNumber,
							nextpage: anyNumber,
							maxpage: anyNumber,
							[collection]: fc.oneof(fc.array(anyRecord, { maxLength: 5 }), fc.jsonValue()),
						},
						{ requiredKeys: [] },
					),
					anyRecord,
					fc.jsonValue(),
				),
			},
			{ requiredKeys: [] },
		)
		.chain((body) => anyRecord.map((more) => ({ ...more, ...body })));

const anyReply = (collection: string): fc.Arbitrary<Required<Reply>> =>
	fc.record({
		status: fc.oneof(
			{ weight: 3, arbitrary: fc.constant(200) },
			{
				weight: 1,
				arbitrary: fc.constantFrom(
					201,
					204,
					301,
					302,
					304,
					307,
					400,
					401,
					403,
					404,
					409,
					418,
					422,
					429,
					500,
					502,
					503,
					599,
				),
			},
		),
		headers: fc.dictionary(
			fc.constantFrom(
				'x-ratelimit-remaining',
				'x-ratelimit-reset',
				'retry-after',
				'date',
				'location',
				'content-type',
			),
			fc.oneof(
				fc.integer({ min: -5, max: 2 ** 45 }).map(String),
				fc.constantFrom('', 'soon', '/x', 'text/html', '0'),
			),
		),
		body: fc.oneof(
			{ weight: 6, arbitrary: likeTheService(collection) },
			{ weight: 1, arbitrary: fc.json() },
			{ weight: 1, arbitrary: fc.string() },
			{ weight: 1, arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
			{ weight: 1, arbitrary: likeTheService(collection).map((body) => JSON.stringify(body).slice(0, -2)) },
		),
	});

/** Every text and number of a value, as text; texts that stand for numbers also as these. */
function leaves(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
	const written = String(value);
	return typeof value === 'string' && value.trim() !== '' ? [written, String(Number(value))] : [written];
}

const parsed = (body: unknown): unknown => {
	if (typeof body === 'object' && !Buffer.isBuffer(body)) return JSON.parse(JSON.stringify(body)) as unknown;
	try {
		return JSON.parse(String(body)) as unknown;
	} catch {
		return undefined;
	}
};

/** Whether the interface document calls an answer a success. */
function isSuccess(answer: unknown, method: string, status: number): boolean {
	const { error } = Object(answer) as { error?: unknown };
	if (typeof error === 'string' && error.trim() !== '') return Number(error) === 0;
	if (['number', 'boolean'].includes(typeof error)) return Number(error) === 0;
	return method === 'GET' && status < 300;
}

const breakdowns = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError'];
let accounts = 0;

it.each(cases.map((of): [string, Case] => [`${of.resource}.${of.operation}`, of]))('%s', async (_, of) => {
	const wanted = wholeSample(of, 'filled');
	const parameters = {
		...parametersFrom(engine.nodeType(NODE).description, of, Object.keys(wanted.form)),
		...(of.row.paging && { returnAll: true }),
		options: { maximumWait: 5 },
	};
	await fc.assert(
		fc.asyncProperty(anyReply(of.endpoint.collection ?? 'none'), async (reply) => {
			host.answer = () => reply;
			// Each run has an account of its own: what one learns of the rate limit is nothing to the next.
			const account = { baseUrl: host.baseUrl, apiKey: `${KEY}-${(accounts += 1)}` };
			const run = await runNode(engine, account, parameters, [{ form: wanted.form }]);
			const answer = parsed(reply.body);
			if (run.error) {
				const { name, message, cause } = run.error as Error;
				expect(['NodeApiError', 'NodeOperationError']).toContain(name);
				expect(breakdowns).not.toContain(Object(cause).name);
				expect(message.trim()).not.toBe('');
				expect(message).not.toContain(account.apiKey);
				return;
			}
			expect(isSuccess(answer, of.endpoint.method, reply.status)).toBe(true);
			const given = new Set([...leaves(answer), ...leaves(wanted.path)]);
			const invented = run
				.json('Link Manager')
				.flatMap(leaves)
				.filter((leaf) => !given.has(leaf) && !['true', 'false', 'null', '***'].includes(leaf));
			expect(invented).toEqual([]);
			if (!of.endpoint.collection) expect(run.json('Link Manager')).toHaveLength(1);
		}),
		{ numRuns: RUNS },
	);
});
