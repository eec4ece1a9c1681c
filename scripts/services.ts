/** The metadata of both services for the build, the packages and the documentation. */

export interface ServiceInfo {
	/** The folder in nodes/, and the prefix of the credentials' names. */
	node: 'LinkManager' | 'NewsReader';
	displayName: string;
	/** The file name of the node's pages in docs/ and docs/reference, without extension. */
	page: string;
	/** The table of operations in nodes/tables.ts. */
	table: 'linkTable' | 'readerTable';
}

export const linkManager: ServiceInfo = {
	node: 'LinkManager',
	displayName: 'Link Manager',
	page: 'link-manager',
	table: 'linkTable',
};

export const newsReader: ServiceInfo = {
	node: 'NewsReader',
	displayName: 'News Reader',
	page: 'news-reader',
	table: 'readerTable',
};

/** Every service, in the order of the README. */
export const services = [linkManager, newsReader];
