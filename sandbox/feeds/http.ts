import { isIP } from 'node:net';
import { Agent, fetch, type Dispatcher, type Response } from 'undici';
import { isPrivateAddress, privateAddressFailure, publicLookup } from './private-addresses.ts';
import { FeedFailure } from './failures.ts';
import type { NetworkPolicy } from './feed-types.ts';
import { displayUrl } from './feed-urls.ts';

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 8;
const USER_AGENT = 'n8n-nodes-newslink-sandbox/1.0 (feed reader)';

const openAgent = new Agent();
const publicAgent = new Agent({ connect: { lookup: publicLookup } });

export interface Download {
	statusCode: number;
	headers: Headers;
	bytes: Uint8Array;
	/** Final address after redirects. */
	url: string;
}

type Headers = Response['headers'];

/** The agent for one request; throws if the URL is not allowed. */
function agentFor(url: URL, policy: NetworkPolicy): Dispatcher {
	const own = policy.ownOrigins.some((origin) => new URL(origin).origin === url.origin);
	if (policy.allowPrivate || own) return openAgent;
	const host = url.hostname.replace(/^\[|\]$/g, '');
	if (isIP(host) && isPrivateAddress(host)) throw privateAddressFailure(host);
	return publicAgent;
}

function httpUrl(address: string, base?: string): URL {
	const url = URL.canParse(address, base) ? new URL(address, base) : null;
	if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
	throw new FeedFailure('network', `${displayUrl(address)} is no web address (http or https).`);
}

/** Moves the credentials of a URL to a header, so that redirects do not send them to other hosts. */
function withoutCredentials(url: URL): { url: URL; authorization?: string } {
	if (!url.username && !url.password) return { url };
	const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
	const bare = new URL(url);
	bare.username = '';
	bare.password = '';
	return { url: bare, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function readBody(response: Response, url: URL, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > maxBytes) {
			const message = `${displayUrl(url.href)} is larger than ${maxBytes} bytes.`;
			throw new FeedFailure('too-large', message, response.status);
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

async function followRedirects(
	address: string,
	policy: NetworkPolicy,
	headers: Record<string, string>,
	signal: AbortSignal,
): Promise<Download> {
	let target = httpUrl(address);
	for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
		const { url, authorization } = withoutCredentials(target);
		const response = await fetch(url, {
			dispatcher: agentFor(url, policy),
			redirect: 'manual',
			headers: { 'user-agent': USER_AGENT, ...headers, ...(authorization && { authorization }) },
			signal,
		});
		const location = response.headers.get('location');
		if (response.status < 300 || response.status > 399 || !location) {
			const bytes = await readBody(response, url, policy.maxBytes ?? DEFAULT_MAX_BYTES);
			return { statusCode: response.status, headers: response.headers, bytes, url: target.href };
		}
		await response.body?.cancel();
		target = httpUrl(location, url.href);
	}
	throw new FeedFailure('network', `${displayUrl(address)} redirects too often.`);
}

interface Reason {
	name?: unknown;
	code?: unknown;
	cause?: unknown;
}

function isReason(value: unknown): value is Reason {
	return typeof value === 'object' && value !== null;
}

/** Finds the reason in the causes of the TypeError that undici throws. */
function failureOf(error: unknown, address: string): FeedFailure {
	for (let reason: unknown = error; isReason(reason); reason = reason.cause) {
		if (reason instanceof FeedFailure) return reason;
		const { name, code } = reason;
		if (name === 'TimeoutError' || (typeof code === 'string' && /TIMEDOUT|TIMEOUT/.test(code)))
			return new FeedFailure('timeout', `${displayUrl(address)} did not answer in time.`, null, error);
		if (typeof code === 'string')
			return new FeedFailure('network', `${displayUrl(address)} cannot be reached (${code}).`, null, error);
	}
	return new FeedFailure('network', `${displayUrl(address)} cannot be reached.`, null, error);
}

/**
 * Sends a GET request that the policy allows, and follows redirects. Returns responses with any status.
 * @throws FeedFailure of kind 'network', 'private-address', 'too-large' or 'timeout'
 */
export async function download(
	address: string,
	policy: NetworkPolicy,
	headers: Record<string, string> = {},
): Promise<Download> {
	const signal = AbortSignal.timeout(policy.timeoutMs ?? DEFAULT_TIMEOUT_MS);
	try {
		return await followRedirects(address, policy, headers, signal);
	} catch (error) {
		throw failureOf(error, address);
	}
}

/** Like `download`, but accepts only a 2xx response. @throws FeedFailure, including kind 'status' */
export async function downloadFound(
	address: string,
	policy: NetworkPolicy,
	headers: Record<string, string> = {},
): Promise<Download> {
	const result = await download(address, policy, headers);
	if (result.statusCode >= 200 && result.statusCode < 300) return result;
	throw statusFailure(result);
}

export function statusFailure({ url, statusCode }: Download): FeedFailure {
	return new FeedFailure('status', `${displayUrl(url)} answered with status ${statusCode}.`, statusCode);
}
