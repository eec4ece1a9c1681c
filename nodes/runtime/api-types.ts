/** Requests, responses, pages, and `Api`, with which the code of rows and watches asks a service. */
import type { IBinaryData, IDataObject, IHttpRequestMethods, NodeApiError } from 'n8n-workflow';
import type { RecordSchema } from './table/record';

/** One request, ready to be sent; `path` has its ids encoded. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: Record<string, unknown>;
	/** An object to encode as the service wants it. */
	body?: Record<string, unknown>;
	/** The expected response; JSON by default. 'foreignPage' may be at another host; the credential is not sent there. */
	accepts?: 'json' | 'anything' | 'foreignPage';
	/** The advice if a redirect is not followed. Default: correct the Base URL. */
	redirectAdvice?: string;
	/** The response reports for each entry whether it failed. */
	partial?: boolean;
	/** It is for several items: the error of its failure names none. */
	isShared?: boolean;
	/** It changes nothing, whatever its method. */
	safe?: boolean;
	/** Sending it twice has the same effect as sending it once. */
	idempotent?: boolean;
	/** What it does, as a verb phrase in sentence case: `Create a short link`. */
	action?: string;
	/** The labels in the form of what it sends, by the service's names. */
	labels?: Readonly<Record<string, string>>;
	/** The user chose its path: errors name no action. */
	isCustom?: boolean;
	/** Sent without the credential. */
	anonymous?: boolean;
}

export type Headers = Record<string, unknown>;

export interface ApiResponse {
	/** The host that responded, with its port unless it is the default port of the scheme. */
	host: string;
	status: number;
	headers: Headers;
	bytes: Buffer;
	text: string;
	/** The parsed JSON; undefined if the response isn't JSON. */
	json: unknown;
	/** The address to which it redirects, if it names one. */
	redirect?: URL;
	/** The time zone of the host's dates, if known. */
	zone?: string;
}

/** What a failed request means for everything that decides afterwards: retries, batches, polls, If Exists. */
export type FailureClass =
	/** The service refused the request, and would refuse it again; or the response is none of its API. */
	| 'refused'
	/** The service reported no failure, but its response shows that it did not do what the request asks for. */
	| 'undone'
	/** The service failed at this request (HTTP 500). The request itself may be the cause. */
	| 'failed'
	/** There was no response, or one that says that the service is down or overloaded. */
	| 'unavailable'
	| 'rateLimited'
	/** The service has banned the IP address of this n8n. */
	| 'banned'
	/** The service does not accept the credential. */
	| 'loginRefused'
	/** The session has expired. If a new login doesn't help, this is the end. */
	| 'sessionExpired'
	/** The credential or a parameter must be changed first. */
	| 'misconfigured'
	/** This host doesn't have the endpoint, though others may. */
	| 'notOffered'
	| 'cancelled';

/** A failed request: what `classify` finds, and what the error says. */
export interface FailureDetails {
	message: string;
	description?: string;
	class?: FailureClass;
	/** HTTP status, network error code or message, or a code of `errors/messages.ts`. */
	code?: string;
	/** The request and its status: `POST /api/url/add (status 400)`. */
	exchange?: string;
	retryAfterMs?: number;
	/** The response says neither that the request succeeded nor that it failed. */
	unclear?: boolean;
	/** The service may have carried out the request. `apiError` adds that to the description. */
	inDoubt?: boolean;
}

/** The parts of one request, before it is encoded. */
export interface RequestParts extends Pick<
	ApiRequest,
	'accepts' | 'redirectAdvice' | 'anonymous' | 'partial' | 'isShared' | 'labels'
> {
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

/** How the pages of a list are requested and read. Their numbers begin with 1. */
export interface Paging {
	/** What is listed: `stories`. Errors name it. */
	readonly collection: string;
	/** The number of records in a page, unless fewer are wanted. */
	readonly pageSize: number;
	/** The query for a page of `size` records, at most `pageSize`. */
	query(page: number, size: number): Record<string, unknown>;
	/** Reads one response; undefined if it has no list. `query` is the operation's own, without the page. */
	read(response: ApiResponse, page: number, query: Record<string, unknown>): ListedPage | undefined;
	/** The query to try if nothing has this one. */
	otherwise?(query: Record<string, unknown>): Record<string, unknown> | undefined;
	/** Identifies a record: one that was listed before is left out. A list with one page needs no identity. */
	identity?(record: unknown): string;
}

/** What a page reports about its list. Another report on the next page shows that the list moved. */
export interface ListCounts {
	/** The number of entries in all pages. */
	total?: number;
	/** The number of entries in a page. */
	size?: number;
	/** The number of the last page. */
	last?: number;
}

interface ListedPage {
	records: unknown[];
	more: boolean;
	counts?: ListCounts;
	/** The message that the service sent instead of the records; it becomes the item's error. */
	error?: string;
	/** A message that the service sent with the records, shown as a hint. */
	warning?: string;
}

export interface RequestRow {
	/** What it does: `Create a short link`. */
	action: string;
	route: string;
	method: IHttpRequestMethods;
	template: string;
	/** The fields by the part of the request that takes their values. */
	path: Labelled;
	query: Labelled;
	body: Labelled;
	/** Sends a query that is too long for a URL in the body of a POST, which the service accepts (seen in the wild). */
	postsLongQuery?: boolean;
	/** Sending it twice has the same effect as sending it once. It is retried if the response is lost. */
	idempotent?: boolean;
	/** Set if the request takes the entries of several items: the response then reports for each whether it failed. */
	batch?: object;
}

type Labelled = Readonly<Record<string, { label: string }>>;

/** What the pages of a list are read with. */
export interface ListRow extends RequestRow {
	paging?: Paging;
	output: { schema: RecordSchema };
}

export interface Page {
	records: IDataObject[];
	response: ApiResponse;
	more: boolean;
	counts?: ListCounts;
}

export interface Result {
	json: IDataObject;
	binary?: Record<string, IBinaryData>;
	/** The record says that the service did not do what was asked for, though nothing failed. */
	isUndone?: true;
}

/** Whose requests an `Api` sends: its host and account, as keys for caches, locks and throttles. */
export interface Owner {
	/** Changes with the password or token, so that nothing is shared with a credential that has a wrong one. */
	account: string;
	/** Stays the same when these change. Requests that must not overlap share it, and a trigger's state belongs to it. */
	lastingAccount: string;
	/** The Base URL without its scheme: a host may be reached by http and https. */
	host: string;
	/** Whether the credential is read-only. */
	isReadOnly: boolean;
}

/** Sends requests for an item or a poll. A failed request throws an error that belongs to the item. */
export interface Api {
	/** Sends a request that no row declares. */
	send(request: ApiRequest): Promise<ApiResponse>;
	ask(row: RequestRow, parts?: Partial<RequestParts>): Promise<ApiResponse>;
	/** Reads one page of a list; `size` defaults to the list's page size. */
	page(row: ListRow, number: number, parts?: Partial<RequestParts>, size?: number): Promise<Page>;
	/** Does the work once per account in a run or poll, and caches its result by `name`. A failure is not shared. */
	once<Known>(name: string, work: () => Promise<Known>): Promise<Known>;
	/** Requests left in the rate limit's window, according to the last response; Infinity if it doesn't say. */
	readonly requestsLeft: number;
	/** Aborts if the execution is cancelled, or if the time limit of a poll ends. */
	readonly signal?: AbortSignal | undefined;
	/** Whether a poll has time for another request; always true for operations. */
	hasTime(): boolean;
	owner(): Promise<Owner>;
	/** The user whose data the responses contain; undefined if they don't say. Code that returns a cached response sets it to that response's user. */
	user: string | undefined;
	/** Returns the error for invalid parameters, or for valid ones that can't be combined. */
	inputError(message: string, advice: string): Error;
	/** Returns the error for one parameter. Label and reason make the sentence: `Limit` and `is empty`. */
	parameterError(label: string, reason: string, advice?: string): Error;
	/** The error for a response that does not show what it should, although it reports success; names the item. */
	apiError(message: string, description: string, failureClass?: FailureClass): NodeApiError;
	/** Shows the user a message that is not an error. */
	hint(message: string): void;
}

/** The `Api` of one item of an operation. */
export interface ItemApi extends Api {
	/** The operation, so that the code in its row can send its request. With Raw Response, its pages need no list. */
	readonly row: ListRow;
	/** Returns the error for a refusal that the response reports for one entry. `words` are the service's; `about` names the entry. */
	refusal(words: string, about: string): NodeApiError;
	/** Returns the error for an entry that the response does not mention. A write of it is in doubt. */
	unmentioned(entry: string): NodeApiError;
	/** The record in a response as a result; throws if the response has none. */
	resultIn(response: ApiResponse): Promise<Result>;
	/** Records as results, each shaped. With Raw Response, the whole response as one result. */
	results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]>;
	/** How many records the user wants; Infinity for all. */
	limit(): number;
	file(bytes: Uint8Array, fileName: string, mimeType: string): Promise<IBinaryData>;
	/** A file of the input item, by the name of its binary property. */
	upload(property: string): Promise<{ bytes: Buffer; fileName: string }>;
	readonly isRaw: boolean;
}
