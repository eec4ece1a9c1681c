import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { classOf, TEMPORARY } from '../../runtime/errors/errors';
import type { Operation } from '../../runtime/table/operation';
import { isRecord, settled, toInteger } from '../../runtime/values';
import type { Statistics } from './statistics';

/** A record, and its current statistics if the service returned them. */
export interface RecordDetails {
	record: IDataObject;
	statistics?: Statistics;
}

/**
 * Requests the details of a record. Returns a temporary failure, so that the next poll tries again. If the record is gone,
 * or causes an internal error of the host, returns the record without statistics: otherwise a failure that lasts would
 * delay all increases.
 */
export async function readDetails(
	get: Operation,
	record: IDataObject,
	count: (record: IDataObject) => number,
	api: Api,
): Promise<RecordDetails | { failure: unknown }> {
	const id = toInteger(record.id);
	if (id === undefined) return { record };
	const response = await settled(api.ask(get, { path: { id } }));
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
	const current = { ...record, ...members };
	return {
		record: count(current) >= count(record) ? current : record,
		...(isRecord(statistics) && { statistics }),
	};
}
