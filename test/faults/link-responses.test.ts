/** Arbitrary responses: the node never breaks, and returns nothing that was not in the response. */
import fc from 'fast-check';
import { cases, parametersFrom, wholeSample, type Case } from '../support/cases/link-samples';
import { KEY, NODE, runNode } from '../support/nodes/link-node';
import { clock } from '../support/nodes/built';
import { anyNumber, anyReply, expectClear, leaves, parsed } from '../support/hosts/any-reply';
import { useFakeHost } from '../support/hosts/use-fake-host';
import { draws } from '../support/cases/random';

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

/** Whether the interface document calls an answer a success. */
function isSuccess(response: unknown, method: string, status: number): boolean {
	const { error } = Object(response) as { error?: unknown };
	if (typeof error === 'string' && error.trim() !== '') return Number(error) === 0;
	if (['number', 'boolean'].includes(typeof error)) return Number(error) === 0;
	return method === 'GET' && status < 300;
}

let accounts = 0;

it.each(cases.map((of): [string, Case] => [`${of.resource}.${of.operation}`, of]))('%s', async (_, of) => {
	const wanted = wholeSample(of, 'filled');
	const parameters = {
		...parametersFrom(world.engine.nodeType(NODE).description, of, Object.keys(wanted.form)),
		...(of.row.paging && { returnAll: true }),
		options: { maximumWait: 5 },
	};
	await fc.assert(
		fc.asyncProperty(anyReply(likeTheService(of.endpoint.collection ?? 'none')), async (reply) => {
			world.host.respond = () => reply;
			// Each run has an account of its own: what one learns of the rate limit is nothing to the next.
			const account = { baseUrl: world.host.baseUrl, apiKey: `${KEY}-${(accounts += 1)}` };
			const begun = clock.now();
			const run = await runNode(world.engine, account, parameters, [{ form: wanted.form }]);
			/** A creation says in whole seconds when it was. */
			const isMomentOfRun = (leaf: string): boolean =>
				of.operation === 'create' && Date.parse(leaf) > begun - 1000 && Date.parse(leaf) <= clock.now();
			const response = parsed(reply.body);
			if (run.error) {
				expectClear(run.error as Error, account.apiKey);
				return;
			}
			expect(isSuccess(response, of.endpoint.method, reply.status)).toBe(true);
			const given = new Set([...leaves(response), ...leaves(wanted.path), ...leaves(wanted.body)]);
			const invented = run
				.json('Link Manager')
				.flatMap(leaves)
				.filter((leaf) => !given.has(leaf) && !['true', 'false', 'null', '***'].includes(leaf))
				.filter((leaf) => !isMomentOfRun(leaf));
			expect(invented).toEqual([]);
			if (!of.endpoint.collection) expect(run.json('Link Manager')).toHaveLength(1);
		}),
		{ ...draws(RUNS), endOnFailure: true },
	);
});
