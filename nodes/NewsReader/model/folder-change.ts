import type { Api } from '../../runtime/api-types';
import type { Fields, Values } from '../../runtime/fields/field';
import { operation, type Operation, type Output, type Route } from '../../runtime/table/operation';
import { FolderTree } from './folder-tree';
import { readSubscriptions, type Subscriptions } from './subscriptions';

/** The subscriptions of one account during one run; undefined if they are not known, as after most changes. */
const lastKnown = async (api: Api): Promise<{ subscriptions?: Subscriptions }> =>
	await api.once('folders', async () => await Promise.resolve({}));

/** The folders as they are now. */
export async function currentFolders(api: Api): Promise<FolderTree> {
	const known = await lastKnown(api);
	known.subscriptions ??= await readSubscriptions(api);
	return new FolderTree(known.subscriptions, api);
}

/** Sets the subscriptions after a change, or forgets them. */
export async function setFolders(api: Api, subscriptions?: Subscriptions): Promise<void> {
	(await lastKnown(api)).subscriptions = subscriptions;
}

interface FolderChange<Body extends Fields> {
	action: string;
	description: string;
	body: Body;
	output: Output;
	/** Plans the request from the current folders. Throws `api.parameterError`. */
	plan(body: Values<Body>, tree: FolderTree, api: Api): PlannedChange | Promise<PlannedChange>;
}

interface PlannedChange {
	body: Record<string, unknown>;
	/** The path, if not that of the route. */
	path?: string;
	/** The subscriptions after the change; if left out, the next item reads them again. */
	after?: Subscriptions;
}

/** Declares an operation that changes folders, or what is in them. */
export function folderChange<const Body extends Fields>(
	route: Route,
	{ plan, ...row }: FolderChange<Body>,
): Operation {
	return operation(route, {
		...row,
		run: async (inputs, api) => {
			const { body, path, after } = await plan(inputs.body as Values<Body>, await currentFolders(api), api);
			await setFolders(api);
			const response = path
				? await api.send({ method: 'POST', path, body })
				: await api.ask(api.row, { body });
			await setFolders(api, after);
			return await api.results([row.output.select(response, {}) as Record<string, unknown>], response);
		},
	});
}
