import type { Difference } from '../shared/service.ts';
import { type Plan } from '../shared/options.ts';

/** Differences of single news reader hosts from their variant, by name. */
export const readerDifferences = [
	{ name: 'anonymous-403', description: 'without a session, every call has status 403 and no body' },
	{ name: 'favicons-route', description: '/api/v1/feeds/favicons/ exists, as in the interface document' },
	{ name: 'all-unread', description: 'all unread stories of a feed are listed and counted, not only 500' },
] as const satisfies readonly Difference[];

export type ReaderDifference = (typeof readerDifferences)[number]['name'];

/** The settings that `POST /reader-service/sandbox/settings` changes while the sandbox runs. */
export interface Settings {
	/** Plan of accounts without their own plan. */
	plan: Plan;
	/** Seconds between fetches of built-in feeds; 0 fetches only on request. */
	fetchSeconds: number;
	/** The same for other feeds. */
	foreignFetchSeconds: number;
	cookieName: string;
	/** Whether the operator limits requests for stories and feeds per IP address (variant 2026). */
	addressLimit: boolean;
}

export function initialSettings(plan: Plan): Settings {
	return {
		plan,
		fetchSeconds: 60,
		foreignFetchSeconds: 900,
		addressLimit: false,
		cookieName: 'reader_sessionid',
	};
}
