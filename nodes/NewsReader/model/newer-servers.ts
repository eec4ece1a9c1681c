import type { Api, ApiResponse, RequestParts, RequestRow } from '../../runtime/api-types';
import { classOf } from '../../runtime/errors/errors';
import type { Operation } from '../../runtime/table/operation';
import { isRecord, settled } from '../../runtime/values';
import { subscriptionsOf } from './subscriptions';

/** The error for a host without a feature of newer servers. */
const notOffered = (api: Api, feature: string): Error =>
	api.apiError(
		`This host does not offer ${feature}`,
		'Only newer NewsBlur servers do. The other operations are not affected.',
		'notOffered',
	);

/** Sends a request that changes nothing; undefined if the host does not know it. */
async function readIfOffered(
	row: RequestRow,
	api: Api,
	parts: Partial<RequestParts>,
): Promise<ApiResponse | undefined> {
	const response = await settled(api.ask(row, { ...parts, accepts: 'anything' }));
	if ('value' in response) {
		const { json } = response.value;
		if (isRecord(json)) return response.value;
		// Older hosts respond to some unknown calls with a web page.
		if (json === undefined) return undefined;
		throw api.apiError(`The response of ${row.name} is not an object`, 'Run this again.');
	}
	if (classOf(response.error) === 'notOffered') return undefined;
	throw response.error;
}

/**
 * Sends the request of a row that only newer servers know. Before a write, checks that the host is a newer server: the
 * status of an unknown call proves nothing after a write, because a proxy may send it after the service has acted.
 */
export async function askNewerServer(
	row: RequestRow,
	api: Api,
	parts: Partial<RequestParts>,
): Promise<ApiResponse> {
	if (row.method !== 'GET') {
		await needsNewerServer(api, row.name);
		return await api.ask(row, parts);
	}
	const response = await readIfOffered(row, api, parts);
	if (response) return response;
	throw notOffered(api, row.name);
}

const newerRows = new WeakSet<Operation>();

/** Whether only newer servers offer an operation. */
export const isOnNewerServers = (row: Operation): boolean => newerRows.has(row);

/** Declares that only newer servers offer an operation: on other hosts, it fails with `notOffered`. */
export function onNewerServers<Row extends Operation>(row: Row): Row {
	const newer: Row = {
		...row,
		isExtra: true,
		run:
			row.run ??
			(async (_, api, parts) => {
				const size = Math.min(row.paging?.pageSize ?? Infinity, api.limit());
				const query = { ...parts.query, ...row.paging?.query(1, size) };
				const response = await askNewerServer(row, api, { ...parts, query });
				const selected = [row.output.select(response, parts.path)].flat();
				if (!selected.every(isRecord))
					throw api.apiError(`The response of ${row.name} contains no records`, '');
				return await api.results(selected.slice(0, api.limit()), response);
			}),
	};
	newerRows.add(newer);
	return newer;
}

/** Throws unless the host is a newer server: older servers silently ignore parameters that they don't know. */
export async function needsNewerServer(api: Api, feature: string): Promise<void> {
	const { isNewer } = await subscriptionsOf(api);
	if (!isNewer) throw notOffered(api, feature);
}
