import {
	getCredentialAllowedDomains,
	isDomainAllowed,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type INode,
	type IPollFunctions,
	type NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';
import { createHash } from 'crypto';
import { apiError, redacted, type ApiFailure } from './failure';
import { isRecord } from './field';
import { clock, retryAfter, throttleOf, type Headers, type Patience } from './throttle';

export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** One request, ready to be sent; `path` has its ids encoded. */
export interface Request {
	method: IHttpRequestMethods;
	path: string;
	query?: Record<string, unknown>;
	/** An object to encode as the service wants it. */
	body?: Record<string, unknown>;
}

export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed JSON; undefined if the answer isn't JSON. */
	json: unknown;
}

/** What makes one service's requests and answers different from another's. */
export interface Dialect {
	/** As it reads in a sentence: "the link management service". */
	service: string;
	credentialType(context: NodeContext): string;
	/** The texts of a credential that must never be seen. */
	secrets(credential: ICredentialDataDecryptedObject): string[];
	/** Headers and body of a request. */
	encode(body: Record<string, unknown> | undefined): { headers: IDataObject; body?: string };
	/** Why an answer is a failure; undefined if it is a success. */
	refusal(answer: Answer, request: Request): ApiFailure | undefined;
}

export interface ClientOptions {
	/** How long one request may wait for the rate limit, in milliseconds. */
	maxWaitMs: number;
}

/** What came of a request: an answer that means success, or the error that says why not. */
export type Attempt = { answer: Answer } | { error: NodeApiError | NodeOperationError; refused: boolean };

type Sent = { answer: Answer } | { code: string };

const MAX_REDIRECTS = 5;
const MAX_REPEATS = 2;
const REPEAT_AFTER_MS = 500;
/** Nothing was sent: no connection came about. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const SAFE_METHODS = new Set<string>(['GET', 'HEAD']);
/** Statuses after which a safe request is worth repeating. */
const PASSING_FAULTS = new Set([500, 502, 504]);

/**
 * Sends requests to one service on behalf of one node: with the credential of each item, inside the
 * rate limit, following redirects only where the credential may go, and repeating only what is safe.
 */
export class Client {
	private waitedMs = 0;

	constructor(
		private readonly context: NodeContext,
		private readonly dialect: Dialect,
		private readonly options: ClientOptions,
	) {}

	get node(): INode {
		return this.context.getNode();
	}

	/** Milliseconds that requests waited for the rate limit so far. */
	get waited(): number {
		return this.waitedMs;
	}

	/** Sends a request for an item; throws when it fails. */
	async send(request: Request, item: number): Promise<Answer> {
		const attempt = await this.attempt(request, item);
		if ('error' in attempt) throw attempt.error;
		return attempt.answer;
	}

	/** Sends a request for an item; `refused` tells that the service itself said no. */
	async attempt(request: Request, item: number): Promise<Attempt> {
		const credential = await this.credential(item);
		const secrets = this.dialect.secrets(credential.data);
		const fail = (failure: ApiFailure, refused = false): Attempt => ({
			refused,
			error: apiError(this.context.getNode(), {
				...failure,
				message: redacted(failure.message, secrets),
				description: redacted(failure.description ?? '', secrets),
				itemIndex: item,
			}),
		});
		const base = baseUrlOf(credential.data);
		if (!base) return fail(noBaseUrl(credential.data.baseUrl));
		if (!this.mayReach(base, credential.data)) return fail(forbiddenDomain(base));

		const throttle = throttleOf(this.throttleKey(base, secrets));
		const patience = this.patience();
		for (let repeats = 0, again = false; ; again = true) {
			const turn = await throttle.turn(patience, again);
			if (!turn.go)
				return fail('cancelled' in turn ? CANCELLED : tooLong(this.dialect, turn.opensAt, this.options));
			const sent = await this.transmit(base, request, credential);
			throttle.settle('answer' in sent ? sent.answer : undefined);
			if ('answer' in sent && sent.answer.status === 429) continue;
			if (repeats < MAX_REPEATS && isRepeatable(request, sent) && !patience.signal?.aborted) {
				const told = 'answer' in sent ? retryAfter(sent.answer.headers, clock.now()) : undefined;
				const wait = told === undefined ? REPEAT_AFTER_MS * 2 ** repeats : Math.max(told - clock.now(), 0);
				if (wait <= this.options.maxWaitMs) {
					await clock.sleep(wait);
					repeats += 1;
					continue;
				}
			}
			if ('code' in sent) return fail(unreachable(this.dialect, base, request, sent.code));
			const refusal = redirection(sent.answer) ?? this.dialect.refusal(sent.answer, request);
			return refusal ? fail({ code: String(sent.answer.status), ...refusal }, true) : { answer: sent.answer };
		}
	}

	private async credential(item: number) {
		const type = this.dialect.credentialType(this.context);
		const { context } = this;
		const data = await (context as IExecuteFunctions).getCredentials<ICredentialDataDecryptedObject>(
			type,
			item,
		);
		return { type, data };
	}

	/** Whether the domains that the user allowed for the credential include its own address. */
	private mayReach(base: string, credentialData: ICredentialDataDecryptedObject): boolean {
		if (credentialData.allowedHttpRequestDomains !== 'domains') return true;
		const allowedDomains = getCredentialAllowedDomains({ node: this.context.getNode(), credentialData });
		return allowedDomains === undefined || isDomainAllowed({ url: base, allowedDomains });
	}

	private throttleKey(base: string, secrets: string[]): string {
		return createHash('sha256')
			.update([new URL(base).origin, ...secrets].join('\n'))
			.digest('hex');
	}

	private patience(): Patience {
		let told = 0;
		return {
			maxWaitMs: this.options.maxWaitMs,
			signal: cancelSignal(this.context),
			onWait: (ms) => {
				const until = clock.now() + ms;
				if (until <= told + 1000) return;
				this.waitedMs += told > clock.now() ? until - told : ms;
				told = until;
				this.announce(ms);
			},
		};
	}

	private announce(ms: number): void {
		const message = `Waiting ${Math.ceil(ms / 1000)} s for the rate limit of ${this.dialect.service}`;
		this.context.logger?.info(message);
		if ('sendMessageToUI' in this.context) this.context.sendMessageToUI(message);
	}

	/** Sends it once, and follows redirects that stay on the service's own origin. */
	private async transmit(
		base: string,
		request: Request,
		credential: { type: string; data: ICredentialDataDecryptedObject },
	): Promise<Sent> {
		const { headers, body } = this.dialect.encode(request.body);
		let url = `${base}${request.path}${queryString(request.query)}`;
		for (let hops = 0; ; hops += 1) {
			const sent = await this.once(credential, { method: request.method, url, headers, body });
			const target = 'answer' in sent && sameOriginTarget(sent.answer, url, request.method);
			if (!target || hops >= MAX_REDIRECTS) return sent;
			url = target;
		}
	}

	private async once(
		credential: { type: string; data: ICredentialDataDecryptedObject },
		options: { method: IHttpRequestMethods; url: string; headers: IDataObject; body?: string },
	): Promise<Sent> {
		try {
			const response = (await this.context.helpers.httpRequestWithAuthentication.call(
				this.context as IExecuteFunctions,
				credential.type,
				{
					...options,
					headers: { ...options.headers },
					encoding: 'arraybuffer',
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
				},
				{ credentialsDecrypted: { id: '', name: '', ...credential } },
			)) as { statusCode: number; headers: Headers; body: unknown };
			return { answer: toAnswer(response) };
		} catch (error) {
			return { code: networkCode(error) };
		}
	}
}

const CANCELLED: ApiFailure = {
	message: 'The execution was cancelled',
	description: 'Nothing more was sent.',
};

const cancelSignal = (context: NodeContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** The base URL of a credential without trailing slashes; undefined if it is none. */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): string | undefined {
	const written = String(credential.baseUrl ?? '').trim();
	if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) return undefined;
	const { origin, pathname } = new URL(written);
	return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Query parameters as services read them: lists repeat the name, undefined is left out. */
export function queryString(query: Record<string, unknown> = {}): string {
	const encoded = encodeForm(query).toString();
	return encoded === '' ? '' : `?${encoded}`;
}

/** Form encoding: lists repeat the name, undefined is left out. */
export function encodeForm(values: Record<string, unknown>): URLSearchParams {
	const encoded = new URLSearchParams();
	for (const [name, value] of Object.entries(values)) {
		for (const entry of Array.isArray(value) ? value : [value]) {
			if (entry !== undefined) encoded.append(name, String(entry));
		}
	}
	return encoded;
}

function toAnswer(response: { statusCode: number; headers: Headers; body: unknown }): Answer {
	const { body } = response;
	const text = (Buffer.isBuffer(body) ? body.toString('utf8') : String(body ?? '')).replace(/^\uFEFF/, '');
	return { status: response.statusCode, headers: { ...response.headers }, text, json: parsed(text) };
}

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
};

function networkCode(error: unknown): string {
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		const code = cause.code ?? cause.httpCode;
		if (typeof code === 'string' && code !== '') return code;
	}
	return error instanceof Error ? error.message : 'unknown';
}

function isRepeatable(request: Request, sent: Sent): boolean {
	const safe = SAFE_METHODS.has(request.method);
	if ('code' in sent) return NEVER_SENT.has(sent.code) || (safe && sent.code !== 'ERR_CANCELED');
	return sent.answer.status === 503 || (safe && PASSING_FAULTS.has(sent.answer.status));
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/** Where a redirect leads, if the request may be repeated there: same origin, and nothing of it is lost. */
function sameOriginTarget(answer: Answer, from: string, method: string): string | undefined {
	const { location } = answer.headers;
	if (!isRedirect(answer.status) || typeof location !== 'string' || !URL.canParse(location, from))
		return undefined;
	const keepsMethod = SAFE_METHODS.has(method) || answer.status === 307 || answer.status === 308;
	const target = new URL(location, from);
	return keepsMethod && target.origin === new URL(from).origin ? target.href : undefined;
}

function redirection(answer: Answer): ApiFailure | undefined {
	if (!isRedirect(answer.status)) return undefined;
	const { location } = answer.headers;
	const target =
		typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : undefined;
	return {
		message: `The service redirects elsewhere${target ? `: to ${target}` : ''}`,
		description:
			'The credential is not sent to another address. Enter the address it leads to as the Base URL of the credential.',
		cause: 'configuration-invalid',
	};
}

const noBaseUrl = (written: unknown): ApiFailure => ({
	message: `The Base URL of the credential is not a web address: "${String(written ?? '')}"`,
	description: 'Enter it with http:// or https://, for example https://links.example.com',
	cause: 'configuration-invalid',
});

const forbiddenDomain = (base: string): ApiFailure => ({
	message: `The credential may not be used with ${new URL(base).hostname}`,
	description: 'Its Allowed Domains do not include the host of its own Base URL. Add the host there.',
	cause: 'configuration-invalid',
});

function tooLong(dialect: Dialect, opensAt: number, options: ClientOptions): ApiFailure {
	const now = clock.now();
	const seconds = Math.max(Math.ceil((opensAt - now) / 1000), 1);
	return {
		message: `The rate limit of ${dialect.service} is used up: try again after ${new Date(opensAt).toISOString()} (in ${seconds} s)`,
		description: `That is longer than the Maximum Wait of ${Math.round(options.maxWaitMs / 1000)} s set in this node's options. Nothing was sent for this item.`,
		code: '429',
		cause: 'rate-limited',
		retryAfterMs: Math.max(opensAt - now, 0),
	};
}

const NETWORK_REASONS: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'the host name could not be looked up',
	ECONNRESET: 'the connection was closed before an answer came',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	ERR_CANCELED: 'the request was cancelled',
};

function unreachable(dialect: Dialect, base: string, request: Request, code: string): ApiFailure {
	const certain = NEVER_SENT.has(code) || SAFE_METHODS.has(request.method);
	return {
		message: `No answer from ${dialect.service} at ${new URL(base).host}: ${NETWORK_REASONS[code] ?? code}`,
		description: certain
			? 'Check the Base URL of the credential and that the service runs.'
			: 'The service may have done what was asked. Look there before you run this item again.',
		code,
		cause: 'temporarily-unavailable',
	};
}

/** The error for a service's missing context, kept here so that every caller words it alike. */
export const unexpectedAnswer = (dialect: Dialect, path: string, what: string): ApiFailure => ({
	message: `${capital(dialect.service)} answered ${path} with ${what}`,
	description:
		'This is not an answer of its interface. Check the Base URL of the credential, and whether something stands between (a proxy, a login page).',
});

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** What an answer that isn't the expected JSON looks like, in a few words. */
export function looksLike(answer: Answer): string {
	const status = `status ${answer.status}`;
	if (answer.text.trim() === '') return `an empty body (${status})`;
	if (/^\s*<(!doctype|html|\?xml|[a-z])/i.test(answer.text)) return `a web page instead of JSON (${status})`;
	if (answer.json !== undefined) return `JSON of another shape (${status})`;
	return /^\s*[[{]/.test(answer.text) ? `incomplete JSON (${status})` : `text instead of JSON (${status})`;
}
