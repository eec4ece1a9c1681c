/** The output members of all News Reader operations and events use the node's names, not the service's. */
import { newsReader } from '../../nodes/NewsReader/service';
import { events } from '../../nodes/NewsReader/triggers';
import { outputSchema } from '../../nodes/runtime/table/operation';
import { readerTable } from '../../nodes/tables';
import { pathsOf } from '../support/cases/declared';

const operations = Object.entries(readerTable).flatMap(([resource, rows]) =>
	Object.entries(rows.operations).map(([operation, row]): [string, string[]] => [
		`${resource}.${operation}`,
		pathsOf(outputSchema(row)),
	]),
);
const handedOver = Object.entries(events).map(([name, { output }]): [string, string[]] => [
	name,
	pathsOf(output!({})!.jsonSchema),
]);

it.each([...operations, ...handedOver])('%s has no member with a name of the service', (_, paths) => {
	expect(paths.filter((path) => path.includes('_'))).toEqual([]);
});

it('masks the account’s token under the node’s and the service’s names', () => {
	const reported = {
		shareExtToken: 'tok-1',
		secretToken: 'tok-2',
		feedAddress: 'https://a.test/?secret_token=tok-3',
	};
	const masked = newsReader.mask!({ ...reported, photoUrl: 'https://a.test/tok-1.png' }, {});
	expect(masked).toEqual({
		...{ shareExtToken: '***', secretToken: '***', feedAddress: '***' },
		photoUrl: 'https://a.test/***.png',
	});
	expect(newsReader.mask!(reported, { includeSecrets: ['share_ext_token'] }).shareExtToken).toBe('tok-1');
});
