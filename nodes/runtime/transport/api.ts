import type { ICredentialDataDecryptedObject, IDataObject, NodeApiError } from 'n8n-workflow';
import type {
	Api,
	ApiRequest,
	ApiResponse,
	FailureClass,
	ListRow,
	Owner,
	Page,
	RequestParts,
	RequestRow,
	FailureDetails,
} from '../api-types';
import { clock } from '../clock';
import { apiError, inputError } from '../errors/errors';
import { exchangeIn, unexpectedResponse } from '../errors/messages';
import { isRecord, settled, toInteger } from '../values';
import type { Client } from './client';
import { isSafe, pagingOf, requestOf } from './request';

/** The origin of requests: an item, a poll or the editor. */
export interface Caller {
	/** The index of the item; undefined for polls and the editor, whose requests belong to no item. */
	item?: number;
	/** What the item's operation does: `Create a short link`. */
	action?: string;
	/** The labels of a trigger's form, which lacks other parameters of its requests. */
	labels?: readonly string[];
	advice: string;
	hint(message: string): void;
	/** When a poll should send no more requests, on the monotonic clock. */
	deadline?: number;
	/** Set if writes are not sent: what the error for one says. */
	writeRefusal?: { message: string; advice: string };
	/** Called when the service may have carried out a write. */
	onPossibleWrite?(): void;
	/** Its credential, once a request has read it. */
	credential?: Promise<ICredentialDataDecryptedObject>;
}

/** The classes of failures that concern one item alone. */
const OF_ONE_ITEM = new Set<FailureClass | undefined>(['refused', 'undone', 'notOffered']);

/** The `Api` of one item or poll: a `Client` with the caller's credential, item and advice. */
export class ServiceApi implements Api {
	requestsLeft = Infinity;
	user: string | undefined;

	constructor(
		private readonly client: Client,
		private readonly caller: Caller,
	) {}

	/** Sends a request; throws the error if it fails. */
	async send(request: ApiRequest): Promise<ApiResponse> {
		const { writeRefusal, onPossibleWrite, labels: shown } = this.caller;
		const writes = !isSafe(request);
		if (writeRefusal && writes) throw this.inputError(writeRefusal.message, writeRefusal.advice);
		const named = Object.entries(request.labels ?? {}).filter(([, label]) => shown?.includes(label) ?? true);
		const labels = Object.fromEntries(named);
		const outgoing = { action: this.caller.action, ...request, labels, credential: await this.credential() };
		const { response, failure } = await this.client.send(outgoing, this.item);
		if (writes && (!failure || failure.inDoubt)) onPossibleWrite?.();
		if (failure) throw this.errorOf(failure, request.isShared ? { namesItem: false } : {});
		this.requestsLeft = toInteger(response.headers['x-ratelimit-remaining']) ?? Infinity;
		this.user = this.client.service.user?.(response) ?? this.user;
		return response;
	}

	/** The item whose credential is used. Polls and the editor use 0, because n8n needs an item to read a credential. */
	protected get item(): number {
		return this.caller.item ?? 0;
	}

	async ask(row: RequestRow, parts?: Partial<RequestParts>): Promise<ApiResponse> {
		return await this.send(requestOf(row, parts));
	}

	async page(row: ListRow, number: number, parts?: Partial<RequestParts>, size?: number): Promise<Page> {
		const paging = pagingOf(row);
		const { query = {}, ...others } = parts ?? {};
		const pageQuery = { ...query, ...paging.query(number, size ?? paging.pageSize) };
		const request = requestOf(row, { ...others, query: pageQuery });
		const response = await this.send(request);
		const read = paging.read(response, number, query);
		if (!read) throw this.unexpected(request, response, `JSON without a list of ${paging.collection}`);
		const { error, warning, ...listed } = read;
		if (error) throw this.apiError(error, 'The service returned this message instead of the list.');
		if (warning) this.hint(warning);
		const usable = listed.records.filter(isRecord);
		if (usable.length < listed.records.length) this.hint('List entries that are not objects were skipped');
		// Some hosts would repeat a page of such entries forever.
		const isUseless = listed.records.length > 0 && usable.length === 0;
		const more = listed.more && !isUseless;
		const { schema } = row.output;
		const records = usable.map((record) => schema.coerce(record, response.zone) as IDataObject);
		return { ...listed, more, response, records };
	}

	async once<Known>(name: string, work: () => Promise<Known>): Promise<Known> {
		const key = `${(await this.owner()).account} ${name}`;
		const { memo } = this.client;
		const shared = memo.get(key);
		if (shared) {
			const done = await settled(shared);
			// The error of another item names that item.
			return 'value' in done ? (done.value as Known) : await this.once(name, work);
		}
		const own = work();
		memo.set(key, own);
		own.catch(() => memo.delete(key));
		return await own;
	}

	get signal(): AbortSignal | undefined {
		return this.client.waiting.signal;
	}

	hasTime(): boolean {
		return clock.uptime() < (this.caller.deadline ?? Infinity);
	}

	/** Read once for a caller: its requests are for one account, even if the credential is changed meanwhile. */
	private async credential(): Promise<ICredentialDataDecryptedObject> {
		return await (this.caller.credential ??= this.client.credential(this.item));
	}

	async owner(): Promise<Owner> {
		return this.client.ownerOf(await this.credential());
	}

	inputError(message: string, advice: string): Error {
		return inputError(
			this.client.node,
			this.masked(this.withItem(message)),
			this.masked(advice),
			this.caller.item,
		);
	}

	private withItem(message: string): string {
		const { item } = this.caller;
		return item === undefined ? message : `${message.replace(/ \[item \d+\]$/, '')} [item ${item}]`;
	}

	/** The error for a failure. By default, it names the item if its class is in `OF_ONE_ITEM`. */
	errorOf(failure: FailureDetails, { namesItem = OF_ONE_ITEM.has(failure.class) } = {}): NodeApiError {
		const { message, description = '', exchange } = failure;
		const masked = {
			...failure,
			message: this.masked(namesItem ? this.withItem(message) : message),
			description: this.masked(description),
			...(exchange && { exchange: this.masked(exchange) }),
		};
		return apiError(this.client.node, masked, this.caller.item);
	}

	private masked(text: string): string {
		return this.client.secrets.masked(text);
	}

	parameterError(label: string, reason: string, advice?: string): Error {
		return this.inputError(`${label} ${reason}`, advice ?? this.caller.advice);
	}

	apiError(message: string, description: string, failureClass?: FailureClass): NodeApiError {
		return this.errorOf({ message, description, class: failureClass }, { namesItem: true });
	}

	hint(message: string): void {
		this.caller.hint(this.masked(message));
	}

	/** The error for a response that doesn't follow the service's interface. */
	unexpected(request: ApiRequest, response: ApiResponse, what: string): Error {
		const failure = unexpectedResponse(this.client.service.name, request, what);
		return this.errorOf({ ...failure, exchange: exchangeIn(request, response) }, { namesItem: true });
	}
}
