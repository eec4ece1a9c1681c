/** Tests the Link Manager with arbitrary responses: it throws only n8n's errors, and returns only values of the response. */
import fc from 'fast-check';
import { cases, parametersFrom, completeSample, type Case } from '../support/cases/link-samples';
import { KEY, NODE, runNode } from '../support/nodes/link-node';
import { clock } from '../support/nodes/built';
import { anyNumber, anyReply, expectClearError, leavesOf, parseBody } from '../support/hosts/any-reply';
import { useFakeHost } from '../support/hosts/use-fake-host';
import { propertyOptions } from '../support/cases/random';

const RUNS = 12;

const world = useFakeHost();

const anyError = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(0, '0') },
	{ weight: 2, arbitrary: fc.constantFrom(1, '1', true, null, 'no', {}, { toString: 1 }) },
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

/** Bodies in the format of the service, with arbitrary values in each member. */
const serviceBody = (collection: string): fc.Arbitrary<object> =>
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

/** Whether a response is successful according to the interface document. */
function isSuccess(response: unknown, method: string, status: number): boolean {
	const { error } = Object(response) as { error?: unknown };
	if (typeof error === 'string' && error.trim() !== '') return Number(error) === 0;
	if (['number', 'boolean'].includes(typeof error)) return Number(error) === 0;
	return method === 'GET' && status < 300;
}

let accounts = 0;

it.each(cases.map((testCase): [string, Case] => [`${testCase.resource}.${testCase.operation}`, testCase]))(
	'%s',
	async (_, testCase) => {
		const expected = completeSample(testCase, 'filled');
		const parameters = {
			...parametersFrom(world.engine.nodeType(NODE).description, testCase, Object.keys(expected.form)),
			...(testCase.row.paging && { returnAll: true }),
			options: { maximumWait: 5 },
		};
		await fc.assert(
			fc.asyncProperty(anyReply(serviceBody(testCase.endpoint.collection ?? 'none')), async (reply) => {
				world.host.respond = () => reply;
				// Each run has its own account, so the rate limit of one does not affect the next.
				const account = { baseUrl: world.host.baseUrl, apiKey: `${KEY}-${(accounts += 1)}` };
				const startedAt = clock.now();
				const run = await runNode(world.engine, account, parameters, [{ form: expected.form }]);
				/** A creation returns the time of the run, in whole seconds. */
				const isTimeOfRun = (leaf: string): boolean =>
					testCase.operation === 'create' &&
					Date.parse(leaf) > startedAt - 1000 &&
					Date.parse(leaf) <= clock.now();
				const response = parseBody(reply.body);
				if (run.error) {
					expectClearError(run.error as Error, account.apiKey);
					return;
				}
				expect(isSuccess(response, testCase.endpoint.method, reply.status)).toBe(true);
				const allowed = new Set([
					...leavesOf(response),
					...leavesOf(expected.path),
					...leavesOf(expected.body),
				]);
				const invented = run
					.json('Link Manager')
					.flatMap(leavesOf)
					.filter((leaf) => !allowed.has(leaf) && !['true', 'false', 'null', '***'].includes(leaf))
					.filter((leaf) => !isTimeOfRun(leaf));
				expect(invented).toEqual([]);
				if (!testCase.endpoint.collection) expect(run.json('Link Manager')).toHaveLength(1);
			}),
			{ ...propertyOptions(RUNS), endOnFailure: true },
		);
	},
);
