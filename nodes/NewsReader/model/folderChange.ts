import type { Fields, Values } from '../../runtime/fields/field';
import { operation, type Operation, type Output, type Route, type Api } from '../../runtime/table/operation';
import { FolderTree } from './folderTree';

/** The folders of one account during one run: read once, as long as it is known what the writes make of them. */
export class KnownFolders {
	private tree: Promise<FolderTree> | undefined;

	static async of(api: Api): Promise<KnownFolders> {
		return await api.once('folders', async () => new KnownFolders());
	}

	/** The folders as they are now. */
	async look(api: Api): Promise<FolderTree> {
		const known = await this.tree?.catch(() => undefined);
		if (known) return known.for(api);
		this.tree = FolderTree.read(api);
		return await this.tree;
	}

	/** What the folders are after a write; undefined if that is not known. */
	become(tree: FolderTree | undefined): void {
		this.tree = tree && Promise.resolve(tree);
	}
}

interface FolderChange<B extends Fields> {
	name: string;
	action: string;
	description: string;
	body: B;
	output: Output;
	/**
	 * Looks at the folders: the body to send, and what they are after that. Without the latter they are read anew
	 * for the next item. Throws what `api.refuse` makes.
	 */
	look(
		body: Values<B>,
		read: () => Promise<FolderTree>,
		api: Api,
	): Promise<{ body: Record<string, unknown>; after?: FolderTree }>;
}

/** Declares an operation that changes folders, or what is in them. */
export function folderChange<const B extends Fields>(
	route: Route,
	{ look, ...row }: FolderChange<B>,
): Operation {
	const changing: Operation = operation(route, {
		...row,
		run: async (inputs, api) => {
			const folders = await KnownFolders.of(api);
			const read = async (): Promise<FolderTree> => await folders.look(api);
			const { body, after } = await look(inputs.body as Values<B>, read, api);
			folders.become(undefined);
			const answer = await api.ask(changing, { body });
			folders.become(after);
			return await api.results([row.output.pick(answer, {}) as Record<string, unknown>], answer);
		},
	});
	return changing;
}
