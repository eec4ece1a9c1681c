/** Detects which code a news reader server runs, by its features. */
import type { IDataObject } from 'n8n-workflow';
import type { Host } from './host.ts';
import type { NamedOperation } from './operations.ts';

export const serverKinds = {
	newer: 'newer than NewsBlur’s code of July 2024: it accepts paths of folders',
	'2024': 'like NewsBlur’s code of July 2024: lists have no envelope, and it accepts no paths of folders',
	contract: 'like the interface document: lists have an envelope, and it accepts no paths of folders',
	unknown: 'unknown: its responses match no known kind, or the account has no feeds',
} as const;

export type ServerKind = keyof typeof serverKinds;

/** Requests a news reader host's feeds and one list, whose format shows the kind of server. */
export async function serverKindOf(host: Host, apiRequest: NamedOperation): Promise<ServerKind> {
	const get = async (apiPath: string): Promise<IDataObject> => {
		const { records } = await host.run(apiRequest, { apiPath, apiMethod: 'GET' });
		return records[0] ?? {};
	};
	const { feeds, folder_paths_supported: acceptsPaths } = await get('/reader/feeds');
	if (acceptsPaths === true) return 'newer';
	// Without feeds, the list has no members that identify the server.
	if (feeds === undefined || Array.isArray(feeds)) return 'unknown';
	const response = await get('/rss_feeds/feed_autocomplete?term=news');
	// API Request puts a bare list into `data`.
	if (Array.isArray(response.data)) return '2024';
	return Array.isArray(response.feeds) ? 'contract' : 'unknown';
}
