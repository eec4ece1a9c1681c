import type { Api } from '../../runtime/api-types';
import type { Fields, Values } from '../../runtime/fields/field';
import { operation, type Operation, type Output, type Route } from '../../runtime/table/operation';
import { FolderTree } from './folder-tree';

/** The folders of one account during one run, read again only after a change with an unknown result. */
export class KnownFolders {
	private tree: Promise<FolderTree> | undefined;

	static async of(api: Api): Promise<KnownFolders> {
		return await api.once('folders', async () => new KnownFolders());
	}

	/** The folders as they are now. */
	async current(api: Api): Promise<FolderTree> {
		const known = await this.tree?.catch(() => undefined);
		if (known) return known.withErrors(api);
		this.tree = FolderTree.read(api);
		return await this.tree;
	}

	/** Sets the folders after a change; undefined if they are not known. */
	set(tree: FolderTree | undefined): void {
		this.tree = tree && Promise.resolve(tree);
	}
}

interface FolderChange<Body extends Fields> {
	name: string;
	action: string;
	description: string;
	body: Body;
	output: Output;
	/** Plans the request from the current folders. Throws `api.parameterError`. */
	plan(body: Values<Body>, read: () => Promise<FolderTree>, api: Api): Promise<PlannedChange>;
}

interface PlannedChange {
	body: Record<string, unknown>;
	/** The path, if not that of the route. */
	path?: string;
	/** The folders after the change; if left out, the next item reads them again. */
	after?: FolderTree;
}

/** Declares an operation that changes folders, or what is in them. */
export function folderChange<const Body extends Fields>(
	route: Route,
	{ plan, ...row }: FolderChange<Body>,
): Operation {
	return operation(route, {
		...row,
		run: async (inputs, api) => {
			const folders = await KnownFolders.of(api);
			const read = async (): Promise<FolderTree> => await folders.current(api);
			const change = await plan(inputs.body as Values<Body>, read, api);
			const { body, path, after } = change;
			folders.set(undefined);
			const response = path
				? await api.send({ method: 'POST', path, body })
				: await api.ask(api.row, { body });
			folders.set(after);
			return await api.results([row.output.select(response, {}) as Record<string, unknown>], response);
		},
	});
}
