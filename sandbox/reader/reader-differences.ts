import type { Difference } from '../shared/service.ts';

/** Differences of single news reader hosts from their variant, by name. */
export const readerDifferences = [
	{ name: 'anonymous-403', description: 'without a session, every call has status 403 and no body' },
	{ name: 'favicons-route', description: '/api/v1/feeds/favicons/ exists, as in the interface document' },
	{ name: 'all-unread', description: 'all unread stories of a feed are listed and counted, not only 500' },
] as const satisfies readonly Difference[];

export type ReaderDifference = (typeof readerDifferences)[number]['name'];
