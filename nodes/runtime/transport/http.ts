import type { ICredentialDataDecryptedObject, IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';
import type { ApiResponse, Headers, FailureDetails } from '../api-types';
import { blockedByN8n, PROXY_LOGIN, TIMED_OUT } from '../errors/messages';
import type { Secrets } from '../errors/secrets';
import { connectionOf, loginLimitOf, mayReach, timeLimitOf, userAgent } from '../credential';
import { causesOf, parseJson, reasonOf, within } from '../values';
import { classify, isRedirect, type Answer } from './classify';
import { queryString, textOf } from './encoding';
import type { Outgoing, Send } from './send';
import type { Encoded, NodeContext, Service } from './service';

/** What is needed to send a request. */
interface Line {
	context: NodeContext;
	service: Service;
	credentialType: string;
	base: string;
	/** The time zone of the host's clock. */
	zone?: string;
	secrets: Secrets;
}

const MAX_REDIRECTS = 5;

/** Makes one try, and judges the answer. Notes the secrets of the credential, which a login may have changed. */
export function overHttp(line: Line): Send {
	return async (request) => {
		const answer = await transmit(line, request);
		line.secrets.add(...line.service.secrets(request.credential));
		return classify(line.service, line.base, request, answer);
	};
}

/**
 * Sends a request with its credential unless it is anonymous. Follows redirects that keep origin and method; for
 * `foreignPage`, also others, to hosts that the credential allows, without the credential. The credential's Timeout covers
 * everything until the end of the response's body; n8n's login before it adds its own limit.
 */
async function transmit(line: Line, request: Outgoing): Promise<Answer> {
	const { credential, logsIn = false } = request;
	const timeLimit = AbortSignal.timeout(timeLimitOf(credential) + (logsIn ? loginLimitOf(credential) : 0));
	const connection = connectionOf(credential);
	let sentWith = request.anonymous ? undefined : credential;
	let options: RequestOptions = {
		...connection,
		...line.service.encode(request.body),
		method: request.method,
		url: `${line.base}${request.path}${queryString(request.query)}`,
	};
	for (let hops = 0; ; hops += 1) {
		const answer = await requestOnce(line, sentWith, options, timeLimit);
		if (!('redirect' in answer) || !answer.redirect || hops >= MAX_REDIRECTS) return answer;
		const { origin, href: url } = answer.redirect;
		if (origin === new URL(options.url).origin && keepsRequest(answer.status, options.method)) {
			options = { ...options, url };
		} else {
			const mayFollow = request.accepts === 'foreignPage' && /^https?:/.test(url);
			if (!mayFollow || !mayReach(url, credential)) return answer;
			sentWith = undefined;
			options = { method: 'GET', url, headers: {}, timeout: connection.timeout };
		}
	}
}

/** What n8n's helpers return with `FULL_RESPONSE`. */
interface FullResponse {
	statusCode: number;
	headers: Headers;
	body: Buffer;
}

/** Returns the response whatever its status, with the bytes of its body. */
const FULL_RESPONSE = {
	encoding: 'arraybuffer',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

interface RequestOptions extends Encoded {
	method: IHttpRequestMethods;
	url: string;
	timeout?: number;
}

async function requestOnce(
	{ context, credentialType, zone }: Line,
	credential: ICredentialDataDecryptedObject | undefined,
	{ headers, ...request }: RequestOptions,
	timeLimit: AbortSignal,
): Promise<Answer> {
	const options = { ...request, headers: { 'user-agent': userAgent(), ...headers }, ...FULL_RESPONSE };
	let response: FullResponse;
	try {
		const sending: Promise<FullResponse> = credential
			? context.helpers.httpRequestWithAuthentication.call(
					context as IExecuteFunctions,
					credentialType,
					options,
					// If n8n logs in, it writes the token of the new session into this object.
					{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
				)
			: context.helpers.httpRequest(options);
		response = await within(timeLimit, sending, () => new Error(TIMED_OUT));
	} catch (error) {
		return timeLimit.aborted ? { code: TIMED_OUT } : answerOfError(error);
	}
	if (response.statusCode === Number(PROXY_LOGIN)) return { code: PROXY_LOGIN };
	return { ...responseFrom(response, request.url), zone };
}

function responseFrom({ statusCode: status, headers, body: bytes }: FullResponse, url: string): ApiResponse {
	const text = textOf(bytes, headers['content-type']);
	const { host } = new URL(url);
	const redirect = isRedirect(status) ? redirectIn(headers, url) : undefined;
	return { host, status, headers: { ...headers }, bytes, text, json: parseJson(text), redirect };
}

/** The answer to a request that threw. n8n wraps the errors of the connection and of the credential. */
function answerOfError(error: unknown): Answer {
	const causes = causesOf(error);
	const login = causes.find(({ loginFailure }) => loginFailure);
	const notSent = (login?.loginFailure as FailureDetails | undefined) ?? blockedByN8n(error);
	if (notSent) return { notSent };
	const codes = causes.flatMap(({ code, httpCode }) => [code, httpCode]);
	const code = codes.find((known) => typeof known === 'string' && known !== '' && !/^\d+$/.test(known));
	return { code: String(code ?? reasonOf(error)) };
}

function redirectIn({ location }: Headers, from: string): URL | undefined {
	if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
	const target = new URL(location, from);
	// A user and a password in the address would replace the credential.
	target.username = '';
	target.password = '';
	return target;
}

/** Whether a redirect with this status keeps the method and body of a request. Otherwise it would become a GET. */
const keepsRequest = (status: number, method: string): boolean =>
	method === 'GET' || status === 307 || status === 308;
