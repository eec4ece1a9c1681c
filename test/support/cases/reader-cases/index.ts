import type { Operation } from '../../../../nodes/runtime/table/operation';
import { readerTable } from '../../../../nodes/tables';
import { keyOf } from '../endpoint';
import { readerEndpoints, type ReaderEndpoint } from '../reader-endpoints';
import { feedCases } from './feeds';
import { socialCases } from './social';
import { storyCases } from './stories';
import type { ReaderCase } from './vocabulary';

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
export const handwritten: ReaderCase[] = [...storyCases, ...feedCases, ...socialCases];

/** The handwritten cases, each with its operation of the table. */
export const cases: Case[] = handwritten.flatMap((testCase) => {
	const [method, path = ''] = testCase.call.split(' ');
	const isBy = testCase.call.endsWith(' by h');
	const endpoint = readerEndpoints.find(
		(candidate) => candidate.method === method && candidate.path === path && Boolean(candidate.by) === isBy,
	);
	const found = endpoint && rows.find(({ name }) => name === nameOf(keyOf(endpoint), isBy));
	return endpoint && found ? [{ ...testCase, ...found, endpoint }] : [];
});
