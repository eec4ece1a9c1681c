import type { IHttpRequestMethods } from 'n8n-workflow';

/** One request, ready to be sent; `path` has its ids encoded. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: Record<string, unknown>;
	/** An object to encode as the service wants it. */
	body?: Record<string, unknown>;
	/** The expected kind of response; JSON by default. A foreign page may be at another host, which gets no credential. */
	accepts?: 'json' | 'anything' | 'page' | 'foreignPage';
	/** The least number of milliseconds between two such requests of one account. */
	interval?: number;
	/** The response says of each entry whether it failed. */
	partial?: boolean;
	/** It changes nothing, whatever its method. */
	safe?: boolean;
	/** Sending it twice has the same effect as sending it once. */
	idempotent?: boolean;
	/** The label of the form's field for a parameter of the request. */
	labelOf?(name: string): string | undefined;
	/** Its path was typed by the user. */
	isCustom?: boolean;
	/** Sent without the credential. */
	anonymous?: boolean;
}

export type Headers = Record<string, unknown>;

export interface ApiResponse {
	/** The host that responded, with its port unless that is the usual one. */
	host: string;
	status: number;
	headers: Headers;
	bytes: Buffer;
	text: string;
	/** The parsed JSON; undefined if the response isn't JSON. */
	json: unknown;
	/** The time zone of the host's dates, if known. */
	zone?: string;
}
