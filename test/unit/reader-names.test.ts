/** The output members of all News Reader operations and events use the node's names, not the service's. */
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
