import type { Api } from '../../runtime/api-types';
import type { Operation } from '../../runtime/table/operation';
import { subscriptionsOf } from './subscriptions';

/** Declares that only newer servers offer an operation: on other hosts, it fails before it sends its request. */
export const onNewerServers = <Row extends Operation>(row: Row): Row => ({
	...row,
	isExtra: true,
	prepare: async (inputs, api) => {
		await needsNewerServer(api, 'this operation');
		return (await row.prepare?.(inputs, api)) ?? {};
	},
});

/**
 * Throws unless the host is a newer server. Older servers redirect unknown calls or respond with a web page, and silently
 * ignore parameters that they don't know (seen in the wild).
 */
export async function needsNewerServer(api: Api, feature: string): Promise<void> {
	const { isNewer } = await subscriptionsOf(api);
	if (isNewer) return;
	throw api.apiError(
		`This host does not offer ${feature}`,
		'Only newer NewsBlur servers do. The other operations are not affected.',
		'notOffered',
	);
}
