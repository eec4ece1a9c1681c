import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, fetch, type Dispatcher, type Response } from 'undici';
import { absoluteUrl, decodeText } from './text.ts';

/** Why a URL could not be fetched or read as a feed. */
export class FeedFailure extends Error {
	/** The status of the response; without one, the status that the statistics of the feed show. */
	readonly status: number;

	constructor(status: number, message: string, cause?: unknown) {
		super(message, { cause });
		this.status = status;
	}
}

/** The result of `attempt`, or undefined after a `FeedFailure`. Throws other errors. */
export async function unlessFailed<Result>(
	attempt: () => Result | Promise<Result>,
): Promise<Result | undefined> {
	try {
		return await attempt();
	} catch (error) {
		if (error instanceof FeedFailure) return undefined;
		throw error;
	}
}

/** Address ranges of this machine, of local networks, and without public hosts (IANA registries). */
const NOT_PUBLIC: { network: string; prefix: number; family: 'ipv4' | 'ipv6' }[] = [
	{ network: '0.0.0.0', prefix: 8, family: 'ipv4' },
	{ network: '10.0.0.0', prefix: 8, family: 'ipv4' },
	{ network: '100.64.0.0', prefix: 10, family: 'ipv4' },
	{ network: '127.0.0.0', prefix: 8, family: 'ipv4' },
	{ network: '169.254.0.0', prefix: 16, family: 'ipv4' },
	{ network: '172.16.0.0', prefix: 12, family: 'ipv4' },
	{ network: '192.0.0.0', prefix: 24, family: 'ipv4' },
	{ network: '192.0.2.0', prefix: 24, family: 'ipv4' },
	{ network: '192.168.0.0', prefix: 16, family: 'ipv4' },
	{ network: '198.18.0.0', prefix: 15, family: 'ipv4' },
	{ network: '198.51.100.0', prefix: 24, family: 'ipv4' },
	{ network: '203.0.113.0', prefix: 24, family: 'ipv4' },
	{ network: '224.0.0.0', prefix: 3, family: 'ipv4' },
	{ network: '::', prefix: 127, family: 'ipv6' },
	// Addresses that contain an IPv4 address: translated, 6to4 and Teredo.
	{ network: '64:ff9b::', prefix: 96, family: 'ipv6' },
	{ network: '64:ff9b:1::', prefix: 48, family: 'ipv6' },
	{ network: '2002::', prefix: 16, family: 'ipv6' },
	{ network: '2001::', prefix: 32, family: 'ipv6' },
	{ network: '100::', prefix: 64, family: 'ipv6' },
	{ network: '2001:db8::', prefix: 32, family: 'ipv6' },
	{ network: 'fc00::', prefix: 7, family: 'ipv6' },
	{ network: 'fe80::', prefix: 9, family: 'ipv6' },
	{ network: 'ff00::', prefix: 8, family: 'ipv6' },
];

const notPublic = new BlockList();
for (const { network, prefix, family } of NOT_PUBLIC) notPublic.addSubnet(network, prefix, family);

/** Whether an IP address (v4, v6, or v4 mapped into v6) is not public. */
export function isPrivateAddress(address: string): boolean {
	return notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function privateAddressFailure(host: string): FeedFailure {
	return new FeedFailure(
		403,
		`${host} leads to a private address, which is not fetched. Start the sandbox with --allow-private to have it fetched.`,
	);
}

/**
 * Like `dns.lookup`, but rejects names with a private address. The connection itself uses it, so that it connects to
 * the checked address.
 */
const publicLookup: LookupFunction = (hostname, options, callback) => {
	lookup(hostname, { ...options, all: true }, (error, addresses) => {
		const [first] = addresses ?? [];
		if (error || !first) callback(error ?? new Error(`${hostname} has no address.`), []);
		else if (addresses.some(({ address }) => isPrivateAddress(address)))
			callback(privateAddressFailure(hostname), []);
		else if (options.all) callback(null, addresses);
		else callback(null, first.address, first.family);
	});
};

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

interface Download {
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
