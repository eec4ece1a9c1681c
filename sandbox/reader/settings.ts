import type { Plan, RateLimit } from '../shared/options.ts';

/** The settings that `POST /reader-service/sandbox/settings` changes while the sandbox runs. */
export interface Settings {
	/** Plan of accounts without their own plan. */
	plan: Plan;
	/** Seconds between fetches of built-in feeds; 0 fetches only on request. */
	fetchSeconds: number;
	/** The same for other feeds. */
	foreignFetchSeconds: number;
	/** One limit for all endpoints, per account or IP address; null for no limit. */
	rateLimit: RateLimit | null;
	cookieName: string;
	/** Whether the operator limits requests for stories and feeds per IP address (variant 2026). */
	addressLimit: boolean;
	/** Whether the operator enables clusters of similar stories (variant 2026). */
	clustering: boolean;
	/** Number of requests that wait for each other between reading and writing a whole list; 1 for only concurrent ones. */
	writeOverlap: number;
}

const contractCookie = 'reader_sessionid';
const wildCookie = 'newsreader_sessionid';

export function initialSettings(plan: Plan, otherCookie: boolean): Settings {
	return {
		plan,
		fetchSeconds: 60,
		foreignFetchSeconds: 900,
		rateLimit: null,
		addressLimit: false,
		clustering: true,
		writeOverlap: 1,
		cookieName: otherCookie ? wildCookie : contractCookie,
	};
}
