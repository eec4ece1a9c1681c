/** The cases of the reader, each with its operation of the table. */
import { keyOf } from '../../../cases/endpoint.ts';
import { endpointOf, readerCases, type ReaderEndpoint } from '../../../cases/reader/index.ts';
import type { ReaderCase } from '../../../cases/reader/vocabulary.ts';
import type { Operation } from '../../../nodes/runtime/table/operation';
import { readerTable } from '../../../nodes/tables';

export interface Case extends ReaderCase {
	name: string;
	endpoint: ReaderEndpoint;
	resource: string;
	operation: string;
	row: Operation;
}

const nameOf = (key: string, isBy: boolean) => (isBy ? `${key} by h` : key);
/** Every operation of the table that is an endpoint. */
export const rows = Object.entries(readerTable).flatMap(([resource, { operations }]) =>
	Object.entries(operations as Record<string, Operation>)
		.filter(([, row]) => !row.isExtra)
		.map(([operation, row]) => {
			const key = keyOf({ method: row.method, path: row.template });
			return { name: nameOf(key, 'h' in row.query), resource, operation, row };
		}),
);

export const nameOfCase = (readerCase: ReaderCase): string => {
	const endpoint = endpointOf(readerCase);
	return nameOf(keyOf(endpoint), endpoint.by !== undefined);
};

export const cases: Case[] = readerCases.flatMap((readerCase) => {
	const found = rows.find(({ name }) => name === nameOfCase(readerCase));
	return found ? [{ ...readerCase, ...found, endpoint: endpointOf(readerCase) }] : [];
});
