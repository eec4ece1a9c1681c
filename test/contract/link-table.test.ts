import { routes } from '../../sandbox/links/resources/index.ts';
import type { Operation } from '../../nodes/runtime/table/operation';
import { linkTable } from '../../nodes/tables';
import { keyOf, type Endpoint } from '../../cases/endpoint.ts';
import { missingFrom } from '../support/cases/parameters';
import { linkEndpoints } from '../../cases/links.ts';

const rows: Operation[] = Object.values(linkTable).flatMap(({ operations }) => Object.values(operations));
const endpointRows = rows.filter((row) => !row.isExtra);
const keyOfRow = ({ method, template }: Operation): string => keyOf({ method, path: template });
/** Whether each parameter is required, by name. */
const required = (parameters: Record<string, { required: boolean }> = {}): Record<string, boolean> =>
	Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, parameter.required]));
const sorted = (texts: string[]) => [...texts].sort();

it('has one row for every endpoint, and an endpoint for every row', () => {
	const offered = endpointRows.map(keyOfRow);
	const transcribed = linkEndpoints.map(keyOf);
	expect([
		...missingFrom(transcribed, offered, 'cases/links.ts, from the interface document'),
		...missingFrom(offered, transcribed, 'nodes/LinkManager/resources'),
	]).toEqual([]);
	expect(sorted(offered)).toEqual(sorted(transcribed));
});

it('has every endpoint in the sandbox', () => {
	const served = routes.map(({ method, path }) => keyOf({ method, path: `/api${path}` }));
	const transcribed = linkEndpoints.map(keyOf);
	expect(missingFrom(served, transcribed, 'sandbox/links/resources')).toEqual([]);
	expect(sorted(served)).toEqual(sorted(transcribed));
});

describe.each(linkEndpoints.map((endpoint): [string, Endpoint] => [keyOf(endpoint), endpoint]))(
	'%s',
	(key, endpoint) => {
		const row = rows.find((candidate) => keyOfRow(candidate) === key)!;

		it('has the paging, the parameters and the required parameters of the endpoint', () => {
			const paging = Object.keys(row.paging?.query(1, 1) ?? {}).map((name) => [name, false]);
			expect(row.paging !== undefined).toBe(endpoint.collection !== undefined);
			expect({ ...required(row.query), ...Object.fromEntries(paging) }).toEqual(required(endpoint.query));
			expect(required(row.body)).toEqual(required(endpoint.body));
		});

		it('declares no output field that is never returned', () => {
			const { contract, wild } = endpoint.example({ n: 1, ids: [1, 2, 3], body: {} });
			const returned = Object.keys({ ...contract.record, ...wild.record });
			const promised = Object.keys(row.output.schema.jsonSchema.properties ?? {});
			expect(missingFrom(returned, promised, `the example of ${key} in cases/links.ts`)).toEqual([]);
		});

		const listed = Object.entries({ ...endpoint.query, ...endpoint.body }).flatMap(
			([name, { type }]): Array<[string, readonly string[]]> =>
				typeof type === 'string' ? [] : [[name, type]],
		);
		for (const [name, values] of listed) {
			it(`offers every value of ${name}`, () => {
				const [property] = { ...row.query, ...row.body }[name]!.properties(name);
				const offered = (property?.options ?? []).map((option) =>
					'value' in option ? String(option.value) : '',
				);
				expect(sorted(offered)).toEqual(sorted([...values]));
			});
		}
	},
);
