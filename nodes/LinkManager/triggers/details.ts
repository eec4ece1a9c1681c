import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { classOf, TEMPORARY } from '../../runtime/errors/errors';
import type { Operation } from '../../runtime/table/operation';
import { isRecord, settled, toInteger } from '../../runtime/values';
import { idOf } from './reading';
import type { Statistics } from './statistics';

/** A count as a number, or as digits that may be grouped, such as `1,234`; undefined for anything else. */
export function toCount(raw: unknown): number | undefined {
	const digits = typeof raw === 'string' ? raw.trim().replace(/[,.'’\s](?=\d{3}(?!\d))/g, '') : raw;
	const count = toInteger(digits);
	return count === undefined ? undefined : Math.max(count, 0);
}

/** A record as its own response shows it. */
export interface Details {
	record: IDataObject;
	statistics?: Statistics;
}

/**
 * Requests the details of a record. Returns a temporary failure, so that the next poll tries again. If the record is
 * gone, or causes an internal error of the host, returns the record without statistics: otherwise a failure that lasts
 * would delay all events.
 */
export async function readDetails(
	get: Operation,
	record: IDataObject,
	counter: string,
	api: Api,
): Promise<Details | { failure: unknown }> {
	const response = await settled(api.ask(get, { path: { id: idOf(record) } }));
	if ('error' in response) {
		const { error } = response;
		const failure = classOf(error);
		if (failure === 'refused' || failure === 'failed') return { record };
		if (TEMPORARY.has(failure)) return { failure: error };
		throw error;
	}
	const selected = get.output.schema.coerce(get.output.select(response.value, {}), response.value.zone);
	if (!isRecord(selected)) return { record };
	const { statistics, ...members } = selected as IDataObject;
	const total = toCount(members[counter]);
	const isCurrent = total !== undefined && total >= (toCount(record[counter]) ?? 0);
	return {
		record: isCurrent ? { ...record, ...members } : record,
		...(isRecord(statistics) && { statistics }),
	};
}
