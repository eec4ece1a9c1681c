import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import type { Dialect } from '../transport/service';
import type { Answer } from '../transport/http';
import { apiError } from '../errors/errors';
import { isRecord } from '../values';
import { requestOf } from '../transport/request';
import { unexpectedAnswer } from '../errors/messages';
import type { Operation, Paging, Parts } from '../table/operation';

/** What a list needs to be read: where to ask, in whose name, and what for. */
export interface ListRequest {
	client: Client;
	dialect: Dialect;
	row: Operation;
	parts: Parts;
	item: number;
}

export interface Page {
	records: IDataObject[];
	answer: Answer;
	more: boolean;
	notice?: string;
}

const pagingOf = (row: Operation): Paging => {
	if (!row.paging) throw new Error(`${row.route} is not a list`);
	return row.paging;
};

/** Reads one page; its records are tidied. Throws a clear error if the answer holds no list of records. */
export async function readPage(list: ListRequest, page: number, size: number): Promise<Page> {
	const { client, dialect, row, parts, item } = list;
	const paging = pagingOf(row);
	const request = requestOf(row, { ...parts, query: { ...parts.query, ...paging.query(page, size) } });
	const answer = await client.send(request, item);
	const refuse = (reason: string) =>
		apiError(client.node, { ...unexpectedAnswer(dialect.service, request.path, reason), itemIndex: item });
	const { records, more, objection, notice } = paging.read(answer, page, refuse, parts.query);
	if (objection) {
		const description = `The service said this instead of answering ${request.path}.`;
		throw apiError(client.node, { message: objection, description, itemIndex: item });
	}
	const stray = records.find((record) => !isRecord(record));
	if (stray !== undefined) throw refuse(`a list that holds ${JSON.stringify(stray)}`);
	return {
		records: records.map((record) => row.output.kind.tidy(record) as IDataObject),
		answer,
		more,
		notice,
	};
}

/**
 * Reads pages until `limit` records are there or the list ends, and yields the new records of each.
 * Filters go with every page. A page that repeats earlier ones ends the list;
 * a record that slipped onto two pages is yielded once.
 */
export async function* readPages(list: ListRequest, limit = Infinity): AsyncGenerator<Page> {
	const paging = pagingOf(list.row);
	const size = Math.min(paging.pageSize, limit);
	const seen = new Set<string>();
	let left = limit;
	for (let number = paging.firstPage; left > 0; number += 1) {
		const page = await readPage(list, number, size);
		const fresh = page.records.filter((record) => {
			const identity = paging.identity(record);
			return !seen.has(identity) && seen.add(identity);
		});
		yield { ...page, records: fresh.slice(0, left) };
		left -= fresh.length;
		const isRepeated = page.records.length > 0 && fresh.length === 0;
		if (!page.more || isRepeated) return;
	}
}

/** All records of a list, up to `limit`. */
export async function readRecords(list: ListRequest, limit?: number): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const page of readPages(list, limit)) records.push(...page.records);
	return records;
}
