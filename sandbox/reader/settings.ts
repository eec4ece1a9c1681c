import type { Plan } from '../shared/options.ts';

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
