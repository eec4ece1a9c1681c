import type { Plan, RateLimit } from '../shared/options.ts';

/** The settings that `POST /reader-service/sandbox/settings` changes while the sandbox runs. */
export interface Settings {
	/** Plan of accounts that have none of their own. */
	plan: Plan;
	/** Seconds after which a feed of the sandbox itself is fetched again; 0 fetches only on request. */
	fetchSeconds: number;
	/** The same for feeds from elsewhere. */
	foreignFetchSeconds: number;
	/** One limit for every call together, per account or address; null for none. */
	rateLimit: RateLimit | null;
	cookieName: string;
	/** Whether all calls for stories and feeds together are limited per address; the operator's switch of the variant 2026. */
	addressLimit: boolean;
	/** Whether groups of similar stories show in answers; the operator's switch of the variant 2026. */
	clustering: boolean;
	/** How many calls that write a list back whole wait for each other; 1: only those that come at once meet. */
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
