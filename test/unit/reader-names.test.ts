/** The names of the members that the News Reader and its trigger return, over the whole table. */
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

it.each([...operations, ...handedOver])('%s names no member as the service does', (_, paths) => {
	expect(paths.filter((path) => path.includes('_'))).toEqual([]);
});

it('masks the account’s token under our names as under the service’s', () => {
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
