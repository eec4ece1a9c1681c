import { isIP } from 'node:net';
import { Agent, fetch, type Dispatcher, type Response } from 'undici';
import { isPrivateAddress, privateAddressFailure, publicLookup } from './private-addresses.ts';
import { FeedFailure } from './failures.ts';
import { absoluteUrl, decodeText } from './text.ts';

/** Which URLs may be fetched. Checked at every redirect, after DNS resolution. */
export interface NetworkPolicy {
	/** Whether to allow addresses of this machine and of private networks. */
	allowPrivate: boolean;
	/** The sandbox's origin ('http://127.0.0.1:8787'), which is allowed although its address is private. */
	origin: string;
	/** Timeout of the request including redirects. Default 20,000 ms. */
	timeoutMs?: number;
	/** Size limit of the decoded body. Default 10 MiB. */
	maxBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 8;
const USER_AGENT = 'n8n-nodes-newslink-sandbox/1.0 (feed reader)';

const openAgent = new Agent();
const publicAgent = new Agent({ connect: { lookup: publicLookup } });

export interface Download {
	status: number;
	headers: Response['headers'];
	bytes: Uint8Array;
	/** Final address after redirects. */
	url: string;
}

/** The agent for one request; throws if the URL is not allowed. */
function agentFor(url: URL, policy: NetworkPolicy): Dispatcher {
	if (policy.allowPrivate || url.origin === policy.origin) return openAgent;
	const host = url.hostname.replace(/^\[|\]$/g, '');
	if (isIP(host) && isPrivateAddress(host)) throw privateAddressFailure(host);
	return publicAgent;
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > maxBytes) throw new FeedFailure(413, `${response.url} is larger than ${maxBytes} bytes.`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

async function followRedirects(
	address: string,
	policy: NetworkPolicy,
	headers: Record<string, string>,
): Promise<Download> {
	const signal = AbortSignal.timeout(policy.timeoutMs ?? DEFAULT_TIMEOUT_MS);
	let target: string | undefined;
	let next = address;
	for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
		target = absoluteUrl(next, target);
		if (target === undefined) throw new FeedFailure(503, `${next} is not a web address (http or https).`);
		const response = await fetch(target, {
			dispatcher: agentFor(new URL(target), policy),
			redirect: 'manual',
			headers: { 'user-agent': USER_AGENT, ...headers },
			signal,
		});
		const location = response.headers.get('location');
		if (response.status < 300 || response.status > 399 || !location) {
			const bytes = await readBody(response, policy.maxBytes ?? DEFAULT_MAX_BYTES);
			return { status: response.status, headers: response.headers, bytes, url: target };
		}
		await response.body?.cancel();
		next = location;
	}
	throw new FeedFailure(503, `${address} redirects too often.`);
}

interface Reason {
	name?: unknown;
	code?: unknown;
	cause?: unknown;
}

/** Finds the reason in the causes of the TypeError that undici throws. */
function failureOf(error: unknown, address: string): FeedFailure {
	for (let reason = error as Reason | undefined; reason; reason = reason.cause as Reason | undefined) {
		if (reason instanceof FeedFailure) return reason;
		const { name, code } = reason;
		if (name === 'TimeoutError') return new FeedFailure(504, `${address} did not respond in time.`, error);
		if (typeof code === 'string')
			return new FeedFailure(503, `${address} cannot be reached (${code}).`, error);
	}
	return new FeedFailure(503, `${address} cannot be reached.`, error);
}

/** Sends a GET request that the policy allows, and follows redirects. @throws FeedFailure unless the status is 2xx or 304 */
export async function download(
	address: string,
	policy: NetworkPolicy,
	headers: Record<string, string> = {},
): Promise<Download> {
	const result = await followRedirects(address, policy, headers).catch((error: unknown) => {
		throw failureOf(error, address);
	});
	if ((result.status >= 200 && result.status < 300) || result.status === 304) return result;
	throw new FeedFailure(result.status, `${result.url} responded with status ${result.status}.`);
}

/** Fetches and decodes a web page. @throws FeedFailure */
export async function fetchPage(
	address: string,
	policy: NetworkPolicy,
): Promise<{ html: string; url: string }> {
	const { bytes, headers, url } = await download(address, policy);
	return { html: decodeText(bytes, headers.get('content-type') ?? ''), url };
}
