import { Fault, MissingParameter, Rejection, type RouteResponse } from './response.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';
import type { Parameters } from './parameters.ts';

export type PagedList = 'feed' | 'river' | 'starred' | 'read' | 'socialRiver' | 'sharedStories';

/** Stories per page as seen on real hosts; the interface document gives no number. */
const wildSizes: Record<PagedList, number> = {
	feed: 6,
	river: 12,
	starred: 10,
	read: 10,
	socialRiver: 10,
	sharedStories: 6,
};
const contractSize = 20;
const largest = 100;
const lastWildPage = 400;

/** The slice of a list for the parameter `page`, and `limit` and `offset` if the endpoint supports them. */
export function pageOf(call: Call, list: PagedList): { limit: number; offset: number } {
	const wild = call.reader.isReal;

	const parameters = call.parameters;
	const page = parameters.integer('page', 1, 1);
	if (wild && list === 'feed' && page > lastWildPage) {
		throw new Fault(`There are no pages after ${lastWildPage}.`, 404);
	}
	const size = wild ? wildSizes[list] : contractSize;
	const settable = list !== 'feed';
	const most = call.reader.isReal ? Infinity : largest;
	const limit = settable ? Math.min(parameters.integer('limit', size, 1), most) : size;
	const offset = settable ? parameters.integer('offset', 0) : 0;
	return { limit, offset: offset + (page - 1) * limit };
}

/** A request with its account: the logged-in account, or the demo account for anonymous reads. */
export class Call {
	readonly reader: Reader;
	readonly user: UserRow;
	readonly authenticated: boolean;
	readonly parameters: Parameters;
	/** Path parameters. */
	readonly path: Record<string, string>;
	readonly method: string;
	/** Token of the request's session. */
	readonly sessionToken: string | undefined;
	/** Headers of the response. */
	readonly replyHeaders: Record<string, string> = {};

	constructor(given: {
		reader: Reader;
		user: UserRow;
		authenticated: boolean;
		parameters: Parameters;
		path: Record<string, string>;
		method: string;
		sessionToken?: string;
	}) {
		this.reader = given.reader;
		this.user = given.user;
		this.authenticated = given.authenticated;
		this.parameters = given.parameters;
		this.path = given.path;
		this.method = given.method;
		this.sessionToken = given.sessionToken;
	}

	get db() {
		return this.reader.db;
	}

	/** A parameter that must not be blank. Real hosts fail if it is missing, and accept a blank one. */
	need(name: string): string {
		const value = this.parameters.text(name);

		if (value === undefined || value === '') throw new MissingParameter(name);
		return value;
	}

	/** An id of digits. */
	needId(name: string): number {
		const text = this.need(name);
		if (/^\d{1,15}$/.test(text)) return Number(text);
		throw new Rejection(`${name} must be an integer, not: ${text}`);
	}

	/** The requested page, from 1. */
	get page(): number {
		return this.parameters.integer('page', 1, 1);
	}

	get oldestFirst(): boolean {
		return this.parameters.text('order') === 'oldest';
	}

	get wantsHtml(): boolean {
		return this.parameters.text('format') === 'html';
	}

	/** Rejects an action that requires a premium account. Interface document, "Limits". */
	needPremium(action: string, details: object = {}): void {
		if (!this.reader.isPremium(this.user)) {
			throw new Rejection(`You must be a premium subscriber to ${action}.`, 403, details);
		}
	}
}

/**
 * Who may send the request. `read`: an account, or an anonymous client if the host has a demo account;
 * `write`: an account; `open`: any client.
 */
export type Access = 'read' | 'write' | 'open';

/** One endpoint of the interface document; `path` is relative to the service's base URL. */
export interface Route {
	/** `BOTH`: parameters are in the query of a GET and in the form of a POST. */
	method: 'POST' | 'BOTH';
	path: string;
	access: Access;
	handle(call: Call): RouteResponse | Promise<RouteResponse>;
}

type Handler = Route['handle'];

/** Contract: GET; also POST, which clients use for rivers of many feeds. */
export const read = (path: string, handle: Handler): Route => ({
	method: 'BOTH',
	path,
	access: 'read',
	handle,
});
export const write = (path: string, handle: Handler): Route => ({
	method: 'POST',
	path,
	access: 'write',
	handle,
});
