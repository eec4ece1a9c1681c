import type { Api } from '../../runtime/api-types';
import { asRecord, quoted, toInteger } from '../../runtime/values';
import { areSame, folderAdvice, folderAt, foldersOf, type Folder } from './folders';
import { feedTitlesOf, notSubscribed, readSubscriptions, type Subscriptions } from './subscriptions';
import type { Fields, Values } from '../../runtime/fields/field';
import { operation, type Operation, type Route } from '../../runtime/table/operation';

export const CUT_OUT = 'river:';
/** The service takes the first for the top level, and cuts the second out of a name (seen in the wild). */
const NOT_IN_NAMES = ['Top Level', CUT_OUT];

/**
 * The account's folders as they are now. Older servers know only their names: they drop a feed whose new folder is
 * unknown, and act in any folder whose name contains the given one (seen in the wild). So unclear names are refused.
 */
export class FolderTree {
	readonly folders: Folder[];
	readonly hasPaths: boolean;

	constructor(
		readonly subscriptions: Subscriptions,
		private readonly api: Api,
	) {
		this.folders = subscriptions.folders;
		this.hasPaths = subscriptions.isNewer;
	}

	get subscribed(): Set<number> {
		const inFolders = this.folders.flatMap(({ feedIds }) => feedIds);
		return new Set([...feedTitlesOf(this.subscriptions).keys(), ...inFolders]);
	}

	/** The subscriptions after a feed was removed from a folder. */
	afterRemoval(feedId: number, from: Folder): Subscriptions {
		from.feedIds = from.feedIds.filter((id) => id !== feedId);
		const isInFolder = this.folders.some(({ feedIds }) => feedIds.includes(feedId));
		const feeds = this.subscriptions.feeds.filter(({ id }) => toInteger(id) !== feedId || isInFolder);
		return { ...this.subscriptions, feeds };
	}

	/** The subscriptions in the response to a change of folders. @throws an error if no folder shows the change */
	afterChange(change: string, tree: unknown, isChanged: (folder: Folder) => boolean) {
		if (!Array.isArray(tree)) return undefined;
		const folders = foldersOf(tree);
		if (folders.some(isChanged)) return { ...this.subscriptions, folders };
		const advice = 'A folder may be gone, and feeds may be in no folder now.';
		throw this.api.apiError(`The service did not ${change}`, advice);
	}

	/** Blank is the top level. Refuses a folder that the server, or a call without paths, confuses. */
	folder(label: string, path = '', callHasPaths = true): Folder {
		const folder = folderAt(this.folders, path, label, this.api);
		if (folder.names.length === 0 || (this.hasPaths && callHasPaths)) return folder;
		this.refuseMisread(label, folder.name);
		const sameName = this.folders.filter((other) => other.name.toLowerCase() === folder.name.toLowerCase());
		if (sameName.length <= 1) return folder;
		const paths = sameName.map((other) => `"${other.path}"`).join(', ');
		throw this.api.parameterError(
			label,
			`"${folder.name}" occurs more than once (${paths}), and the service identifies folders by name`,
			`Rename one of them in the service first. ${folderAdvice(this.folders)}`,
		);
	}

	pathText({ names }: Folder): string | undefined {
		return this.hasPaths ? JSON.stringify(names) : undefined;
	}

	refuseMisread(label: string, name: string, misread = NOT_IN_NAMES): void {
		const text = misread.find((other) => name.includes(other));
		if (!text) return;
		const flaw = `contains "${text}", which the service does not take for a part of a name: ${quoted(name)}`;
		throw this.api.parameterError(label, flaw, 'Give it another name');
	}

	refuseTaken(label: string, name: string, parent: readonly string[], own?: Folder): void {
		this.refuseMisread(label, name);
		const taken = this.folders
			.filter((other) => other !== own && other.name.trim().toLowerCase() === name.trim().toLowerCase())
			.find((other) => !this.hasPaths || areSame(other.names.slice(0, -1), parent));
		if (!taken) return;
		throw this.api.parameterError(
			label,
			`is taken by the folder "${taken.path}"`,
			'Choose another name: many servers identify folders by name, wherever they are',
		);
	}

	folderOf(feedId: number, label: string, path?: string): Folder {
		if (!this.subscribed.has(feedId)) throw notSubscribed(feedId, this.api);
		const withFeed = this.folders.filter((folder) => folder.feedIds.includes(feedId));
		if (path === undefined && withFeed.length > 1) {
			const paths = withFeed.map((folder) => (folder.path ? `"${folder.path}"` : 'the top level')).join(', ');
			throw this.api.parameterError(
				label,
				`is needed, because feed ${feedId} is in several folders: ${paths}`,
				'Enter the folder',
			);
		}
		const only = path === undefined ? withFeed[0] : undefined;
		const folder = only ?? this.folder(label, path);
		if (withFeed.length > 0 && !withFeed.includes(folder)) {
			const flaw = `"${folder.path || '/'}" does not contain feed ${feedId}`;
			throw this.api.parameterError(label, flaw, folderAdvice(this.folders));
		}
		if (this.hasPaths || !folder.name) return folder;
		// A folder whose name is part of that of another one with the feed.
		const other = withFeed.find((candidate) => candidate !== folder && candidate.name.includes(folder.name));
		if (!other) return folder;
		throw this.api.parameterError(
			label,
			`"${folder.path}" is part of another folder’s name: the service would use "${other.path}"`,
			'Rename one of them in the service first',
		);
	}
}

/** Undefined if they are not known, as after most changes. */
const lastKnown = async (api: Api): Promise<{ subscriptions?: Subscriptions }> =>
	await api.once('folders', async () => await Promise.resolve({}));

export async function currentFolders(api: Api): Promise<FolderTree> {
	const known = await lastKnown(api);
	known.subscriptions ??= await readSubscriptions(api);
	return new FolderTree(known.subscriptions, api);
}

/** Sets the subscriptions after a change, or forgets them. */
export async function setFolders(api: Api, subscriptions?: Subscriptions): Promise<void> {
	(await lastKnown(api)).subscriptions = subscriptions;
}

interface PlannedChange {
	body: Record<string, unknown>;
	/** The path, if not that of the route. */
	path?: string;
	/** The subscriptions after the change, from the folders in its response; if undefined, the next item reads them again. */
	after?(tree: unknown): Subscriptions | undefined;
}

export function folderChange<const Body extends Fields>(
	route: Route,
	{
		plan,
		...row
	}: Pick<Operation, 'description' | 'output'> & {
		action?: string;
		body: Body;
		plan(body: Values<Body>, tree: FolderTree, api: Api): PlannedChange | Promise<PlannedChange>;
	},
): Operation {
	return operation(route, {
		...row,
		run: async (inputs, api) => {
			const { body, path, after } = await plan(inputs.body as Values<Body>, await currentFolders(api), api);
			await setFolders(api);
			const response = await (path ? api.send({ method: 'POST', path, body }) : api.ask(api.row, { body }));
			await setFolders(api, after?.(asRecord(response.json).folders));
			return [await api.resultIn(response)];
		},
	});
}
