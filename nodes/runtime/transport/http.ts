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
} from 'n8n-workflow';
import type { Answer, Headers, Request } from '../exchange';
import { connectionOf } from '../credential';
import { isRecord } from '../values';

export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What came of sending: an answer, a network error, or a login that was refused before it. */
export type Sent = { answer: Answer } | { code: string } | { refusedLogin: string };

export interface Encoded {
	headers: IDataObject;
	body?: string | FormData;
}

export interface Credential {
	type: string;
	data: ICredentialDataDecryptedObject;
}

const SAFE_METHODS = new Set<string>(['GET', 'HEAD']);
/** Whether a request changes nothing. */
export const isSafe = ({ method, safe = false }: Request): boolean => safe || SAFE_METHODS.has(method);

/** No more than this is read of an answer, counted as it is when unpacked: lists of any use are far smaller. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;
/** Code of an answer that has more. */
export const TOO_LARGE = 'TOO_LARGE';
/** Code of an answer that breaks off, or can't be unpacked. */
const UNREADABLE = 'UNREADABLE';
/** Code of a request that n8n ended because the execution was cancelled. */
export const ABORTED = 'ERR_CANCELED';
const MAX_REDIRECTS = 5;

/** Sends a request once, with its credential if it has one; follows redirects that stay on the service's own origin. */
export async function transmit(
	context: NodeContext,
	base: string,
	request: Request,
	{ headers, body }: Encoded,
	credential: Credential,
): Promise<Sent> {
	const sender = request.anonymous ? undefined : credential;
	const connection = connectionOf(credential.data);
	let url = `${base}${request.path}${queryString(request.query)}`;
	for (let hops = 0; ; hops += 1) {
		const sent = await once(context, sender, { ...connection, method: request.method, url, headers, body });
		if (!('answer' in sent) || !isRedirect(sent.answer.status) || hops >= MAX_REDIRECTS) return sent;
		const target = sameOriginTarget(sent.answer, url, request.method);
		if (!target)
			return request.accepts === 'foreignPage' ? await elsewhere(context, credential, sent, url) : sent;
		url = target;
	}
}

/**
 * The page that redirects to other hosts lead to, asked for without the credential: as far as the domains go that the
 * credential is allowed for. Beyond them it is the redirect itself.
 */
async function elsewhere(
	context: NodeContext,
	{ data }: Credential,
	redirect: { answer: Answer },
	from: string,
): Promise<Sent> {
	let sent: Sent = redirect;
	let url = from;
	for (let hops = 0; 'answer' in sent && isRedirect(sent.answer.status) && hops < MAX_REDIRECTS; hops += 1) {
		const { location } = sent.answer.headers;
		if (typeof location !== 'string' || !URL.canParse(location, url)) return sent;
		url = new URL(location, url).href;
		if (!/^https?:/.test(url) || !mayReach(context.getNode(), url, data)) return sent;
		sent = await withoutCredential(context, url, connectionOf(data).timeout);
	}
	return sent;
}

/** Whether the domains that the user allowed for a credential include an address. */
export function mayReach(node: INode, url: string, credentialData: ICredentialDataDecryptedObject): boolean {
	if (credentialData.allowedHttpRequestDomains !== 'domains') return true;
	const allowedDomains = getCredentialAllowedDomains({ node, credentialData });
	return allowedDomains === undefined || isDomainAllowed({ url, allowedDomains });
}

async function withoutCredential(context: NodeContext, url: string, timeout?: number): Promise<Sent> {
	try {
		const options = { method: 'GET', url, ...(timeout && { timeout }), ...WHOLE_ANSWER } as const;
		return await received((await context.helpers.httpRequest(options)) as Response, url);
	} catch (error) {
		return { code: networkCode(error) };
	}
}

/** What n8n's helpers answer when asked for all of it. */
interface Response {
	statusCode: number;
	headers: Headers;
	body: unknown;
}

/** The answer as it came, whatever its status, to be read while it comes. */
const WHOLE_ANSWER = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

async function once(
	context: NodeContext,
	credential: Credential | undefined,
	{ headers, ...request }: { method: IHttpRequestMethods; url: string } & Encoded,
): Promise<Sent> {
	const options = { ...request, headers: { ...headers }, ...WHOLE_ANSWER };
	try {
		const response = (await (credential
			? context.helpers.httpRequestWithAuthentication.call(
					context as IExecuteFunctions,
					credential.type,
					options,
					{ credentialsDecrypted: { id: '', name: '', ...credential } },
				)
			: context.helpers.httpRequest(options))) as Response;
		return await received(response, request.url);
	} catch (error) {
		const words = refusedLogin(error);
		return words === undefined ? { code: networkCode(error) } : { refusedLogin: words };
	}
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
			if (entry === undefined) continue;
			encoded.append(name, typeof entry === 'object' ? JSON.stringify(entry) : String(entry));
		}
	}
	return encoded;
}

/** Reads an answer, up to its limit. */
async function received({ statusCode: status, headers, body }: Response, url: string): Promise<Sent> {
	const bytes = await wholeBody(body);
	if (!Buffer.isBuffer(bytes)) return bytes;
	const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
	const { host } = new URL(url);
	return { answer: { host, status, headers: { ...headers }, bytes, text, json: parsed(text) } };
}

/** An answer's body on its way, as Node's streams are. */
type Stream = NodeJS.ReadableStream & { destroy(): void };

/** The bytes of a body, or why it could not be read. Reading ends, and the connection with it, beyond the limit. */
async function wholeBody(body: unknown): Promise<Buffer | { code: string }> {
	if (!isStream(body)) return Buffer.isBuffer(body) ? body : Buffer.from(String(body ?? ''));
	return await new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let size = 0;
		body.on('data', (chunk: Buffer) => {
			size += chunk.length;
			chunks.push(chunk);
			if (size <= MAX_ANSWER_BYTES) return;
			resolve({ code: TOO_LARGE });
			body.destroy();
		});
		body.on('end', () => resolve(Buffer.concat(chunks)));
		body.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
			resolve({ code: /^E[CR]/.test(code) ? code : UNREADABLE }),
		);
		// A body that ends before its end, without saying why.
		body.on('close', () => resolve({ code: UNREADABLE }));
	});
}

const isStream = (body: unknown): body is Stream => isRecord(body) && typeof body.on === 'function';

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
};

function networkCode(error: unknown): string {
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		const code = cause.noLogin ?? cause.code ?? cause.httpCode;
		if (typeof code === 'string' && code !== '') return code;
	}
	return error instanceof Error ? error.message : 'unknown';
}

/** The service's own words, from the error that n8n made of a login that the credential says was refused. */
function refusedLogin(error: unknown): string | undefined {
	for (let cause = error; isRecord(cause); cause = cause.cause) {
		if (cause.refusedLogin === true) return String(cause.message);
	}
	return undefined;
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/** Where a redirect leads, if the request may be repeated there: same origin, and nothing of it is lost. */
function sameOriginTarget(answer: Answer, from: string, method: string): string | undefined {
	const { location } = answer.headers;
	if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
	const keepsMethod = SAFE_METHODS.has(method) || answer.status === 307 || answer.status === 308;
	const target = new URL(location, from);
	return keepsMethod && target.origin === new URL(from).origin ? target.href : undefined;
}
