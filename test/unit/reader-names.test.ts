/** The names that the News Reader and its trigger give members, over the whole table. */
import { events } from '../../nodes/NewsReader/triggers';
import { outputSchema } from '../../nodes/runtime/description/outputSchema';
import { readerTable } from '../../nodes/tables';
import { pathsOf } from '../support/declared';

const operations = Object.entries(readerTable).flatMap(([resource, rows]) =>
	Object.entries(rows.operations).map(([operation, row]): [string, string[]] => [
		`${resource}.${operation}`,
		pathsOf(outputSchema(row)),
	]),
);
const handedOver = Object.entries(events).map(([name, { gives }]): [string, string[]] => [
	name,
	pathsOf(gives!({})!.schema),
]);

it.each([...operations, ...handedOver])('%s names no member as the service does', (_, paths) => {
	expect(paths.filter((path) => path.includes('_'))).toEqual([]);
});
