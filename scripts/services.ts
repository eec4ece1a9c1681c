/** The two services, as the build, the packages and the documentation see them. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export interface Service {
	/** The folder in nodes/, and the beginning of the names of its credentials. */
	node: 'LinkManager' | 'NewsReader';
	displayName: string;
	/** Page of the node in docs/, and of its operations in docs/reference. */
	page: string;
	/** The table of its operations in nodes/tables.ts. */
	table: 'linkTable' | 'readerTable';
}

export const linkManager: Service = {
	node: 'LinkManager',
	displayName: 'Link Manager',
	page: 'link-manager',
	table: 'linkTable',
};

export const newsReader: Service = {
	node: 'NewsReader',
	displayName: 'News Reader',
	page: 'news-reader',
	table: 'readerTable',
};

/** nodes/tables.ts as built: Node.js can't import the sources. */
export const builtTables = (): typeof import('../nodes/tables') =>
	require('../build/tables.js') as typeof import('../nodes/tables');
